#!/bin/sh
# No option of fio is taken for a typing error: it is supported, or it says why not and what to use.
. "$(dirname "$0")/functions.sh"
requires fio

{
	fio --cmdhelp=all
	fio --enghelp | sed '1d' | while read -r engine; do fio --enghelp="$engine" 2>/dev/null || :; done
} | awk -F: '/^[a-z]/ { gsub(/ /, "", $1); if ($1 ~ /^[a-z0-9_-]+$/) print $1 }' | sort -u >names
[ "$(wc -l <names)" -gt 200 ] || skip "this fio does not list its options: $(head -3 names)"
for letters in a-e f-m n-s t-z; do # each below the number of problems that are listed
	{
		printf '{"filename":"t","size":"1m","rw":"read"'
		grep "^[$letters]" names | grep -vxE 'filename|size|rw|readwrite' | sed 's/.*/,"&":[]/'
		echo '}'
	} >all.json
	expect_exit 3 "$IOSWEEP" plan all.json
	lacks err "unknown key"
	lacks err "more problems"
done
contains err "all.json: zonemode: an option of fio that is not supported yet: "
