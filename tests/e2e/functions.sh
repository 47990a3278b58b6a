# tests/e2e/functions.sh: sourced first by every end-to-end test. Makes a scratch directory, enters it, and removes it
# (after the test's own cleanup functions, last added first) however the test ends.
set -eu
: "${IOSWEEP:?the program under test}"
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/iosweep-test.XXXXXX")
cleanups=
cleanup_fn() { cleanups="$1; $cleanups"; }
finish() {
	rc=$?
	trap - EXIT INT TERM HUP
	set +e
	cd / && eval "$cleanups"
	rm -rf "$scratch" "$scratch.loops"
	exit $rc
}
trap finish EXIT
trap 'exit 1' INT TERM HUP
cd "$scratch"

# The number of a loop device that was detached may be another test's by now, or anybody's: only what this test attached, told
# by the sequence number of the disk, is detached.
losetup() {
	case $1 in
	-d) grep -qx "$2 $(cat "/sys/block/${2#/dev/}/diskseq")" "$scratch.loops" && command losetup -d "$2" ;;
	/dev/loop*) command losetup "$@" && echo "$1 $(cat "/sys/block/${1#/dev/}/diskseq")" >>"$scratch.loops" ;;
	-f)
		attached=$(command losetup "$@") || return
		echo "$attached $(cat "/sys/block/${attached#/dev/}/diskseq")" >>"$scratch.loops"
		echo "$attached"
		;;
	*) command losetup "$@" ;;
	esac
}

skip() { echo "$*"; exit 77; }
requires() { command -v "$1" >/dev/null 2>&1 || skip "needs $1"; }
requires_root() { [ "$(id -u)" -eq 0 ] || skip "needs root"; }
die() { echo "FAIL: $*" >&2; exit 1; }
# expect_exit CODE command...: stdout in ./out, stderr in ./err
expect_exit() {
	want=$1; shift
	set +e
	"$@" >out 2>err
	got=$?
	set -e
	[ "$got" -eq "$want" ] || { cat out err >&2; die "exit $got, not $want: $*"; }
}
contains() { grep -qF -- "$2" "$1" || { cat "$1" >&2; die "$1 does not contain: $2"; }; }
lacks() { ! grep -qF -- "$2" "$1" || { cat "$1" >&2; die "$1 contains: $2"; }; }
equal() { [ "$1" = "$2" ] || die "'$1' is not '$2'${3:+ ($3)}"; }
db() { sqlite3 -readonly "$1" "$2"; }
# eventually command...: until it succeeds, at most 20 s
eventually() {
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 400 ] || die "not within 20 s: $*"
		sleep 0.05
	done
}
# attempts DB STATUS N: are there N runs of that status, or more?
attempts() { [ -e "$1" ] && [ "$(db "$1" "select count(distinct run) from all_runs where status = '$2'")" -ge "$3" ]; }
