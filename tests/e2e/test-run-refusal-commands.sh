# Every command that a refusal prints is accepted as it stands; where none would be, none is printed.
. "$(dirname "$0")/functions.sh"
requires sqlite3
PATH=$(dirname "$IOSWEEP"):$PATH

set -- --set ioengine=psync --set direct=0 --set ramp_time=0 --set runtime=20ms --db r.db
# refused N command...: it is, with N commands to choose from, each of which works
refused() {
	n=$1; shift
	expect_exit 4 "$@"
	grep '^  iosweep ' err >commands || true
	equal "$(wc -l <commands)" "$n" "$(cat err)"
	while read -r line; do
		rm -f r.db r.csv
		[ ! -e before.db ] || cp before.db r.db
		sh -c "$line" >said 2>&1 </dev/null || { cat said >&2; die "not accepted: $line"; }
	done <commands
	rm -f r.db r.csv
}
run="$IOSWEEP run"
head -c 128k /dev/urandom >f.dat
refused 2 $run --set filename=f.dat --set rw=randwrite,read "$@"
contains commands "--set rw=read"
refused 2 $run --set filename=f.dat --set rw=randwrite --set size=1m "$@"
contains commands "--set size=100%"
refused 1 $run --set filename=f.dat --set rw=read --set size=1m "$@"
refused 2 $run --set 'filename=["f.dat","new.dat"]' --set rw=write --set size=1m "$@"
contains commands "--set size=128k"
# a name that a shell would take apart
cp f.dat "it's \$HOME.dat"
refused 2 $run --set "filename=it's \$HOME.dat" --set rw=write "$@"
# writing is asked for where rw= does not reach; no block fits
echo '{"filename":"f.dat","rw":"read","include":[{"rw":"write"}]}' >include.json
refused 1 $run include.json "$@"
refused 0 $run --set filename=f.dat --set rw=write --set bs=256k --set size=1m "$@"
contains err "No option overrides all of the above"

[ "$(id -u)" -eq 0 ] && command -v losetup >/dev/null && command -v mkfs.ext4 >/dev/null || exit 0
truncate -s 8M a.img
loop=$(losetup -f --show a.img) || exit 0
cleanup_fn "losetup -d $loop"
mkfs.ext4 -q "$loop"
set -- --set filename="$loop" "$@"
refused 2 $run --set rw=write "$@"
mkfs.ext4 -q -F "$loop"
refused 2 $run --set rw=write "$@" --destroy "$loop"
contains commands "--overwrite-signature ext4"

# a sweep that goes on takes permissions, but no --set
mkfs.ext4 -q -F "$loop"
"$IOSWEEP" run --set rw=write --set bs=4k,8k,16k "$@" --set runtime=1 --destroy "$loop" --overwrite-signature=ext4 >out 2>err &
pid=$!
started() { [ -e r.db ] && [ "$(db r.db "select count(*) from run where status = 'ok'")" -ge 1 ]; }
eventually started
kill -TERM $pid
wait $pid || equal $? 143
mkfs.ext4 -q -F "$loop"
cp r.db before.db
refused 1 "$IOSWEEP" resume r.db
contains commands "--overwrite-signature ext4"
lacks commands "--set"
