#!/bin/sh
# All tests, from a clean tree: installs by apt-get what is missing, builds with gcc and clang, runs everything, and ends with
# one line "N passed, N failed". As root more is tested (loop devices); --full adds the long forms. Logs in build/logs.
set -u
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C
unset MAKEFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS CC
cd "$(dirname "$0")/.." || exit 1
exec </dev/null
export WERROR=1 # also for what a test makes, so that nothing is built twice
full=
case ${1:-} in
--full) full=y ;;
'') ;;
*) echo "usage: $0 [--full]" >&2; exit 2 ;;
esac
. scripts/packages.sh
# shellcheck disable=SC2086 # lists
need $needs_build $needs_charts $needs_tests ${full:+$needs_full}

# A bare chroot has no /proc (which the leak checker needs), no /sys (device facts) and few devices (loops, terminals): they are
# lent for the time of the tests.
lend() { # TYPE DIRECTORY
	mount -t "$1" "$1" "$2" 2>/dev/null && lent="$2 ${lent:-}"
}
give_back() {
	for dir in ${lent:-}; do umount "$dir"; done
}
if [ "$(id -u)" -eq 0 ] && [ ! -e /proc/self ]; then
	trap give_back EXIT
	trap 'exit 1' HUP INT TERM
	lend proc /proc
	[ -e /sys/block ] || lend sysfs /sys
	[ -e /dev/loop-control ] || lend devtmpfs /dev
	[ -e /dev/pts/ptmx ] || lend devpts /dev/pts
fi

rm -rf build/logs
mkdir -p build/logs
jobs=$(nproc)
results=build/logs/results
: >$results
began=$(date +%s)
in_git() { [ -e .git ] && git rev-parse --git-dir >/dev/null 2>&1; }
untracked() { git status --porcelain --untracked-files=all | sed -n 's/^?? //p' | sort; }
in_git && untracked >build/logs/untracked.before

# check NAME command...: one test, its output in a log, shown when it fails
check() {
	name=$1; shift
	if "$@" >"build/logs/$name.log" 2>&1; then
		echo "check $name: ok"
	else
		tail -n 60 "build/logs/$name.log"
		echo "check $name: FAILED, see build/logs/$name.log"
	fi | tee -a $results
}
# suite command...: prints "KIND NAME: ..." lines itself; one that leaves no line has failed
suite() {
	"$@" >build/logs/suite.out 2>&1
	rc=$?
	if [ $rc -ne 0 ] && ! grep -qE ': FAILED|: [0-9]+ passed, [1-9][0-9]* failed' build/logs/suite.out; then
		echo "check suite: FAILED, exit $rc of: $*" >>build/logs/suite.out
	fi
	grep -vE '^e2e[A-Za-z0-9-]*: |^  [A-Z]+ +' build/logs/suite.out | tee -a $results
}
build() { make -j"$jobs" "$@" all unit-programs; }
unit() { # KIND make-variables...: all programs of a variant
	kind=$1; shift
	suite env UNIT_KIND="$kind" make --no-print-directory "$@" unit
}

check build-gcc build
unit unit
check layers scripts/check-layers.sh
check prove-methods scripts/prove-methods.sh --short
# Most end-to-end tests wait: what they leave of the CPUs compiles the variants that are tested afterwards.
core=$(ls tests/unit/test_core*.c tests/unit/test_engine*.c tests/unit/test_pool*.c 2>/dev/null | sed 's|tests/unit/\(.*\)\.c|build/san-thread/tests/\1|' | tr '\n' ' ')
nice -n 19 sh -c "make SAN=address,undefined all unit-programs; make SAN=thread all $core; make CC=clang all unit-programs" >build/logs/compile-rest.log 2>&1 &
rest=$!
suite env IOSWEEP="$PWD/build/iosweep" scripts/run-e2e.sh
wait $rest

check build-clang build CC=clang
check build-asan build SAN=address,undefined
unit unit-asan SAN=address,undefined
check fuzz-replay make --no-print-directory SAN=address,undefined replay
# shellcheck disable=SC2046 # names without blanks
suite env E2E_KIND=e2e-asan IOSWEEP="$PWD/build/san-address-undefined/iosweep" \
	scripts/run-e2e.sh $(ls tests/e2e/test-config-*.sh tests/e2e/test-configs-*.sh tests/e2e/test-help-*.sh tests/e2e/test-run-names.sh 2>/dev/null)
# shellcheck disable=SC2086 # names without blanks
check build-tsan make -j"$jobs" SAN=thread all $core
# shellcheck disable=SC2086
suite env UNIT_KIND=unit-tsan scripts/run-unit.sh $core
check cppcheck make --no-print-directory cppcheck

if [ -n "$full" ]; then
	check clang-tidy make --no-print-directory tidy
	unit unit-clang CC=clang
	for flags in '-O0 -g' '-O3 -g' '-O2 -g -funsigned-char'; do
		tag=$(echo "$flags" | tr -d ' ')
		check "build$tag" build TAG="$tag" CFLAGS="$flags" WERROR=
		unit "unit$tag" TAG="$tag" CFLAGS="$flags" WERROR=
	done
	suite env E2E_KIND=e2e-asan-all E2E_TIMEOUT=900 IOSWEEP="$PWD/build/san-address-undefined/iosweep" scripts/run-e2e.sh
	unit unit-tsan-all SAN=thread
	# valgrind takes over malloc, and cannot follow programs that wrap it; its own name is that of the process (test_guard);
	# test_store_faults breaks each write of a database once, which takes it half an hour
	plain=$(grep -L 'wrap:.*alloc' tests/unit/test_*.c | grep -vE 'test_(core|engine|pool|guard|store_faults)' | sed 's|tests/unit/\(.*\)\.c|build/release/tests/\1|')
	# shellcheck disable=SC2086
	suite env UNIT_KIND=unit-valgrind UNIT_WRAPPER='valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite' \
		scripts/run-unit.sh $plain
	for target in tests/fuzz/fuzz_*.c; do
		name=${target##*/}
		check "${name%.c}" make --no-print-directory "run-${name%.c}" FUZZ_SECONDS="${FUZZ_SECONDS:-300}"
	done
	check prove-real scripts/prove-real.sh
	check many-jobs env IOSWEEP_FULL=1 IOSWEEP="$PWD/build/iosweep" timeout 600 sh tests/e2e/test-limits-many.sh
	check kill-loop env IOSWEEP="$PWD/build/iosweep" IOSWEEP_KILLS=300 timeout 3600 sh tests/e2e/test-run-kill.sh
	check kill-edges env IOSWEEP="$PWD/build/iosweep" IOSWEEP_KILLS=100 timeout 3600 sh tests/e2e/test-run-kill-edges.sh
	check browser-lock env IOSWEEP="$PWD/build/iosweep" IOSWEEP_FULL=1 sh tests/e2e/test-run-browser-lock.sh
	check report-browser env IOSWEEP="$PWD/build/iosweep" IOSWEEP_FULL=1 sh tests/e2e/test-report-browser.sh
	check store-faults env IOSWEEP_FULL=1 build/release/tests/test_store_faults
	check store-migrate env IOSWEEP_FULL=1 build/release/tests/test_store_migrate
	check out-of-memory env IOSWEEP_FULL=1 build/release/tests/test_oom
fi

nothing_untracked() {
	untracked >build/logs/untracked.after
	comm -13 build/logs/untracked.before build/logs/untracked.after | tee build/logs/untracked.new
	[ ! -s build/logs/untracked.new ]
}
if in_git; then
	check no-untracked-file nothing_untracked
else
	echo 'check no-untracked-file: skipped: no git checkout' | tee -a $results
fi

awk -v seconds=$(($(date +%s) - began)) '
	/^[a-z][^ ]* [^ ]+: ok$/ { ok++ }
	/^[a-z][^ ]* [^ ]+: skipped/ { skip++ }
	/^[a-z][^ ]* [^ ]+: FAILED/ { bad++; names = names "\n  " $0 }
	/^[a-z][^ ]* [^ ]+: [0-9]+ passed, [0-9]+ failed/ { ok += $3; bad += $5; skip += $7; if ($5 + 0) names = names "\n  " $0 }
	END {
		printf "took %d s\n", seconds
		if (names != "") print "failed:" names
		printf "%d passed, %d failed%s\n", ok, bad, skip ? ", " skip " skipped" : ""
		exit bad || !ok
	}' $results
