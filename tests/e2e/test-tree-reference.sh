# The reference in README.md is what the program says today; a stale one is found.
. "$(dirname "$0")/functions.sh"
mkdir -p tree/scripts
cp "$root/README.md" tree/
cp "$root/scripts/gen-reference.sh" tree/scripts/
expect_exit 0 tree/scripts/gen-reference.sh --check
for topic in exit-codes axes engines metrics flags; do contains tree/README.md "<!-- reference $topic -->"; done

sed -i 's/^  numjobs .*/  numjobs   something old/' tree/README.md
expect_exit 1 tree/scripts/gen-reference.sh --check
contains err 'README.md: the reference is stale: make reference'
contains tree/README.md 'something old'
expect_exit 0 tree/scripts/gen-reference.sh
cmp -s tree/README.md "$root/README.md" || die 'writing it anew does not give the same'
# a program that fails leaves the file alone
printf '#!/bin/sh\nexit 1\n' >broken
chmod +x broken
IOSWEEP=$PWD/broken expect_exit 1 tree/scripts/gen-reference.sh
cmp -s tree/README.md "$root/README.md" || die 'a failing program changed the file'
