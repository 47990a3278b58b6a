# A reader of stdout or stderr that goes away early costs no row.
. "$(dirname "$0")/functions.sh"
requires sqlite3

sweep() { "$IOSWEEP" run --set ioengine=null --set filename=x --set size=1m --set rw=randread --set bs=4k,8k,16k,32k,64k,128k,256k,512k,1m \
	--set ramp_time=0 --set runtime=20ms "$@"; echo $? >code; }
sweep --db a.db 2>/dev/null | true
eventually test -s code
equal "$(cat code)" 0 "stdout"
equal "$(db a.db "select count(*) from results where status = 'ok'")" 9
rm code
sweep --db b.db --progress=plain 2>&1 >/dev/null | head -n 1 >first
eventually test -s code
equal "$(cat code)" 0 "stderr"
contains first "results: b.db b.csv"
equal "$(db b.db "select count(*) from results where status = 'ok'")" 9
equal "$(db b.db "select state from sweep")" "done"
