# SIGINT, SIGTERM and SIGHUP stop within a second, keep what is complete, print the resume command, give the right code.
. "$(dirname "$0")/functions.sh"
requires sqlite3

start() { # NAME RUNTIME STATUS: a sweep; back when a run of it has this status
	"$IOSWEEP" run --set ioengine=null --set filename=x --set size=1m --set rw=randread --set bs=4k,8k,16k,32k \
		--set ramp_time=0 --set "runtime=$2" --db "$1.db" >"$1.out" 2>"$1.err" &
	pid=$!
	eventually attempts "$1.db" "$3" 1
}
for signal in INT:130 TERM:143 HUP:129; do
	start "${signal%:*}" 30 running
	kill -"${signal%:*}" $pid
	rc=0; wait $pid || rc=$?
	equal $rc "${signal#*:}" "exit code after ${signal%:*}"
	contains "${signal%:*}.err" "iosweep resume ${signal%:*}.db"
	equal "$(db "${signal%:*}.db" "select status from all_runs")" interrupted
	equal "$(db "${signal%:*}.db" "select count(*) from results where op is not null")" 0
	equal "$(db "${signal%:*}.db" "select state from sweep")" interrupted
done

# nohup: an inherited ignored SIGHUP stays ignored
(trap '' HUP; exec "$IOSWEEP" run --set ioengine=null --set filename=x --set size=1m --set rw=randread \
	--set ramp_time=0 --set runtime=1 --db hup.db >/dev/null 2>hup.err) &
pid=$!
eventually attempts hup.db running 1
kill -HUP $pid
rc=0; wait $pid || rc=$?
equal $rc 0 "nohup"

# complete runs stay, the rest is done at resume
start part 500ms ok
kill -INT $pid
wait $pid || true
done_before=$(db part.db "select count(*) from results where status = 'ok'")
[ "$done_before" -ge 1 ] || die "nothing complete before the signal"
expect_exit 0 "$IOSWEEP" resume part.db
equal "$(db part.db "select count(*) from results where status = 'ok'")" 4
equal "$(db part.db "select count(*) from all_runs where status = 'ok'")" 4

# SIGUSR1 prints how far it is; the second signal leaves at once
start usr 30 running
kill -USR1 $pid
eventually grep -q "0/4 done" usr.err
kill -INT $pid; kill -INT $pid 2>/dev/null || true
wait $pid || true
