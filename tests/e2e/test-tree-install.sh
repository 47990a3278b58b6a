# alone
# make install puts program, charts, configs and documents under DESTDIR and PREFIX; make uninstall leaves nothing.
. "$(dirname "$0")/functions.sh"
requires make
unset MAKEFLAGS MAKELEVEL
dest="$scratch/dest dir"
mkdir "$dest"
quiet_make() { make -C "$root" --no-print-directory "$@" >log 2>&1 || { cat log; die "make $*"; }; }
for prefix in /usr /opt/io/sweep; do
	quiet_make install DESTDIR="$dest" PREFIX=$prefix
	for f in bin/iosweep share/iosweep/scripts/summary-vs-bs.gp share/iosweep/scripts/rows.gp share/iosweep/scripts/rows.awk share/iosweep/configs/demo.json share/iosweep/configs/sim/nvme.json \
		share/doc/iosweep/README.md share/doc/iosweep/LICENSE; do
		[ -f "$dest$prefix/$f" ] || die "not installed: $prefix/$f"
	done
	"$dest$prefix/bin/iosweep" --version >out
	quiet_make uninstall DESTDIR="$dest" PREFIX=$prefix
	equal "$(find "$dest" -mindepth 1)" '' "left by uninstall from $prefix"
	[ -d "$dest" ] || die 'uninstall removed DESTDIR itself'
done
# what others put there stays
mkdir -p "$dest/usr/bin"
: >"$dest/usr/bin/other"
quiet_make install DESTDIR="$dest" PREFIX=/usr
quiet_make uninstall DESTDIR="$dest" PREFIX=/usr
equal "$(find "$dest" -type f)" "$dest/usr/bin/other"
