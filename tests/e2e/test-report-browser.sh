#!/bin/sh
# A report in a browser, as its reader uses it (report.py); the long form, for Chromium takes its time.
. "$(dirname "$0")/functions.sh"
[ "${IOSWEEP_FULL:-}" = 1 ] || skip "long form only"
requires gnuplot
requires sqlite3
requires chromium
requires chromedriver
python3 -c 'import json, urllib.request' 2>/dev/null || skip "needs Python's library"
. "$here/reports.sh"
make_reports
cp a.db big.db
grow big.db 11
[ "$(db big.db 'select count(*) from results')" -ge 100000 ] || die 'not enough rows'
"$IOSWEEP" report a.db -o a.html
"$IOSWEEP" report b.db --compare a.db -o both.html
"$IOSWEEP" report big.db -o big.html
PYTHONDONTWRITEBYTECODE=1 python3 "$here/report.py" "$hostile" "$device" "$PWD/a.html" "$PWD/both.html" "$PWD/big.html"
