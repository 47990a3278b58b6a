# What is laid out is what is written to: a link, or a directory, that is exchanged while a file is laid out leads to no other file.
. "$(dirname "$0")/functions.sh"
requires sqlite3

mkdir d1 d2
# begin WORDS FILE: stopped while FILE is laid out
begin() {
	rm -f m.db m.csv
	head -c 64M /dev/urandom >d2/t.dat
	theirs=$(sha256sum <d2/t.dat)
	"$IOSWEEP" run --set filename="$1" --set rw=randwrite --set bs=4k --set ioengine=psync --set direct=0 --set size=64m \
		--set runtime=200ms --set ramp_time=0 --set keep=true --db m.db >out 2>err &
	pid=$!
	until [ "$(stat -c %s "$2" 2>/dev/null || echo 0)" -ge 67108864 ]; do :; done
	kill -STOP $pid
}
# end CODE: goes on
end() {
	kill -CONT $pid
	rc=0
	wait $pid || rc=$?
	equal $rc "$1" "$(cat err)"
}

# made, and already there but too short
for size in 0 1; do
	ln -sfn d1 dd
	if [ $size = 1 ]; then
		"$IOSWEEP" run --set filename=d1/t.dat --set rw=randread --set ioengine=psync --set direct=0 --set size=1m --set runtime=10ms \
			--set ramp_time=0 --set keep=true --db first.db >/dev/null 2>&1
	fi
	begin dd/t.dat d1/t.dat
	ln -sfn d2 dd
	end 0
	equal "$(sha256sum <d2/t.dat)" "$theirs" "a file that a link led to was written to"
	equal "$(db m.db "select path from target")" "$PWD/d1/t.dat"
	equal "$(db m.db "select status from results")" ok
	rm -f d1/t.dat first.*
done

# the directory itself
begin d1/t.dat d1/t.dat
mv d1 d3
mv d2 d1
end 1
equal "$(sha256sum <d1/t.dat)" "$theirs" "a file in a directory that took the name was written to"
equal "$(db m.db "select status from results")" failed
contains out "is no longer the file that"
