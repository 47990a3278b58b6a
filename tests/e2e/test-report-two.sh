#!/bin/sh
# A page of two sweeps, of a sweep with several conditions, of one that is not done, and of files that were tampered with.
. "$(dirname "$0")/functions.sh"
requires sqlite3
. "$here/reports.sh"
make_reports
expect_exit 0 "$IOSWEEP" report a.db --compare b.db -o two.html
contains two.html '<h1>a against b</h1>'
contains two.html '<section id="compared">'
contains two.html '<li>filename is not compared: &lt;img src=x onerror=alert(1)&gt;'
contains two.html '<p class="deep">bs 4k: 6 cells, -' # those without doubt, of the slower device
contains two.html '<caption>Changed cells, the largest first: '
contains two.html '<h3>A: a.db</h3>'
contains two.html '<h3>B: b.db</h3>'
contains two.html '{"n":"side","t":1,"s":1,"d":["A","B"]'
contains two.html '{"rows":108,'
contains two.html '"A1":{"read"'
contains two.html '"B1":{'
# nothing in common, or no sweep: no page
expect_exit 5 "$IOSWEEP" report a.db --compare b.db --where 'bs = 16384' -o none.html # all in doubt
contains err 'not comparable: no cell is in both'
expect_exit 3 "$IOSWEEP" report a.db --compare slow.json -o none.html
[ ! -e none.html ] || die 'a page of nothing'

# each target and way of access has its charts, and page cache and device are never mixed
if command -v gnuplot >/dev/null; then
	"$IOSWEEP" run -q --db c.db --set name=c --set ioengine=null --set 'filename=["x","y"]' --set rw=randread,randrw --set rwmixread=30,70 \
		--set direct=0,1 --set size=1m --set bs=4k,8k --set runtime=20ms --set ramp_time=0
	expect_exit 0 "$IOSWEEP" report c.db -o c.html
	equal "$(grep -c '<h4>no I/O, filename [xy], direct [01], rwmixread ' c.html)" 8
	contains c.html '<p>4 more conditions have no charts here'
fi

# stopped, and skipped: said before any answer
"$IOSWEEP" run -q --db d.db --set name=d --set 'filename=["/nonexistent/x","t.bin"]' --set size=1m --set rw=read --set runtime=100ms \
	--set ramp_time=0 --set direct=0 || [ $? -eq 1 ]
sqlite3 d.db "update sweep set state = 'interrupted'; update sweep set planned_runs = 5"
expect_exit 0 "$IOSWEEP" report d.db -o d.html
contains d.html '; the sweep is stopped.</p>'
contains d.html 'stopped: 2 of 5 runs done, 1 ok, 1 skipped'
contains d.html '<li>1 skipped: no such directory: /nonexistent (run 1)</li>'

# a received file: facts that are no JSON, texts and states of its own
sqlite3 d.db "pragma ignore_check_constraints = on; update environment set facts = '{\"kernel\":\"<u>6</u>\",\"a<u>\":1,\"deep\":{\"x\":[1]}}';
	update sweep set state = '<u>done</u>', name = 'n</title><u>'; update result set op = 9; update run set error = 'e<u>' || char(27), effective = '<u>'"
expect_exit 0 "$IOSWEEP" report d.db -o e.html
lacks e.html '<u>'
contains e.html '&lt;u&gt;6&lt;/u&gt;'
sqlite3 d.db "update environment set facts = 'no JSON <u>'; delete from target; delete from combination"
"$IOSWEEP" report d.db -o f.html || [ $? -eq 3 ]
[ ! -e f.html ] || lacks f.html '<u>'
