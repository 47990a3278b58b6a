#!/bin/sh
# No module includes one above it; library headers stay in their files.
#   base 1 < engine 2 < model 3 < stat 4 < config plan sink host 5 (never each other) < fio run 6 (nor these) < cmd 7 < main 8
set -u
cd "$(dirname "$0")/.." || exit 1
level() {
	case $1 in
	base) echo 1 ;; engine) echo 2 ;; model) echo 3 ;; stat) echo 4 ;; config | plan | sink | host) echo 5 ;;
	fio | run) echo 6 ;; cmd) echo 7 ;; *) echo 8 ;;
	esac
}
bad=0
# shellcheck disable=SC2044 # no blanks in names here
for f in $(find src -name '*.[ch]'); do
	module=${f#src/} module=${module%%/*}
	mine=$(level "$module")
	for inc in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$f" | sort -u); do
		[ "$inc" = "$module" ] && continue
		theirs=$(level "$inc")
		if [ "$theirs" -ge "$mine" ]; then
			echo "$f: includes $inc/, which is not below $module/"
			bad=1
		fi
	done
done
only() { # header regex, files it may stand in
	hits=$(grep -lE "^#include [<\"]$1" -r src | grep -vE "^src/($2)$")
	[ -z "$hits" ] || { echo "$1 outside its files: $hits"; bad=1; }
}
only 'liburing' 'engine/(io_uring|uring_[a-z]*)\.[ch]'
only 'libaio' 'engine/libaio\.c'
only 'sqlite3' '(sink/[a-z_]*|plan/where|host/facts|model/units_sql)\.[ch]'
only 'jansson' '(config/[a-z_]*|fio/[a-z_]*|sink/[a-z_]*|host/facts|cmd/[a-z_]*json[a-z_]*|cmd/probe)\.[ch]'
only 'blkid' 'run/signature\.c'
only 'xxhash' '(plan/key|host/facts|config/sim)\.c'
only 'cmocka' 'none'
exit $bad
