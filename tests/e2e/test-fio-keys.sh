#!/bin/sh
# Whatever way through fio: jobs that iosweep wrote come back under the keys of the plan, with sizes as they were configured.
# shellcheck source=tests/e2e/functions.sh
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires jq

head -c 8M /dev/urandom >a.dat
head -c 12M /dev/urandom >b:b.dat
common='"runtime": "10ms", "ramp_time": 0, "ioengine": "psync", "direct": false'
echo "{ \"filename\": [\"a.dat\", \"b:b.dat\"], \"rw\": [\"read\", \"randread\"], $common }" >whole.json
echo "{ \"filename\": [\"a.dat\", [\"a.dat\", \"b:b.dat\"]], \"size\": [\"50%\", \"3m\"], \"offset\": [0, \"25%\"], \"rw\": \"randread\", $common }" >parts.json
echo "{ \"filename\": [\"a.dat\", [\"b:b.dat\", \"a.dat\"]], \"offset\": [\"10%\", \"1m\"], \"rw\": \"randread\", $common }" >rest.json
echo "{ \"filename\": \"a.dat\", \"size\": [\"75%\", \"3m\"], \"rw\": \"read\", \"numjobs\": [1, 3], \"offset\": \"1%\", $common }" >slices.json
echo '{ "filename": "a.dat", "size": ["100%", "1m"], "rw": "read", "numjobs": 2, "benchmark_type": "size", "ioengine": "psync", "direct": false }' >pass.json

# A fio that does as if: what it prints of the options is what fio prints of them, those of the last job.
cat >fio <<'END'
#!/bin/sh
for a; do case $a in --output=*) json=${a#*=} ;; esac done
printf '%s\n' "$@" | jq -Rn '[inputs | select(startswith("--")) | .[2:] | capture("^(?<key>[^=]*)=(?<value>.*)$")] as $o
	| ($o | map(.key) | rindex("name")) as $last | { "fio version": "fio-3.33", jobs: [{ jobname: $o[$last].value,
	"job options": ($o[$last:] | from_entries), read: { total_ios: 1, io_bytes: 4096, iops: 1, bw_bytes: 4096, runtime: 1000 } }] }' >"$json"
END
chmod +x fio

planned() { "$IOSWEEP" plan "$@" --json --list | grep -o '"combination":"[^"]*"' | sort; }
stored() { db "$1" "select '\"combination\":\"' || id || '\"' from (select distinct combination as id from results) order by 1"; }
# through CONFIG [FIO]: the ways of its jobs; by the real fio, too
through() {
	name=${1%.json}
	planned "$1" >"$name.want"
	"$IOSWEEP" run -q "$1" --db "$name.db"
	"$IOSWEEP" export "$name.db" --format fio-job -o "$name.fio"
	"$IOSWEEP" import-job "$name.fio" 2>/dev/null | planned - 2>/dev/null >"$name.have"
	cmp "$name.want" "$name.have" || die "$1: import-job is another sweep"
	"$IOSWEEP" export "$name.db" --format fio-json -o "$name.documents"
	"$IOSWEEP" import "$name.documents" --db "$name.documents.db" 2>/dev/null
	stored "$name.documents.db" | cmp "$name.want" - || die "$1: documents are of another sweep"
	"$IOSWEEP" plan "$1" --fio >"$name.sh"
	for fio in "$PWD/fio" ${2:+fio}; do
		rm -rf ran ran.db
		FIO=$fio sh "$name.sh" ran 2>/dev/null
		"$IOSWEEP" import ran --db ran.db 2>/dev/null
		stored ran.db | cmp "$name.want" - || die "$1: $fio ran another sweep"
	done
}
real=$(command -v fio || true)
through whole.json
through parts.json
through rest.json "$real"
through slices.json "$real"
through pass.json
equal "$(wc -l <parts.want)" 8

# What fio does not take is left out, with the reason; it takes all the rest.
cat >ends.json <<END
{ "filename": "a.dat", "include": [ { "rw": "randread", "random_distribution": ["zipf:1", "zipf:1.1", "normal:100", "normal:99"] },
  { "rw": "randread", "fadvise_hint": ["noreuse", "random"] } ], $common }
END
"$IOSWEEP" run -q ends.json --db ends.db
"$IOSWEEP" export ends.db --format fio-job -o ends.fio
"$IOSWEEP" plan ends.json --fio >ends.sh
for file in ends.fio ends.sh; do
	for value in zipf:1 normal:100 noreuse; do
		grep "^[;#].*=$value: fio" $file >/dev/null || die "$file: $value"
	done
done
equal "$(grep -c '^run ' ends.sh)" 3
equal "$(grep -c '^\[' ends.fio)" 3
if [ "$real" ]; then
	expect_exit 0 fio --parse-only ends.fio
	FIO=fio expect_exit 0 sh ends.sh ends
fi

# A device is a whole one as a rule.
if [ "$(id -u)" -eq 0 ] && one=$(losetup -f --show a.dat) && cleanup_fn "losetup -d $one" && two=$(losetup -f --show b:b.dat); then
	cleanup_fn "losetup -d $two"
	echo "{ \"filename\": [\"$one\", [\"$one\", \"$two\"]], \"size\": [\"8m\", \"50%\"], \"rw\": \"randread\", $common }" >loops.json
	echo "{ \"filename\": [\"$one\", [\"$one\", \"$two\"]], \"rw\": \"randread\", $common }" >devices.json
	through loops.json
	through devices.json
fi

# Who edits a job gets what he wrote, and is told so.
edited() {
	sed "$1" "$2.fio" >edited.fio
	expect_exit 0 "$IOSWEEP" import-job edited.fio
	cat err >notes
	jq -cS "{$3} | del(..|nulls)" out
}
"$IOSWEEP" run -q --db one.db --set filename=a.dat --set size=50% --set offset=25% --set rw=randread --set ioengine=psync --set direct=0 --set runtime=10ms
"$IOSWEEP" export one.db --format fio-job -o one.fio
equal "$(edited '' one size,offset)" '{"offset":"25%","size":"50%"}'
lacks notes changed
equal "$(edited 's/^size=.*/size=1m/' one size,offset)" '{"offset":"2097152","size":"1m"}' 'where it is goes with how large it is'
contains notes "size is what it says now, and no more the '50%' of its description"
equal "$(edited 's/^filename=.*/filename=other/' one size,offset)" '{"offset":"2097152","size":"4194304"}' 'a share of what it was written for'
equal "$(edited 's/^description=.*/description=mine/' one size,offset)" '{"offset":"2097152","size":"4194304"}'
equal "$(edited 's/^bs=.*/bs=8k/' one size,offset,bs)" '{"bs":"8k","offset":"25%","size":"50%"}'
"$IOSWEEP" run -q --db slice.db --set filename=a.dat --set rw=read --set numjobs=2 --set ioengine=psync --set direct=0 --set runtime=10ms
"$IOSWEEP" export slice.db --format fio-job -o slice.fio
equal "$(edited '' slice size,offset_increment)" '{"offset_increment":"0"}'
equal "$(edited 's/^size=.*/size=1m/' slice size,offset_increment)" '{"offset_increment":"4194304","size":"1m"}'
