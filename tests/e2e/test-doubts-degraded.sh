#!/bin/sh
# Registered buffers that locked memory has no room for: the run goes on without and its row says so; asked for by name,
# they are granted or nothing runs.
. "$(dirname "$0")/functions.sh"
requires_root
requires setpriv
cp "$IOSWEEP" iosweep
mkdir theirs
chmod 755 . && chown 65534:65534 theirs && chmod 755 iosweep
meagre() { # KIB command...: as a user who may lock so much
	kib=$1; shift
	# shellcheck disable=SC2016 # for the inner shell
	(cd theirs && setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
		sh -c 'ulimit -l "$0" && exec "$@"' "$kib" "$@")
}
meagre 512 ../iosweep probe >probed 2>&1 || true
grep -q 'io_uring *usable' probed || skip 'no io_uring'
sweep() { # NAME KEY=VALUE...
	name=$1; shift
	for pair; do set -- "$@" --set "$pair"; shift; done
	meagre 512 ../iosweep run --db "$name.db" --set name="$name" --set filename=data --set size=16m --set rw=randread \
		--set ioengine=io_uring --set iodepth=8 --set runtime=200ms --set ramp_time=0 --set keep=true "$@"
}
sweep wish bs=1m,4k order=listed repeats=2 2>err >out || [ $? -eq 1 ]
equal "$(grep -c 'warning: .*ulimit -l' err)" 1 'said once'
equal "$(db theirs/wish.db "select count(*) from event where code = 'memlock'")" 1
equal "$(db theirs/wish.db "select count(*) from results where bs = 4096 and ' '||doubts||' ' not like '% degraded %'")" 2
equal "$(db theirs/wish.db "select count(*) from results where bs = 1048576 and status = 'ok' and ' '||doubts||' ' like '% degraded %'")" 2
run=$(db theirs/wish.db "select min(run) from results where bs = 1048576")
"$IOSWEEP" show theirs/wish.db "$run" >shown
contains shown 'fixedbufs=0 (memlock) in 1 of 1 jobs'
contains shown 'ulimit -l'
expect_exit 5 sweep named bs=1m fixedbufs=1
contains err '8 MiB, but only 512 KiB may be locked (ulimit -l)'
