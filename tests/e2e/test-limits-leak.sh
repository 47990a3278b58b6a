# More than 500 combinations over four engines: descriptors, memory and locked memory of both processes stay as they were.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires pgrep
case $IOSWEEP in *san-*) skip 'a sanitizer keeps what was freed' ;; esac

head -c 4M /dev/urandom >t.bin
# every shape comes round once per runtime: the outermost axis
cat >c.json <<-'END'
{ "runtime": [0.0020, 0.0021, 0.0022, 0.0023, 0.0024, 0.0025, 0.0026, 0.0027, 0.0028, 0.0029, 0.0030, 0.0031, 0.0032, 0.0033, 0.0034, 0.0035,
	0.0036, 0.0037, 0.0038, 0.0039, 0.0040],
  "filename": "t.bin", "may_overwrite": ["t.bin"], "ioengine": ["null", "psync", "io_uring", "libaio"], "numjobs": [1, 3], "bs": ["4k", "64k"],
  "rw": ["randread", "randrw"], "direct": 0, "iodepth": 8, "ramp_time": 0, "order": "listed" }
END
pid=
cleanup_fn '[ -z "$pid" ] || { kill $pid; wait $pid; } 2>/dev/null'
"$IOSWEEP" run c.json --db r.db >out 2>err &
pid=$!
peak() { # PREFIX: the largest of what is seen of both processes from now on, until the marker goes
	for p in $pid $(pgrep -P $pid); do
		fds=$(ls /proc/$p/fd 2>/dev/null | wc -l)
		awk -v fds="$fds" '/^Vm(RSS|Lck|Pin|Size):/ { v[$1] = $2 } /^Threads:/ { t = $2 }
			END { print fds, v["VmRSS:"], v["VmLck:"], v["VmPin:"], v["VmSize:"], t }' /proc/$p/status 2>/dev/null >>"$1.$([ $p = $pid ] && echo sup || echo worker)" || :
	done
}
runs() { db r.db 'select count(*) from run' 2>/dev/null || echo 0; }
eventually [ -e r.db ]
while n=$(runs); [ "${n:-0}" -lt 170 ]; do [ "${n:-0}" -lt 40 ] || peak early; kill -0 $pid || break; done
while kill -0 $pid 2>/dev/null; do n=$(runs); [ "${n:-0}" -lt 500 ] || peak late; done
rc=0
wait $pid || rc=$?
equal $rc 0
equal "$(db r.db "select count(*) >= 500 from (select distinct run from results where status = 'ok')")" 1
for who in sup worker; do
	[ -s early.$who ] && [ -s late.$who ] || die "no samples of $who"
	awk -v who=$who 'FNR == 1 { file++ } { for (i = 1; i <= NF; i++) if ($i > m[file, i]) m[file, i] = $i }
		END {
			split("fds RSS-KiB locked-KiB pinned-KiB size-KiB threads", name)
			split("3 6144 0 0 65536 0", more) # the moments of looking differ
			for (i = 1; i <= 6; i++)
				if (m[2, i] > m[1, i] + more[i]) { print who ": " name[i] " grew from " m[1, i] " to " m[2, i]; bad = 1 }
			exit bad
		}' early.$who late.$who || die "$who grows"
done
