# cross-check.sh: runs of a sweep again in fio, beside each other; what is not the sweep's stays as it is.
. "$(dirname "$0")/functions.sh"
requires fio
requires jq
requires sqlite3
check() { "$root/scripts/cross-check.sh" "$@"; }
export IOSWEEP

"$IOSWEEP" run -q --db a.db --set filename=gone.bin --set size=1m --set rw=randread,write --set direct=0 --set ioengine=psync \
	--set bs=4k,16k --set runtime=50ms
[ ! -e gone.bin ] || die 'the file of the sweep is left'
mkdir elsewhere
(cd elsewhere && expect_exit 0 check ../a.db && mv out ../out) || die 'it failed'
equal "$(grep -c 'randread_.* read ' out)" 2
equal "$(grep -c 'write_.* write ' out)" 2
grep -q 'of 4 within 5 %' out || die 'no last line'
[ ! -e gone.bin ] || die 'what it made is left'

# The same seed takes the same runs.
for k in 1 2; do check --seed 7 a.db 2 | awk '$1 ~ /^[0-9]+$/ && $2 != "of" { print $1 }' >chosen.$k; done
equal "$(sort -u chosen.1 | wc -l)" 2
cmp chosen.1 chosen.2 || die 'another choice'

# A file that shrank would be replaced by fio, and one of others is not written to.
head -c 1048576 /dev/urandom >theirs.bin
"$IOSWEEP" run -q --db b.db --set filename=theirs.bin --set rw=randread,write --set direct=0 --set ioengine=psync --set bs=4k \
	--set runtime=50ms --set may_overwrite=theirs.bin
cp theirs.bin kept
expect_exit 0 check b.db
contains out 'not run: it writes to theirs.bin (permitted by --write)'
cmp theirs.bin kept || die 'it was written to'
expect_exit 0 check --write b.db
lacks out 'not run'
! cmp -s theirs.bin kept || die 'it was not written to'
truncate -s 64k theirs.bin
expect_exit 0 check --write b.db
equal "$(grep -c 'theirs.bin is smaller than the job needs' out)" 2
equal "$(stat -c %s theirs.bin)" 65536

# the sum of several targets is no job of fio, and none of them is written to
truncate -s 1m one.bin two.bin
"$IOSWEEP" run -q --db d.db --set 'filename=[["one.bin","two.bin"]]' --set may_overwrite=one.bin,two.bin --set rw=write --set direct=0 \
	--set ioengine=psync --set runtime=50ms
echo theirs >one.bin
echo theirs >two.bin
expect_exit 0 check --write d.db
contains out 'not run: several targets at once'
equal "$(cat one.bin two.bin)" 'theirs
theirs'

if [ "$(id -u)" -eq 0 ] && truncate -s 4m image && loop=$(losetup -f --show image); then
	cleanup_fn "losetup -d $loop"
	"$IOSWEEP" run -q --db c.db --destroy "$loop" --set filename="$loop" --set rw=write --set direct=0 --set ioengine=psync \
		--set runtime=50ms
	expect_exit 0 check --write c.db
	contains out 'not run: it writes to a device'
fi
expect_exit 2 check
expect_exit 2 check a.db x
