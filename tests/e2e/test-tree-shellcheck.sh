# The scripts have no fault that shellcheck knows.
. "$(dirname "$0")/functions.sh"
requires shellcheck
cd "$root"
shellcheck -x -P SCRIPTDIR -P . -S warning scripts/*.sh
shellcheck -s sh -S error tests/e2e/*.sh
shellcheck -s bash -S warning .ci/run
