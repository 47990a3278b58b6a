# Each header compiles alone, and is guarded.
. "$(dirname "$0")/functions.sh"
requires "${CC:-cc}"
cd "$root"
flags=$(pkg-config --cflags jansson liburing sqlite3 blkid libxxhash)
for h in src/*/*.h; do
	# shellcheck disable=SC2086 # a list of flags
	"${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -Isrc $flags -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only -x c "$h" -include "$h" ||
		die "$h does not compile alone and twice"
done
