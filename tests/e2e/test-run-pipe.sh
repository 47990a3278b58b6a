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

# more than stdio holds back, so that a write fails before the last one: the reader of a run may be gone, a full disk is said
many='--set ioengine=null --set filename=x --set size=1g --set rw=randread,randwrite --set bs=4k,8k,16k,32k,64k,128k,256k,512k,1m --set iodepth=1,2,4,8,16,32,64 --set numjobs=1,2,4'
# shellcheck disable=SC2086 # words
[ "$("$IOSWEEP" plan --list $many | wc -c)" -gt 8192 ] || die 'too short'
# shellcheck disable=SC2086
expect_exit 6 sh -c '"$IOSWEEP" "$@" >/dev/full' sh plan --list $many
contains err 'stdout: '
rm code
sweep --db c.db --set iodepth=1,2,4,8,16,32,64,128 --set runtime=2ms --set size=1g 2>c.err | true
eventually test -s code
equal "$(cat code)" 0 "$(tail -n 1 c.err)"
