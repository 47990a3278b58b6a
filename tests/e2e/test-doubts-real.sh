#!/bin/sh
# alone
# Whatever disturbs a real run raises its doubt; a constant throttle raises none. Devices in memory under throttles.
. "$(dirname "$0")/functions.sh"
requires_root
requires sqlite3
requires losetup
requires bash
rc=0
bash "$root/scripts/prove-real.sh" --short >out || rc=$?
cat out
equal $rc 0
if grep -q 'runs under a throttle$' out; then
	skip "$(sed -n 's/^skipped *- *//p' out)"
fi
[ "$(grep -c '^ok' out)" -ge 2 ] || die 'fewer than 2 figures'
