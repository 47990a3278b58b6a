# Preconditioning of files: asked for like any write, every block written, and killed at any moment it ends as if it had not
# happened. As root also of a loop device.
. "$(dirname "$0")/functions.sh"
requires sqlite3

zeros() { # of FILE: how many of its 4k blocks are all zero
	od -An -v -tx1 -w4096 "$1" | grep -cv '[1-9a-f]' || true
}
cat >c.json <<'EOF2'
{"filename":"t.bin","size":"4m","ioengine":"psync","rw":["randread","randwrite"],"bs":"4k","direct":0,"ramp_time":0,"runtime":"50ms",
 "keep":true,"name":"pre","precondition":{"random_passes":1,"rounds":{"max":5,"runtime":"100ms"},"settle":0}}
EOF2

# a file of others: refused as any write is, and the way out keeps reading possible
head -c 4194304 /dev/zero >t.bin
expect_exit 4 "$IOSWEEP" run c.json --set rw=randread
contains err 't.bin: it exists, was not made by iosweep, and would be written to'
contains err 'precondition={"sequential_passes":0}'
equal "$(zeros t.bin)" 1024 'it was written to all the same'
expect_exit 0 "$IOSWEEP" plan c.json --set 'may_overwrite=["t.bin"]'
contains out 'precondition  2 sequential passes of 1m, 1 random pass of 4k, up to 5 rounds of 100 ms; at most '

# allowed: each pass writes every block once
expect_exit 0 "$IOSWEEP" run c.json --set 'may_overwrite=["t.bin"]' --set 'precondition={"sequential_passes":0,"random_passes":2,"settle":0}' --db a.db
equal "$(zeros t.bin)" 0 'blocks that were not written'
equal "$(db a.db "select group_concat(bytes) from all_runs where purpose = 'fill'")" 4194304,4194304
equal "$(db a.db "select count(*) from results where doubts like '%unwritten%' or doubts like '%unsettled%'")" 0
rm t.bin

# killed again and again; the worker takes a moment to follow
gone() { ! pgrep -f "[i]osweep (run|resume) .*$scratch" >/dev/null; }
"$IOSWEEP" run c.json --db "$scratch/r.db" >/dev/null 2>&1 &
pid=$!
eventually [ -e r.db ]
n=0
while [ $n -lt 5 ]; do
	sleep "0.$(printf %03d $(((n * 137 + $$) % 290 + 5)))"
	kill -9 $pid 2>/dev/null || true
	wait $pid 2>/dev/null || true
	eventually gone
	n=$((n + 1))
	"$IOSWEEP" resume "$scratch/r.db" >/dev/null 2>&1 &
	pid=$!
done
kill -9 $pid 2>/dev/null || true
wait $pid 2>/dev/null || true
eventually gone
expect_exit 0 "$IOSWEEP" resume r.db
equal "$(db r.db 'pragma integrity_check')" ok
equal "$(db r.db "select count(*) from results where status = 'ok'")" 2
equal "$(db r.db "select group_concat(n) from (select count(*) as n from all_runs where status = 'ok' and purpose in ('fill', 'round') group by purpose)")" 3,5
equal "$(db r.db "select count(*) from (select 1 from all_runs where status = 'ok' group by purpose, combination, repeat having count(*) > 1)")" 0 'done twice'
equal "$(db r.db "select count(*) from all_runs where status = 'running'")" 0
expect_exit 0 "$IOSWEEP" resume r.db
contains err 'nothing left to do'
rm t.bin

[ "$(id -u)" -eq 0 ] || exit 0
head -c 4194304 /dev/zero >disk
loop=$(losetup -f --show disk 2>/dev/null) || exit 0
detach() { losetup -d "$loop"; }
cleanup_fn detach
expect_exit 4 "$IOSWEEP" run c.json --set "filename=$loop" --set rw=randread
contains err "--destroy $loop"
expect_exit 0 "$IOSWEEP" run c.json --set "filename=$loop" --set size=100% --set rw=randread --destroy "$loop" --db l.db
sync
equal "$(zeros disk)" 0 'blocks of the device that were not written'
