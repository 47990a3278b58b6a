# tests/e2e/guard-matrix.sh: sourced after functions.sh by the parts of the guard matrix: states of devices and files, one
# line each, and what a sweep that would write to them must do.
states=0
# state NAME EXIT WORDS VICTIM argument...: run with these arguments. EXIT 0: it writes to VICTIM (a file, or the file behind a
# device); 4 or 5: refused with WORDS, and not a byte of VICTIM changes. `-`: no victim, or no words.
state() {
	name=$1 want=$2 words=$3 victim=$4; shift 4
	states=$((states + 1))
	rm -f r.db r.csv
	before=$(digest "$victim")
	rc=0
	"$IOSWEEP" run --set rw=randwrite --set ioengine=psync --set direct=0 --set ramp_time=0 --set runtime=20ms --set size=64k \
		--db r.db "$@" >out 2>err || rc=$?
	[ "$rc" -eq "$want" ] || { cat out err >&2; die "$name: exit $rc, not $want"; }
	[ "$words" = - ] || grep -qF -- "$words" err || { cat err >&2; die "$name: not said: $words"; }
	after=$(digest "$victim")
	if [ "$want" -eq 0 ]; then
		[ "$victim" = - ] || [ "$before" != "$after" ] || die "$name: nothing was written"
		equal "$(db r.db "select count(*) from event where code = 'guard' and text like '%: refused: %'")" 0 "$name"
	else
		equal "$before" "$after" "$name: the victim changed"
		[ ! -e r.db ] || die "$name: a refused sweep made a database"
	fi
}
digest() {
	[ "$1" != - ] || return 0
	sync -f "$1" 2>/dev/null || true
	sha256sum <"$1"
}
# background command...: ended with the test
background() {
	"$@" &
	pid=$!
	cleanup_fn "kill $pid 2>/dev/null; wait $pid 2>/dev/null"
}
stop() { kill "$1"; wait "$1" 2>/dev/null || true; }
# loop_over FILE [option...]: a new loop device in $loop, detached with the test
loop_over() {
	file=$1; shift
	loop=$(losetup -f --show "$@" "$file") || skip "no loop device"
	cleanup_fn "losetup -d $loop 2>/dev/null"
}
# image NAME [SIZE]: data that is no file system
image() { head -c "${2:-2M}" /dev/urandom >"$1"; }
