# Every command that takes a database refuses what is none, what is damaged and what is newer, with the reason and exit 3,
# and leaves it as it was.
. "$(dirname "$0")/functions.sh"
requires sqlite3

expect_exit 0 "$IOSWEEP" run --set filename=x --set size=1m --set ioengine=null --set rw=randread --set bs=4k,8k \
	--set ramp_time=0 --set runtime=5ms --db good.db
"$IOSWEEP" help >commands
spoil() { # NAME SQL: a copy, changed
	cp good.db "$1"
	sqlite3 "$1" "$2"
}
printf 'no database\n' >text.db
: >empty.db
sqlite3 foreign.db 'create table t(a)'
spoil newer.db 'pragma user_version = 99'
spoil gone.db 'delete from sweep'
spoil view.db 'pragma foreign_keys = off; drop table event; create view event as select 1'
cp good.db torn.db
size=$(stat -c %s torn.db)
truncate -s $((size / 2)) torn.db
cp good.db garbage.db
head -c 8192 /dev/urandom | dd of=garbage.db bs=1 seek=4096 conv=notrunc 2>/dev/null
mkdir directory.db
reason() {
	case $1 in
	text.db | empty.db) echo 'not an iosweep database (no SQLite file)' ;;
	foreign.db) echo 'not one of iosweep' ;;
	newer.db) echo 'made by a newer iosweep (format 99' ;;
	gone.db) echo 'no sweep in it' ;;
	view.db) echo "its 'event' is no table" ;;
	*) echo "$1: " ;;
	esac
}
for file in text.db empty.db foreign.db newer.db gone.db view.db torn.db garbage.db directory.db; do
	before=$(cat "$file" 2>/dev/null | sha256sum)
	for verb in show export best report 'compare good.db' resume clean; do
		grep -q "iosweep ${verb%% *} " commands || continue
		# shellcheck disable=SC2086 # two words
		expect_exit 3 "$IOSWEEP" $verb "$file"
		contains err "$(reason $file)"
		equal "$(cat "$file" 2>/dev/null | sha256sum)" "$before" "$verb changed $file"
		[ ! -s out ] || die "$verb $file printed: $(cat out)"
	done
done
# code of whoever made the file does not run: triggers are refused for writing, views of that name are not looked at
spoil trigger.db 'create trigger t after insert on run begin delete from run; end'
expect_exit 3 "$IOSWEEP" resume trigger.db
contains err 'has triggers, which no iosweep made'
spoil hostile.db 'drop view results; create view results as with recursive c(n) as (select 1 union all select n + 1 from c)
	select n as run from c'
expect_exit 0 timeout 20 "$IOSWEEP" export hostile.db
equal "$(wc -l <out)" 3
expect_exit 0 timeout 20 "$IOSWEEP" show hostile.db
equal "$("$IOSWEEP" export good.db | sha256sum)" "$("$IOSWEEP" export hostile.db | sha256sum)"
