# Inputs that people really had, told again: each must do the right thing end to end.
. "$(dirname "$0")/functions.sh"
requires sqlite3

small() { # db, then --set pairs
	d=$1; shift
	"$IOSWEEP" run --set filename=t.bin --set ioengine=psync --set direct=0 --set ramp_time=0 --set runtime=50ms \
		--set size=4m --set rw=randread "$@" --db "$d.db"
}
# equal spellings are one value, said
expect_exit 0 small spell --set 'bs=["4k","4K","4kb","4KB","4KiB","4kib","4Ki","4096",4096,"0x1000"]'
equal "$(db spell.db 'select count(*), min(bs), max(bs) from results')" "1|4096|4096"
contains err "9 equal"
# times: fractions and units
expect_exit 0 small frac --set runtime=0.1
equal "$(db frac.db 'select count(*) from results where runtime = 0.1 and window_s between 0.09 and 0.11')" 1
# bs larger than size: skipped by the config, the rest runs, the file never grows
expect_exit 0 small big --set rw=write --set size=64k --set bs=4k,64k,128k,1m --set keep=true
equal "$(db big.db "select group_concat(bs) from (select bs from results where status = 'ok' order by bs)")" 4096,65536
equal "$(db big.db "select count(*) from results where status = 'skipped' and error like '%65536%' and ios is null and op is null")" 2
equal "$(stat -c %s t.bin)" 65536
rm t.bin
# --strict: any skipped row gives exit 1
expect_exit 1 small strict --set rw=write --set size=64k --set bs=64k,128k --strict
# shared file: four jobs, one file of 4 MiB; a directory: one file per job, removed at the end
expect_exit 0 small jobs --set numjobs=1,4 --set rw=write,randread
mkdir d
expect_exit 0 small dir --set filename=d --set numjobs=1,4 --set rw=write --set size=1m
equal "$(ls d)" "" "files left in the directory"
equal "$(db dir.db "select count(*) from results where status = 'ok'")" 2
# space: refused before a byte is written
expect_exit 5 small space --set filename=d --set numjobs=1,4 --set rw=write --set size=100t
contains err "free"
equal "$(ls d)" ""
# mix: shares, and an empty direction has no row
expect_exit 0 small mix --set rw=randrw --set rwmixread=0,1,50,99,100 --set runtime=300ms
equal "$(db mix.db "select count(*) from (select rwmixread, 100.0 * sum(case op when 'read' then ios else 0 end) / sum(ios) s
	from results group by 1) where abs(s - rwmixread) > 3")" 0
equal "$(db mix.db "select count(*) from results where (rwmixread = 0 and op = 'read') or (rwmixread = 100 and op = 'write')")" 0
equal "$(db mix.db "select count(*) from (select run_iops, sum(iops) s from results group by run) where abs(run_iops - s) > 0.01")" 0
# percent of an existing file: whole blocks of it
head -c 1000000 /dev/urandom >have.bin
expect_exit 0 "$IOSWEEP" run --set filename=have.bin --set ioengine=psync --set direct=0 --set rw=read --set size=50% \
	--set benchmark_type=size --db pct.db
equal "$(db pct.db 'select ios, bytes, size from results')" "122|499712|500000"
expect_exit 5 small pct2 --set size=100%
contains err t.bin
# too many jobs or too deep: those rows only
expect_exit 1 small deep --set ioengine=libaio --set iodepth=1,100000,2 --set direct=1
equal "$(db deep.db "select count(*) from results where status = 'ok'")" 2
[ ! -e t.bin ] || die "t.bin is left"
# nothing may be created by bad input
expect_exit 3 small bad --set bs=4q
contains err "4q"
[ ! -e bad.db ] && [ ! -e t.bin ] || die "bad input created files"
