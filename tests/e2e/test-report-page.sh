#!/bin/sh
# The page of a sweep as a file: its policy, hostile names as text, all sections, without gnuplot, where it is written and where not.
. "$(dirname "$0")/functions.sh"
requires jq
requires sqlite3
. "$here/reports.sh"
mkdir tmp # of its own: other tests leave and take theirs at the same time
export TMPDIR=$PWD/tmp
make_reports
# island ID FILE: the JSON that the script reads
island() { awk -v from="<script type=\"application/json\" id=\"$1\">" 'i = index($0, from) { on = 1; $0 = substr($0, i + length(from)) }
	on && (e = index($0, "</script>")) { print substr($0, 1, e - 1); exit } on' "$2"; }

expect_exit 0 "$IOSWEEP" report a.db -o a.html
[ ! -s out ] && [ ! -s err ] || { cat out err >&2; die 'not silent'; }
page() { # FILE: what every page must be
	equal "$(head -c 15 "$1")" '<!DOCTYPE html>'
	contains "$1" "default-src 'none'; style-src 'sha256-"
	equal "$(tail -c 8 "$1")" '</html>'
	# three scripts: two are data, one is ours; no name made a tag, and nothing is fetched
	equal "$(grep -o '<script[^>]*>' "$1" | tr '\n' ' ')" \
		'<script type="application/json" id="data-rows"> <script type="application/json" id="data-runs"> <script> '
	for tag in '<img' '<iframe' '<link' '<object' '<svg onload' '<b>' '<i>' 'src=http' '@import' 'url(http'; do lacks "$1" "$tag"; done
	equal "$(grep -oE '(href|src|action)="[^#"][^"]*"' "$1")" ''
	equal "$(grep -o 'https\?://[a-zA-Z0-9./]*' "$1" | sort -u | tr '\n' ' ')" "${2-http://www.w3.org/1999/xlink http://www.w3.org/2000/svg }"
}
page a.html
equal "$(ls x y 2>/dev/null)" '' 'a name was run'
# the policy names the very script and style that are in the page
hash() { # TAG
	python3 - "$1" a.html <<'P'
import base64, hashlib, re, sys
text = open(sys.argv[2], encoding="utf-8", newline="").read()
print("'sha256-" + base64.b64encode(hashlib.sha256(re.search("<%s>(.*?)</%s>" % (sys.argv[1], sys.argv[1]), text, re.S)[1].encode()).digest()).decode() + "'")
P
}
if python3 -c 'import base64, hashlib, re' 2>/dev/null; then
	contains a.html "style-src $(hash style); script-src $(hash script);"
fi
contains a.html '&lt;img src=x onerror=alert(1)&gt;&amp;&quot;quoted&quot;'
contains a.html '&lt;b&gt;bold&lt;/b&gt; &amp; more'
for id in asked environment doubts answers charts all; do contains a.html "<section id=\"$id\">"; done
contains a.html 'class="doubt">unwritten</strong>'
contains a.html '<strong>Simulated:</strong>'
contains a.html 'sweet spot: bs '
contains a.html 'in doubt.</strong>'

# what the script reads is JSON, and has all rows with the numbers of the CSV
island data-rows a.html >rows.json
island data-runs a.html >runs.json
equal "$(jq .rows rows.json)" "$(db a.db 'select count(*) from results')"
equal "$(jq -r '.columns[] | select(.n == "iops") | if .v then .v[] else (. as $c | if .i then .i[] | $c.d[.] else $c.d[0] end) end' rows.json | head -5 | tr '\n' ' ')" \
	"$(db a.db "select printf('%.6g', iops) from results limit 5" | tr '\n' ' ')"
equal "$(jq -r '.columns[] | select(.n == "filename") | .d[0]' rows.json)" "$hostile"
equal "$(jq -r '.runs | length' runs.json)" 36
equal "$(jq -r '[.runs["1"][].h[][2]] | add' runs.json)" "$(db a.db 'select sum(ios) from result where run_id = 1')" 'I/Os of the histogram'
equal "$(jq -r '.runs["1"] | to_entries[0].value.s | length' runs.json)" 2
if command -v gnuplot >/dev/null; then
	[ "$(grep -c '<svg' a.html)" -ge 4 ] || die 'charts are missing'
	equal "$(grep -o ' id="[^"]*"' a.html | sort | uniq -d)" '' 'an id stands twice'
	contains a.html '<svg role="img" aria-label="Bandwidth: run_bw_mib_s (MiB/s) against bs (bytes), '
	# numbers for people have no exponents
	contains a.html ' points from 6644.25 to 80000."'
	lacks a.html 'e+04'
fi

# without gnuplot: tables, and it says so; -o - is stdout
PATH=$(dirname "$(command -v env)")/none expect_exit 0 "$IOSWEEP" report a.db -o -
mv out plain.html
page plain.html 'http://www.w3.org/2000/svg '
contains plain.html '<strong>No pictures:</strong> gnuplot is not installed'
equal "$(grep -c '<svg' plain.html)" 0
[ "$(grep -c '<details open>' plain.html)" -ge 4 ] || die 'tables are closed'

# a picture says what --where chose, not the condition by which the page takes its sets
"$IOSWEEP" report a.db -o asked.html --where 'bs > 0'
contains asked.html 'where bs &gt; 0'
lacks asked.html 'coalesce('
rm asked.html
# where it goes: beside the database, into a directory, never over what is not a report
expect_exit 0 "$IOSWEEP" report a.db
contains err 'report: a.html'
mkdir d
expect_exit 0 "$IOSWEEP" report a.db -o d
cmp a.html d/a.html || die 'it is not the same each time'
ln -s own.html own.html
cp a.db own.db
expect_exit 2 "$IOSWEEP" report own.db
contains err 'own.html is no report'
rm own.html
echo mine >a.html
expect_exit 2 "$IOSWEEP" report a.db
contains err 'a.html is no report, and is not overwritten without -o'
equal "$(cat a.html)" mine
expect_exit 2 "$IOSWEEP" report a.db -o a.db
expect_exit 6 "$IOSWEEP" report a.db -o nowhere/a.html
expect_exit 3 "$IOSWEEP" report plain.html -o b.html
expect_exit 2 "$IOSWEEP" report a.db --where '1 >' -o b.html
expect_exit 2 "$IOSWEEP" report
[ ! -e b.html ] || die 'a page of nothing'
equal "$(find . "$TMPDIR" -maxdepth 1 -newer a.db \( -name '*.new-*' -o -name 'iosweep.??????*' \))" '' 'left behind'

# a part of it, and nothing of it
expect_exit 0 "$IOSWEEP" report a.db --where "rw = 'randread' and bs < 65536" -o -
island data-rows out | jq -e '.rows == 12' >/dev/null || die 'not the rows asked for'
contains out 'Only the rows that match <code>rw = &#39;randread&#39; and bs &lt; 65536</code>'
expect_exit 0 "$IOSWEEP" report a.db --where 'bs = 1' -o -
page out 'http://www.w3.org/2000/svg '
contains out 'No run that is ok matches.'
