# Guard matrix, what changes: a device or its name between two calls of a sweep, or while it runs.
# alone
. "$(dirname "$0")/functions.sh"
. "$here/guard-matrix.sh"
requires sqlite3
requires losetup
requires_root

image a.img
image b.img
loop_over b.img; other=$loop
loop_over a.img
number=$(stat -c '%Hr:%Lr' "$loop")
mkdir by-id
ln -s by-id/ata-DISK_1234 chain
mknod node b "${number%:*}" "${number#*:}"
head -c 1 node >/dev/null 2>&1 || rm node # a file system mounted nodev

# a sweep that goes on asks again: permission, identity, signatures; what was refused is in its database
rm -f r.db r.csv
"$IOSWEEP" run --set filename="$loop" --set rw=randwrite --set ioengine=psync --set direct=0 --set ramp_time=0 --set runtime=400ms,60 \
	--set size=64k --destroy "$loop" --db r.db >out 2>err &
pid=$!
eventually attempts r.db ok 1
kill -TERM $pid
wait $pid || equal $? 143
# resume WORDS argument...
resume() {
	words=$1; shift
	states=$((states + 1))
	mine=$(digest a.img)
	expect_exit 4 "$IOSWEEP" resume r.db "$@"
	contains err "$words"
	equal "$(digest a.img)" "$mine" "resume: the victim changed"
	[ "$(db r.db "select count(*) from event where code = 'guard' and level = 'error'")" -gt "${refusals:-0}" ] || die "no event of: $words"
	refusals=$(db r.db "select count(*) from event where code = 'guard' and level = 'error'")
}
resume "all data on this device would be lost"
expect_exit 2 "$IOSWEEP" resume r.db --destroy "$other"
if mkswap "$loop" >/dev/null 2>&1; then
	resume "signature of type swap" --destroy "$loop"
	"$IOSWEEP" show --json r.db >shown
	contains shown "signature of type swap"
	head -c 8k /dev/urandom >"$loop"
fi
for what in serial wwn; do
	sqlite3 r.db "update target set $what = 'S1234'"
	resume "is another device: serial '', WWN ''; this sweep began on serial '$([ $what = wwn ] || echo S1234)', WWN '$([ $what = serial ] || echo S1234)'" \
		--destroy "$loop"
	contains err "a sweep goes on where it began"
	sqlite3 r.db "update target set $what = ''"
done
# another file of the same size behind the same device, and another device of the same size behind the same name
losetup -d "$loop"
head -c 2M /dev/urandom >c.img
theirs=$(digest c.img)
losetup "$loop" c.img
resume "$scratch/c.img (inode $(stat -c %i c.img)); this sweep began on $number over $scratch/a.img (inode $(stat -c %i a.img))" --destroy "$loop"
equal "$(digest c.img)" "$theirs" "the file that took the loop device was written to"
losetup -d "$loop"
losetup "$loop" a.img
losetup -d "$loop"
truncate -s 3M a.img
losetup "$loop" a.img
resume "its size is 3145728 bytes; it was 2097152 when this sweep began" --destroy "$loop"
losetup -d "$loop"
truncate -s 2M a.img
losetup "$loop" a.img

# what a device number means may change while a sweep runs: the device is held, and nothing else is written
if [ -e node ]; then
	cp -a node swapped
	rm -f r.db r.csv race.db race.csv
	mine=$(digest a.img)
	theirs=$(digest b.img)
	"$IOSWEEP" run --set filename=swapped --set rw=randwrite --set ioengine=psync --set direct=0 --set ramp_time=0 \
		--set runtime=700ms --set size=64k --set bs=4k,8k --destroy "$loop" --db race.db >out 2>err &
	pid=$!
	b=$(stat -c '%Hr %Lr' "$other")
	# shellcheck disable=SC2086 # two numbers
	mknod next b $b
	eventually attempts race.db running 1
	sleep 0.2 # it is open by now, or else that run fails, too
	mv next swapped
	rc=0
	wait $pid || rc=$?
	states=$((states + 1))
	equal $rc 1 "$(cat err)"
	equal "$(digest b.img)" "$theirs" "the device that took the name was written to"
	[ "$(digest a.img)" != "$mine" ] || die "the device that was named was not written to"
	equal "$(db race.db "select count(*) filter (where status = 'failed' and error like '%is another device (%') between 1 and 2 from results")" 1 \
		"$(db race.db "select status, error from results")"
fi
ln -sfn "$loop" by-id/ata-DISK_1234
rm -f race.db race.csv
theirs=$(digest b.img)
"$IOSWEEP" run --set filename=chain --set rw=randwrite --set ioengine=psync --set direct=0 --set ramp_time=0 \
	--set runtime=700ms --set size=64k --set bs=4k,8k --destroy "$loop" --db race.db >out 2>err &
pid=$!
eventually attempts race.db running 0
eventually test -e race.csv
ln -sfn "$other" by-id/ata-DISK_1234
wait $pid || die "a link that is changed while the sweep runs changes nothing: $(cat err)"
states=$((states + 1))
equal "$(digest b.img)" "$theirs" "the device that took the link was written to"
rm race.db race.csv
echo "$states states"
