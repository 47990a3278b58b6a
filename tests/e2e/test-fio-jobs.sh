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
expect_exit 2 "$IOSWEEP" export a.db --format fio-job --wide
expect_exit 0 "$IOSWEEP" export a.db --run 2
equal "$(wc -l <out)" 2

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
