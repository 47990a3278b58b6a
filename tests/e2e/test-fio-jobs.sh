# Combinations become jobs of fio, and job files of fio become sweeps that run.
. "$(dirname "$0")/functions.sh"
requires sqlite3

# What a database ran, as jobs; read back they are the same sweep.
"$IOSWEEP" run -q --db a.db --set filename=t.bin --set size=1m --set rw=randread,write --set numjobs=2 --set direct=0 \
	--set ioengine=psync --set bs=4k,16k --set runtime=50ms --set keep=true
"$IOSWEEP" export a.db --format fio-job -o a.fio
equal "$(grep -c '^\[' a.fio)" 4
equal "$(grep -c '^stonewall=1' a.fio)" 3
contains a.fio "; file names are relative to $PWD"
"$IOSWEEP" import-job a.fio -o again.json 2>/dev/null
"$IOSWEEP" run -q again.json --db b.db
for db in a b; do db $db.db 'select combination from results order by 1' >$db.keys; done
cmp a.keys b.keys || die 'other combinations came back'

expect_exit 0 "$IOSWEEP" export a.db --format fio-job --run 2
equal "$(grep -c '^\[' out)" 1
contains out "[$(db a.db 'select label from results where run = 2')]"
expect_exit 0 "$IOSWEEP" export a.db --format fio-job --where "rw = 'write'"
equal "$(grep -c '^rw=write' out)" 2
expect_exit 2 "$IOSWEEP" export a.db --format fio-job --run two
id=$(db a.db 'select combination from results where run = 2')
expect_exit 0 "$IOSWEEP" export a.db --format fio-job --run "$id"
equal "$(grep -c '^\[' out)" 1
contains out "[$(db a.db 'select label from results where run = 2')]"
expect_exit 2 "$IOSWEEP" export a.db --format fio-job --run "${id}0"
contains err 'c and 12 hex digits'
echo kept >kept.fio
for none in '--where run=99' '--run 99' '--run c000000000000' "--run $id --where run=1"; do
	for o in '' '-o kept.fio'; do
		# shellcheck disable=SC2086 # words
		expect_exit 2 "$IOSWEEP" export a.db --format fio-job $none $o
		contains err 'no run to write as a job'
		equal "$(wc -c <out)" 0
	done
done
equal "$(cat kept.fio)" kept
expect_exit 2 "$IOSWEEP" export a.db --format fio-job --wide
expect_exit 0 "$IOSWEEP" export a.db --run 2
equal "$(wc -l <out)" 2

# What fio ran comes back with all that its document says, and what iosweep cannot do stops an import of it.
cat >doc.json <<'EOF'
{ "fio version": "fio-3.33", "global options": { "ioengine": "mmap", "size": "64k", "bs": "4k" }, "jobs": [
  { "jobname": "plain", "job options": { "name": "plain", "rw": "read", "filename": "x\\:y", "runtime": "1", "bs": "8k", "size": "100%%",
      "stonewall": "1", "iosweep_note": "no option" }, "read": { "total_ios": 1, "io_bytes": 8192, "runtime": 1000 } },
  { "jobname": "checked", "job options": { "rw": "write", "verify": "crc32c", "time_based": "1", "exitall": "" },
    "write": { "total_ios": 1, "io_bytes": 4096, "runtime": 1000 } },
  { "jobname": "two\nlines", "job options": { "rw": "read", "exec_prerun": "a\nb" }, "read": { "total_ios": 1, "runtime": 1 } },
  { "jobname": "file", "job options": { "rw": "read", "include /etc/passwd": "" }, "read": { "total_ios": 1, "runtime": 1 } },
  { "jobname": "section", "job options": { "rw": "read", "[global]": "" }, "read": { "total_ios": 1, "runtime": 1 } } ] }
EOF
"$IOSWEEP" import doc.json --db doc.db 2>/dev/null
"$IOSWEEP" export doc.db --format fio-job -o doc.fio
cat >want <<'EOF'

[plain]
; time_based: taken to be so, for documents leave flags without a value out
ioengine=mmap
size=100%
bs=8k
rw=read
filename=x\:y
runtime=1
time_based=1

[checked]
stonewall=1
ioengine=mmap
size=64k
bs=4k
rw=write
verify=crc32c
time_based=1
exitall

; two?lines: 'exec_prerun=a?b': a job file has plain text alone

; file: 'include /etc/passwd' is no option of fio

; section: '[global]' is no option of fio
EOF
contains doc.fio 'what fio ran, by its documents'
sed 1d doc.fio | cmp - want || { diff doc.fio want; die 'other options than those of the document'; }
expect_exit 3 "$IOSWEEP" import-job doc.fio
contains err 'verify'

# A document of a job that iosweep wrote is the same sweep, too, with all of its targets.
"$IOSWEEP" export a.db --format fio-json -o a.documents
"$IOSWEEP" run -q --db two.db --set filename='[["t.bin", "u.bin"]]' --set size=1m --set rw=randread --set direct=0 --set ioengine=psync \
	--set runtime=50ms --set keep=true
"$IOSWEEP" export two.db --format fio-json -o two.documents
for db in a two; do
	"$IOSWEEP" import $db.documents --db $db.read.db 2>/dev/null
	"$IOSWEEP" export $db.read.db --format fio-job -o $db.read.fio
	"$IOSWEEP" export $db.db --format fio-job | sed 1,2d | sort >$db.want
	sed 1d $db.read.fio | sort | cmp - $db.want || { cat $db.read.fio; die "$db: another job came back"; }
done

# A name that fio would take for [global].
cat >global.json <<EOF
{ "filename": "g.bin", "size": "64k", "rw": "read", "ioengine": "psync", "direct": false, "runtime": "50ms", "keep": true,
  "include": [{ "name": "global", "bs": "4k" }, { "name": "global-16k", "bs": "16k" }] }
EOF
"$IOSWEEP" run -q global.json --db g.db
"$IOSWEEP" export g.db --format fio-job -o g.fio
"$IOSWEEP" import-job g.fio -o g.json 2>/dev/null
"$IOSWEEP" run -q g.json --db h.db
for db in g h; do db $db.db 'select combination from results order by 1' >$db.keys; done
cmp g.keys h.keys || die 'other combinations came back'
if command -v fio >/dev/null; then
	equal "$(fio g.fio --output-format=terse | grep -c '^3;')" 2
fi

if command -v fio >/dev/null; then
	"$IOSWEEP" export a.db --format fio-job --run 1 | fio - --output-format=json --output=fio.json
	[ -s fio.json ] || die 'fio took no job'
fi
