# A file system that counts no blocks does not say what is free: it is not taken for full.
. "$(dirname "$0")/functions.sh"
requires_root
mkdir mnt
mount -t ramfs ramfs mnt 2>/dev/null || skip "cannot mount ramfs"
cleanup_fn 'umount "$scratch/mnt"'
set -- --set filename=mnt/t.dat --set size=64k --set rw=randrw --set ioengine=psync --set direct=0 --set benchmark_type=size
expect_exit 0 "$IOSWEEP" run "$@" --db mnt/r.db
contains err "1/1 "
lacks err "may not fit"
