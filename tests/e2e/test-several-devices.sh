# Several block devices at once (loops over files of this test): every guard for every one of them, before the first byte;
# their counters together; each held, and known again by resume.
. "$(dirname "$0")/functions.sh"
. "$here/guard-matrix.sh"
requires sqlite3
requires losetup
requires mkfs.ext4
requires_root

image a.img 16M
image b.img 16M
loop_over a.img; first=$loop
loop_over b.img; second=$loop
both="[[\"$first\",\"$second\"]]"
text="[\"$first\",\"$second\"]"
sums() { sync; cat a.img b.img | sha256sum; }
sweep() {
	"$IOSWEEP" run --set filename="$both" --set ioengine=psync --set ramp_time=0 --set bs=64k "$@" --db r.db
}
untouched() {
	equal "$(sums)" "$before" "$1"
	[ ! -e r.db ] || die "$1: a refused sweep made a database"
}

# permission for one is no permission for the other, whichever it is
before=$(sums)
expect_exit 4 sweep --set rw=randwrite --set runtime=50ms
contains err "--destroy $first --destroy $second"
untouched "neither"
expect_exit 4 sweep --set rw=randwrite --set runtime=50ms --destroy "$first"
contains err "  $second: "
lacks err "  $first: "
untouched "the first"
expect_exit 4 sweep --set rw=randwrite --set runtime=50ms --destroy "$second"
contains err "  $first: "
untouched "the second"

# so is a mounted one, and one with a file system
mkfs.ext4 -q -F "$second"
before=$(sums)
expect_exit 4 sweep --set rw=randwrite --set runtime=50ms --destroy "$first" --destroy "$second"
contains err "ext4"
untouched "a file system"
mkdir mnt
mount "$second" mnt
cleanup_fn "umount $scratch/mnt 2>/dev/null"
before=$(sums)
expect_exit 4 sweep --set rw=randwrite --set runtime=50ms --destroy "$first" --destroy "$second" --overwrite-signature=ext4
contains err "mounted"
umount mnt
before=$(sums)
expect_exit 4 sweep --set rw=randread --set runtime=50ms --set fill=true --destroy "$first"
untouched "a fill"
# what the refusal prints is accepted: the whole of each is written, and all of it counted, by both
expect_exit 0 sweep --set rw=write --set benchmark_type=size --destroy "$first" --destroy "$second" --overwrite-signature=ext4
equal "$(db r.db "select bytes, passes, depth_total from results")" "33554432|1.0|2"
equal "$(db r.db "select group_concat(filename || ' ' || bytes) from (select * from target_result where op = 1 order by target)")" \
	"$first 16777216,$second 16777216"
equal "$(db r.db "select device_write_bytes between 33554432 and 34603008 from results where device_write_bytes is not null")" \
	"$(db r.db "select 1 from results where device_write_bytes is not null")"
equal "$(db r.db "select count(*) from event where code = 'guard' and text like '%refused%'")" 0
rm r.db r.csv

# both are held while it runs: neither can be taken by another sweep, or mounted
"$IOSWEEP" run --set filename="$both" --set ioengine=psync --set ramp_time=0 --set rw=randwrite --set runtime=800ms --set bs=4k,8k \
	--destroy "$first" --destroy "$second" --db r.db >out 2>err &
pid=$!
eventually attempts r.db running 1
for one in "$first" "$second"; do
	rc=0
	"$IOSWEEP" run --set filename="$one" --set rw=randwrite --set runtime=50ms --set ramp_time=0 --destroy "$one" --db other.db >out2 2>err2 || rc=$?
	equal $rc 4 "$one is taken: $(cat err2)"
done
kill -KILL $pid
wait $pid 2>/dev/null || :
expect_exit 4 "$IOSWEEP" resume r.db --destroy "$first"
contains err "  $second: "
expect_exit 0 "$IOSWEEP" resume r.db --destroy "$first" --destroy "$second"
equal "$(db r.db "select count(*), count(distinct combination) from results where status = 'ok'")" "2|2"
equal "$(db r.db "select count(*) from (select 1 from target_result t join result r on r.run_id = t.run_id and r.op = t.op group by t.run_id, t.op having sum(t.ios) <> r.ios or sum(t.bytes) <> r.bytes)")" 0
# their counters are sums
equal "$(db r.db "select count(*) from results where device_write_bytes < 0.9 * bytes or device_util_pct > 100.5")" 0
rm r.db r.csv

# another device in the place of the second is not written to
"$IOSWEEP" run --set filename="$both" --set ioengine=psync --set ramp_time=0 --set rw=randwrite --set runtime=2 --set bs=4k,8k \
	--destroy "$first" --destroy "$second" --db r.db >out 2>err &
pid=$!
eventually attempts r.db running 1
kill -TERM $pid
wait $pid || equal $? 143
losetup -d "$second"
image c.img 16M
losetup "$second" c.img
theirs=$(digest c.img)
expect_exit 4 "$IOSWEEP" resume r.db --destroy "$first" --destroy "$second"
contains err "$second: is another device"
equal "$(digest c.img)" "$theirs"
lacks err "  $first: "
equal "$(db r.db "select count(distinct filename) from combination where filename = '$text'")" 1
