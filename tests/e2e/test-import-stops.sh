#!/bin/sh
# An import that is stopped leaves nothing, one that is killed nothing that the next one does not clear or go on with.
# shellcheck source=tests/e2e/functions.sh
. "$(dirname "$0")/functions.sh"
requires sqlite3
cp "$root/tests/fixtures/fio/3.33_single_io.json" one.json
cp "$root/tests/fixtures/fio/3.33_fdatasync.json" two.json
mkfifo pipe
kill_it() { [ -z "${importing:-}" ] || kill -9 "$importing" 2>/dev/null; }
cleanup_fn kill_it

# stop SIGNAL CODE DB: once the first file is in, and the second keeps it waiting
stop() {
	"$IOSWEEP" import one.json pipe --db "$3" 2>err &
	importing=$!
	eventually [ -e "$3-spool" ]
	kill "-$1" "$importing"
	code=0
	wait "$importing" 2>/dev/null || code=$?
	importing=
	equal "$code" "$2" "$1"
}

stop TERM 143 k.db
contains err 'stopped by a signal; nothing was imported'
equal "$(ls k.db* 2>/dev/null || :)" ''
# killed: not taken for a sweep, and the same command works again
stop KILL 137 k.db
expect_exit 2 "$IOSWEEP" resume k.db
contains err 'there is nothing to go on with'
expect_exit 0 "$IOSWEEP" import one.json --db k.db
contains err '1 run of 1 file imported'
equal "$(ls k.db*)" k.db
expect_exit 0 "$IOSWEEP" show k.db
contains out ': done'
# what was there stays, and what had begun to come does not
stop TERM 143 k.db
expect_exit 0 "$IOSWEEP" import two.json --db k.db
equal "$(db k.db 'select group_concat(label) from (select distinct run, label from results)')" one,wal
equal "$(ls k.db*)" k.db

# killed while the database was made, under its first name: cleared, but nothing of a process that lives, or of others
gone=$(sh -c 'echo $$')
cp k.db "new.db.new-$gone"
: >"new.db.new-$gone-journal"
cp k.db "new.db.new-$$"
cp k.db "other.db.new-$gone"
: >"new.db.new-x"
expect_exit 0 "$IOSWEEP" import one.json --db new.db
equal "$(find . -name '*.db*' | sort | tr '\n' ' ')" \
	"./k.db ./new.db ./new.db.new-$$ ./new.db.new-x ./other.db.new-$gone "
rm new.db*
echo mine >"new.db.new-$gone"
expect_exit 0 "$IOSWEEP" import one.json --db new.db
equal "$(cat "new.db.new-$gone")" mine
