# help prints its topics from the tables, and each command's usage; what it does not know it says.
. "$(dirname "$0")/functions.sh"

expect_exit 0 "$IOSWEEP" help
for text in 'iosweep help [TOPIC]' 'iosweep help axes' 'iosweep help exit-codes'; do contains out "$text"; done
expect_exit 0 "$IOSWEEP" --help
contains out 'iosweep help axes'

expect_exit 0 "$IOSWEEP" help axes
for name in 'filename [volumes directory]' 'bs [blocksize]' 'direct [buffered]' 'rwmixread [rwmixwrite]' 'benchmark_type [time_based]' \
	'  repeats ' 'Default: 4k.' 'Default: min(2 s, runtime/5)' 'Allowed: 1..65535.'; do
	tr -s '\n ' ' ' <out | sed 's/^/ /' >flat
	contains flat "$(echo "$name" | tr -s ' ')"
done
expect_exit 0 "$IOSWEEP" help metrics
for name in run_bw_mib_s lat_p99_9_us doubts window_s started_utc; do contains out "  $name "; done
expect_exit 0 "$IOSWEEP" help flags
for name in unwritten short-window few-samples depth-not-reached; do contains out "  $name "; done
expect_exit 0 "$IOSWEEP" help engines
for name in io_uring libaio psync null; do contains out "  $name "; done
expect_exit 0 "$IOSWEEP" help exit-codes
for code in 0 1 2 3 4 5 6 129 130 143; do grep -qE "^  $code +[a-z]" out || die "no exit code $code"; done
for topic in axes metrics flags engines sim exit-codes; do
	"$IOSWEEP" help $topic | awk -v t=$topic 'length > 104 { print t ": " length ": " $0; bad = 1 } END { exit bad }' >wide || { cat wide; die 'a line is too wide'; }
done

# every command that help lists has a help of its own, the same as --help
for command in $("$IOSWEEP" help | sed -n 's/^  iosweep \([a-z]*\) .*/\1/p' | sort -u); do
	expect_exit 0 "$IOSWEEP" help "$command"
	contains out "usage: iosweep $command"
	"$IOSWEEP" "$command" --help >other
	cmp -s out other || die "help $command and $command --help differ"
done

expect_exit 2 "$IOSWEEP" help axs
equal "$(cat err)" "iosweep: help: unknown topic 'axs', did you mean 'axes'?; see: iosweep help"
expect_exit 2 "$IOSWEEP" help zzzzzzzz
equal "$(cat err)" "iosweep: help: unknown topic 'zzzzzzzz'; see: iosweep help"
expect_exit 2 "$IOSWEEP" help axes metrics
