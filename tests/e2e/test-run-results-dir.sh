# The directory of the results: names that somebody planted are not followed or replaced, and root keeps out of places where
# any user could change what it wrote.
. "$(dirname "$0")/functions.sh"
requires sqlite3

sweep() {
	want=$1; shift
	expect_exit "$want" "$IOSWEEP" run --set filename=x --set size=64k --set ioengine=null --set rw=read --set runtime=5ms --set ramp_time=0 "$@"
}
echo precious >victim
check() { equal "$(cat victim)" precious "$1"; equal "$(stat -c %h victim)" "${2:-1}" "$1"; }

for name in r.db r.csv r.db-wal r.db-shm r.db-journal; do
	for how in 'ln -s victim' 'ln victim' 'ln -s nowhere' 'mkfifo' 'mkdir'; do
		case $how in
		mk*) $how $name ;;
		*) $how $name ;;
		esac
		sweep 2 --db r.db
		contains err "$name exists"
		equal "$(cat victim)" precious "$how $name"
		[ ! -e nowhere ] || die "a dangling link was followed: $name"
		rm -rf $name
		[ ! -e r.db ] && [ ! -e r.csv ] || die "left behind: $how $name"
	done
done
check "all planted names"
# the temporary name beside it cannot be known before, but may be taken
ln -s victim r.db.new-1
sweep 0 --db r.db
check "a temporary name"
[ ! -L r.db ] && [ ! -L r.csv ] || die "the results are links"

# a CSV that becomes a link while the sweep runs gets no line through it
rm -f r.db r.csv
"$IOSWEEP" run --set filename=x --set size=64k --set ioengine=null --set rw=read --set ramp_time=0 --set runtime=400ms --set bs=4k,8k,16k \
	--db r.db >out 2>err &
pid=$!
eventually attempts r.db ok 1
rm r.csv
ln -s victim r.csv
wait $pid || true
check "the CSV became a link"

[ "$(id -u)" -eq 0 ] || { echo "not root: the rest is for root"; exit 0; }
refused() { # DIRECTORY arguments: refused, naming it
	dir=$1; shift
	sweep 4 "$@"
	contains err "$dir"
	contains err "this runs as root"
	contains err "--out"
}
mkdir open && chmod 777 open
refused "$scratch/open is writable by every user" --db open/r.db
refused "$scratch/open is writable by every user" --out open
refused "$scratch/open is writable by every user" --db c.db --csv open/r.csv
mkdir open/inner
refused "$scratch/open is writable by every user" --db open/inner/r.db
ln -s open link
refused "$scratch/open is writable by every user" --db link/r.db
equal "$(find open -type f | wc -l)" 0
# sticky: only what is root's own in it
chmod 1777 open
sweep 0 --db open/r.db
mkdir open/theirs
chown 65534 open/theirs
refused "$scratch/open/theirs belongs to another user" --out open/theirs
SUDO_UID=65534 sweep 0 --out open/theirs
mkdir group theirs
chown 65534 theirs
refused "$scratch/theirs belongs to another user" --db theirs/r.db
equal "$(ls theirs)" ""
chgrp 65534 group
chmod 775 group
refused "$scratch/group is writable by a group" --db group/r.db
equal "$(ls group)" ""
SUDO_GID=65534 sweep 0 --db group/r.db
mkdir elsewhere
ln -s ../elsewhere open/planted
chown -h 65534 open/planted
refused "$scratch/open/planted lies where every user may write, and is another's" --out open/planted
equal "$(ls elsewhere)" ""
sweep 0 --out open/inner
chmod 777 open
sqlite3 open/r.db "update sweep set state = 'interrupted'"
expect_exit 4 "$IOSWEEP" resume open/r.db
contains err "$scratch/open is writable by every user"
# whatever the umask, nobody else can write to what root leaves
(umask 0 && sweep 0 --out made)
equal "$(find made -perm /022 | wc -l)" 0
