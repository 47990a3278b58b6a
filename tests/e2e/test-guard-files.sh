# Guard matrix, files: those of others, those that are more than a file, and names that change under a sweep.
# alone
. "$(dirname "$0")/functions.sh"
. "$here/guard-matrix.sh"
requires sqlite3
requires python3

image f.dat 1M
may='--set may_overwrite=f.dat'
state "a file of others" 4 "may_overwrite" f.dat --set filename=f.dat
state "named in may_overwrite" 0 - f.dat --set filename=f.dat $may
state "named by its full path" 0 - f.dat --set filename=f.dat --set may_overwrite="$scratch/f.dat"
state "another named" 4 "may_overwrite" f.dat --set filename=f.dat --set may_overwrite=g.dat
state "a device option for a file" 2 "no such block device" f.dat --set filename=f.dat --destroy f.dat
state "only read" 0 - - --set filename=f.dat --set rw=read
state "read beyond its end" 4 "never extended" f.dat --set filename=f.dat --set rw=read --set size=2m
state "written beyond its end" 4 "never extended" f.dat --set filename=f.dat --set size=2m $may
state "filled" 4 "would be written to" f.dat --set filename=f.dat --set rw=read --set fill=true
ln -s f.dat link
state "a link to it" 4 "may_overwrite" f.dat --set filename=link
state "a link to it, the file named" 0 - f.dat --set filename=link $may
state "a link to it, the link named" 0 - f.dat --set filename=link --set may_overwrite=link
ln f.dat second
state "two names" 4 "it has 2 names (hard links)" f.dat --set filename=f.dat $may
rm second
chmod 444 f.dat
[ "$(id -u)" -eq 0 ] || state "no permission" 4 "it cannot be opened for writing" f.dat --set filename=f.dat $may
chmod 644 f.dat

# who has it open
exec 3<f.dat
state "open for reading elsewhere" 0 - f.dat --set filename=f.dat $may
exec 3<&-
background python3 -c 'import time; f = open("f.dat", "r+b"); open("held", "w"); time.sleep(600)'
eventually test -e held
state "open for writing elsewhere" 4 "it is open for writing by python3 (process $pid)" f.dat --set filename=f.dat $may
stop "$pid"
background python3 -c 'import mmap,os,time
f = os.open("f.dat", os.O_RDWR)
m = mmap.mmap(f, 4096)
os.close(f)
os.close(m.__class__ and os.open("held2", os.O_CREAT)) or time.sleep(600)'
eventually test -e held2
# Python keeps a descriptor of its own for a mapping
state "mapped for writing elsewhere" 4 "it is open for writing by" f.dat --set filename=f.dat $may
stop "$pid"
cp "$(command -v sleep)" program
background ./program 600
running() { [ "$(readlink "/proc/$pid/exe")" = "$scratch/program" ]; }
eventually running
state "a running program" 4 "Text file busy" program --set filename=program --set may_overwrite=program
stop "$pid"

# what is no file
mkfifo fifo
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
ln -s nowhere dangling
ln -s loop1 loop2
ln -s loop2 loop1
state "a fifo" 5 "is a fifo" - --set filename=fifo --set may_overwrite=fifo
state "a socket" 5 "is a socket" - --set filename=socket
state "a character device" 5 "is a character device" - --set filename=/dev/null
state "a link to a character device" 5 "character device" - --set filename=/dev/stdin
state "a dangling link" 5 "is a symbolic link to nothing" - --set filename=dangling
[ ! -e nowhere ] || die "a dangling link was followed"
state "a ring of links" 5 "Too many levels of symbolic links" - --set filename=loop1
state "no such directory" 5 "no such directory: $scratch/no/such" - --set filename=no/such/f.dat
[ ! -e no ] || die "a directory was made"
state "a missing device" 5 "no such device" - --set filename=/dev/no-such-disk
state "a file of the kernel" 5 "belongs to the kernel" - --set filename=/proc/self/mem
state "below a file" 5 "no such directory" f.dat --set filename=f.dat/x

# directories
mkdir d
image d/iosweep.0.dat 1M
state "a foreign file in the directory" 4 "was not made by iosweep" d/iosweep.0.dat --set filename=d
rm d/iosweep.0.dat
ln -s ../f.dat d/iosweep.0.dat
state "a link in the directory" 4 "was not made by iosweep" f.dat --set filename=d
rm d/iosweep.0.dat
ln f.dat d/iosweep.0.dat
state "a hard link in the directory" 4 "was not made by iosweep" f.dat --set filename=d
rm d/iosweep.0.dat
state "an empty directory" 0 - - --set filename=d --set keep=true
ln d/iosweep.0.dat kept
if "$IOSWEEP" probe --json kept | jq -e '.targets[0].ours' >/dev/null 2>&1; then
	state "a file of ours with two names" 4 "has other names (hard links)" kept --set filename=d
	state "our file under its other name" 4 "it has 2 names" kept --set filename=kept
fi
rm kept

# names that change while a sweep runs: bs=4k runs, then 8k finds another file
# race NAME TARGET COMMAND: the victim is v.dat
image v.dat 1M
race() {
	rm -f race.db race.csv
	before=$(digest v.dat)
	"$IOSWEEP" run --set filename="$2" --set rw=randwrite --set ioengine=psync --set direct=0 --set ramp_time=0 --set order=listed \
		--set runtime=700ms --set size=64k --set bs=4k,8k --db race.db $4 >out 2>err &
	pid=$!
	eventually attempts race.db running 0
	under_way() { [ "$(db race.db "select count(*) from run")" -ge 1 ]; }
	eventually under_way
	sleep 0.2 # it is open by now
	eval "$3"
	rc=0
	wait $pid || rc=$?
	states=$((states + 1))
	equal $rc 1 "$1: $(cat err)"
	equal "$(digest v.dat)" "$before" "$1: the victim changed"
	equal "$(db race.db "select group_concat(status) from (select status from results order by run)")" "ok,failed" "$1"
}
race "a file becomes a link" f.dat 'mv f.dat was.dat; ln -s v.dat f.dat' "$may"
rm f.dat; mv was.dat f.dat
race "a file becomes another" f.dat 'mv f.dat was.dat; ln v.dat f.dat' "$may"
rm f.dat; mv was.dat f.dat
rm -rf d; mkdir d
race "a file in a directory becomes a link" d 'mv d/iosweep.0.dat d/was; ln -s ../v.dat d/iosweep.0.dat' ''
rm -rf d; mkdir d
race "a file in a directory becomes another" d 'mv d/iosweep.0.dat d/was; cp v.dat d/iosweep.0.dat' ''
rm -rf d; mkdir d e
cp v.dat e/iosweep.0.dat
race "a directory becomes another" d 'mv d was; ln -s e d' ''
rm -rf d was
if [ "$(id -u)" -eq 0 ]; then
	if loop=$(losetup -f --show f.dat 2>/dev/null); then
		cleanup_fn "losetup -d $loop 2>/dev/null"
		state "it backs a loop device" 4 "backs the loop device ${loop#/dev/}: detach that first" f.dat --set filename=f.dat $may
		losetup -d "$loop"
	fi
	head -c 8M /dev/zero >swap
	chmod 600 swap
	if mkswap swap >/dev/null 2>&1 && swapon swap 2>/dev/null; then
		cleanup_fn "swapoff $scratch/swap 2>/dev/null"
		state "a swap file" 4 "it is active swap: swapoff it first" - --set filename=swap --set may_overwrite=swap
		swapoff swap
	fi
	if chattr +i f.dat 2>/dev/null; then
		cleanup_fn "chattr -i $scratch/f.dat 2>/dev/null"
		state "immutable" 4 "cannot be opened for writing" f.dat --set filename=f.dat $may
		chattr -i f.dat
	fi
fi
echo "$states states"
