# --for and --until: no run starts that cannot end in time; exit 7, a summary of what is there, and the command to go on.
. "$(dirname "$0")/functions.sh"
requires sqlite3

null() { # COMMAND options...
	command=$1; shift
	"$IOSWEEP" "$command" --set ioengine=null --set filename=x --set size=1m --set rw=randread --set ramp_time=0 "$@"
}
expect_exit 7 null run --set bs=4k,8k,16k,32k,64k,128k,256k,512k --set runtime=500ms --for 2s --db r.db
contains err "stopped as asked (--for 2s): "
contains err "to go on: iosweep resume r.db"
done_runs=$(db r.db "select count(*) from results where status = 'ok'")
[ "$done_runs" -ge 1 ] && [ "$done_runs" -le 4 ] || die "$done_runs runs in 2 s"
contains err "$done_runs of 8 runs are done"
equal "$(db r.db "select count(*) from all_runs")" "$done_runs" "what did not start left a row"
equal "$(db r.db "select state from sweep")" interrupted
[ -s out ] || die "no summary"
equal "$(tail -n +2 r.csv | wc -l)" "$done_runs"
# a window that fits is never cut
equal "$(db r.db "select count(*) from results where window_s < 0.45")" 0

# resume takes the options, too; one run needs longer than is left
expect_exit 7 "$IOSWEEP" resume r.db --for 300ms
contains err "stopped as asked (--for 300ms): $done_runs of 8 runs are done"
expect_exit 0 "$IOSWEEP" resume r.db --until "$(date -u -d '+1 hour' +%Y-%m-%dT%H:%M:%SZ)"
equal "$(db r.db "select count(*) || max(attempt) from all_runs where status = 'ok'")" 81
# nothing is left: the time does not matter
expect_exit 0 "$IOSWEEP" resume r.db --for 1ms

# 7 before 1: it says that the sweep can go on
expect_exit 7 null run --set ioengine=null,libaio --set filename=/proc/nowhere --set bs=4k,8k --set runtime=1h --set order=listed \
	--for 1s --db skip.db
# a run bound by size tells nothing beforehand: it is stopped at the time, and done again later
expect_exit 7 null run --set benchmark_type=size --set io_size=4t --set bs=4k --for 500ms --db size.db
equal "$(db size.db "select status || error from all_runs")" interruptedinterrupted

# what fits by the plan
expect_exit 0 null plan --set rw=randread,read --set bs=4k,8k,16k,32k --set runtime=30m --for 165m
contains out "in time       5 of 8 runs (62 %) by "
contains out "5 of 8 combinations at least once"
contains out "4 of 4 runs  read on x"
contains out "1 of 4 runs  randread on x"
expect_exit 0 null plan --set repeats=2 --set bs=4k,8k --set runtime=30m --for 95m --json
contains out '"in_time":{"until":"2'
contains out '"runs":3,"of_runs":4,"combinations":2,"of_combinations":2,"parts":[{"filename":"x","rw":"randread","runs":3,"of_runs":4}]'

for bad in "--until:25:00" "--until:tomorrow" "--until:2020-01-01T00:00" "--for:0" "--for:8 hours" "--for:-1"; do
	expect_exit 2 null run --set runtime=1 --db no.db "${bad%%:*}" "${bad#*:}"
	[ ! -e no.db ] || die "$bad made a database"
done
expect_exit 2 null run --set runtime=1 --db no.db --for 1h --until 07:00
contains err "--until and --for: give one of them"
expect_exit 2 "$IOSWEEP" plan --set runtime=1 --until 2020-01-01T00:00
contains err "'2020-01-01T00:00': lies in the past"
"$IOSWEEP" help exit-codes >help
contains help "stopped as asked (--until, --for)"

# nothing is laid out for a run that could not end
expect_exit 7 "$IOSWEEP" run --set filename=big.dat --set size=1g --set rw=randread --set runtime=10 --for 2s --db layout.db
[ ! -e big.dat ] || die "laid out for a run that could not end"
