# A normal user with small limits: locked memory, open files, processes, a directory that cannot be written: clear rows and
# hints, no crash.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires setpriv
requires prlimit
requires_root
case $IOSWEEP in *san-*) skip 'sanitizers need more than these limits' ;; esac
chmod 755 .
mkdir work
chown 65534 work
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@"; }
nobody "$IOSWEEP" --version >/dev/null 2>&1 || skip "nobody cannot reach the program"
cd work

set -- --set filename=t.bin --set size=4m --set rw=randread --set benchmark_type=size
# locked memory: registered buffers are left out, and stored as such; asked for by name, the row says what is missing
(
	ulimit -l 64
	expect_exit 0 nobody "$IOSWEEP" run "$@" --set direct=0 --set ioengine=io_uring --set bs=4k,64k --set iodepth=32 --db l.db
	equal "$(db l.db "select group_concat(status, ' ') from results")" "ok ok"
	equal "$(db l.db "select count(*) from run where effective like '%fixedbufs=0 (memlock)%'")" 2
	# what the first jobs registered is given back when the rings of the others need it
	expect_exit 0 nobody "$IOSWEEP" run "$@" --set direct=0 --set ioengine=io_uring --set bs=4k --set numjobs=6,8 --set iodepth=1 --db j.db
	equal "$(db j.db "select group_concat(status, ' ') from results")" "ok ok"
	expect_exit 5 nobody "$IOSWEEP" run "$@" --set direct=0 --set ioengine=io_uring --set bs=64k --set iodepth=32 --set fixedbufs=1 --db f.db
	contains err "fixedbufs=1 locks the buffers of numjobs 1 x iodepth 32 x bs 64k, 2 MiB, but only 64 KiB may be locked (ulimit -l)"
)
# open files
(
	ulimit -n 32
	expect_exit 1 nobody "$IOSWEEP" run "$@" --set direct=0 --set ioengine=io_uring,psync --set numjobs=1,16 --db n.db
	equal "$(db n.db "select group_concat(ioengine || numjobs || status, ' ') from (select * from results order by 1, numjobs, ioengine)")" \
		"io_uring1ok psync1ok io_uring16skipped psync16skipped"
	contains err "numjobs 16 with io_uring needs 52 open files, but the limit is 32 (ulimit -n)"
)
# a soft limit is no limit: it is raised
(
	ulimit -S -n 32
	expect_exit 0 nobody "$IOSWEEP" run "$@" --set direct=0 --set ioengine=psync --set numjobs=16 --db s.db
)
# threads: refused by the plan, or the row says which limit; those that had started serve the next row
expect_exit 1 nobody prlimit --nproc=300 "$IOSWEEP" run "$@" --set direct=0 --set ioengine=psync --set numjobs=1,10000,299,2 --set order=listed --db u.db
equal "$(db u.db "select group_concat(status, ' ') from (select status from results order by run)")" "ok skipped failed ok"
contains u.csv "numjobs 10000 needs as many threads, but only 300 more may be started"
grep -q "cannot start job [0-9]* of 299: Resource temporarily unavailable (limits: ulimit -u" u.csv || die "no hint: $(cat u.csv)"
# not even a worker
expect_exit 5 nobody prlimit --nproc=1 "$IOSWEEP" run "$@" --set direct=0 --set ioengine=null --db w.db
contains err "ulimit -u"
# a file size limit is an error of the write, and no signal
head -c 4M /dev/urandom >big.bin
chown 65534 big.bin
(
	ulimit -f 4096 # blocks of 512 bytes: 2 MiB
	expect_exit 1 nobody "$IOSWEEP" run "$@" --set direct=0 --set ioengine=psync --set rw=write --db z.db
	contains z.csv "larger than the file size limit of this process (ulimit -f)"
	expect_exit 1 nobody "$IOSWEEP" run "$@" --set filename=big.bin --set may_overwrite=big.bin --set direct=0,1 --set ioengine=io_uring,libaio,psync \
		--set rw=write --set bs=64k --db b.db
	equal "$(db b.db "select distinct status || error from results")" "failedwrite of 65536 bytes at offset 2097152: File too large (EFBIG)"
)
cd ..
chmod 555 work
cd work
expect_exit 6 nobody "$IOSWEEP" run --set filename=x --set size=1m --set ioengine=null --set rw=read --set runtime=10ms --set ramp_time=0
contains err "results: cannot create the results directory: Permission denied; name another place with --out or --db"
