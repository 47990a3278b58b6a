#!/bin/sh
# Files and trees, what stands around documents in them, clients and clones; what is no document is named, and the rest is kept.
# shellcheck source=tests/e2e/functions.sh
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires jq
fixtures=$root/tests/fixtures/fio
count() { db "$1" "select count(*) from results${2:+ where $2}"; }

# several documents in one file, one a line, in an array, behind a byte order mark, with noise between
{
	printf '\357\273\277'
	jq -c . "$fixtures/3.33_single_io.json"
	echo 'fio: something { "that" is : no document }'
	jq -s . "$fixtures/3.33_gtod_reduce.json" "$fixtures/3.33_latpct_noclat.json"
	jq -cs . "$fixtures/3.33_fdatasync.json" "$fixtures/3.33_group4_randrw70.json"
	echo '{ "some": "other", "document": [1, 2] }'
	cat "$fixtures/3.33_normal_and_json.txt"
} >many.txt
expect_exit 0 "$IOSWEEP" import many.txt --db many.db
contains err 'results: many.db: 6 runs of 1 file imported'
equal "$(db many.db "select group_concat(label, ' ') from (select distinct run, label from results)")" 'one nolat latonly wal gr both'

# a tree: whatever is in it; its name is that of the sweep, and the place is made
mkdir -p tree/a/b
cp "$fixtures"/3.33_*.json tree/a
cp "$fixtures"/3.33_*.txt tree/a/b
echo 'a note' >tree/notes.md
ln -s ../.. tree/loop
expect_exit 0 "$IOSWEEP" import tree/
made=$(ls results/*.db)
contains err "results: $made: "
equal "$(db "$made" 'select distinct sweep from results')" tree
runs=$(db "$made" 'select count(*) from run')

# nothing twice: neither the same file nor a copy of it; the database is added to
cp tree/a/3.33_single_io.json copy.json
expect_exit 0 "$IOSWEEP" import tree copy.json "$fixtures/2.1_no_options.json" --db "$made"
contains err 'documents were there already'
contains err '2 runs of '
equal "$(db "$made" 'select count(*) from run')" $((runs + 2))
expect_exit 0 "$IOSWEEP" show "$made"
contains out ': done'
# a second run of the same job is a second repeat of one combination
jq '.timestamp_ms += 1 | .jobs[0].read.iops = 999.5' "$fixtures/3.33_single_io.json" >again.json
expect_exit 0 "$IOSWEEP" import -q again.json --db "$made"
[ ! -s err ] || die "not quiet"
equal "$(db "$made" "select group_concat(repeat || ':' || iops) from results where label = 'one' and size = 4096")" 1:1000.0,2:999.5
# ... but under another name it is another combination, once however often it comes, also when it is exported and comes back alone
jq '.jobs[0].jobname = "after upgrade"' again.json >after.json
jq '.timestamp_ms += 1' after.json >after2.json
expect_exit 0 "$IOSWEEP" import -q "$fixtures/3.33_single_io.json" after.json after2.json again.json --db names.db
equal "$(db names.db "select group_concat(label || ':' || repeat, ',') from (select * from results order by run)")" \
	'one:1,after upgrade:1,after upgrade:2,one:2'
equal "$(db names.db "select group_concat(n, ' ') from (select count(distinct label) as n from results group by combination)")" '1 1'
equal "$(db names.db "select count(*) from results where ' ' || options || ' ' like '% job=after\%20upgrade %' escape '\' and label <> 'one'")" 2
expect_exit 0 "$IOSWEEP" export names.db --format fio-json -o named --where "label <> 'one'"
expect_exit 0 "$IOSWEEP" import named --db back.db
equal "$(db back.db "select distinct combination || options from results")" \
	"$(db names.db "select distinct combination || options from results where label <> 'one'")"

# a sweep of our own is not mixed with imports
"$IOSWEEP" run -q --set filename=t --set ioengine=null --set rw=read --set size=1m --set runtime=100ms --db ours.db
before=$(cksum <ours.db)
expect_exit 2 "$IOSWEEP" import copy.json --db ours.db
contains err "holds a sweep of iosweep's own"
equal "$(cksum <ours.db)" "$before"
expect_exit 3 "$IOSWEEP" import copy.json --db many.txt
contains err 'not an iosweep database'
# ... and imports are not gone on with
expect_exit 2 "$IOSWEEP" resume "$made"
contains err 'there is nothing to go on with'

# invalid files are named, with the place; the good ones are in
head -c 3000 "$fixtures/3.33_single_io.json" >cut.json
sed 's/"iops" : 1000.000000/"iops" : NaN/' "$fixtures/3.33_single_io.json" >nan.json
sed 's/"iops" : 1000.000000/"iops" : 1e400/' "$fixtures/3.33_single_io.json" >huge.json
awk 'BEGIN { printf "{\"jobs\":"; for (i = 0; i < 5000000; i++) printf "["; print "" }' >deep.json
awk 'BEGIN { for (i = 0; i < 700000; i++) print "{\"jobs\":" }' >lines.json
: >empty.json
echo '{ "fio version" : "fio-3.33", "jobs" : [] }' >jobless.json
expect_exit 3 "$IOSWEEP" import cut.json nan.json copy.json huge.json deep.json lines.json empty.json jobless.json absent.json --db bad.db
equal "$(count bad.db)" 1
contains err 'cut.json: line 121 column 22: '
contains err "nan.json: line 26 column 20: invalid token near 'NaN'"
contains err "real number overflow"
contains err 'deep.json: line 1 column '
contains err 'lines.json: line '
contains err 'empty.json: holds no JSON document of fio'
contains err 'jobless.json: a document of fio without any job in it'
contains err 'absent.json: No such file or directory'
contains err '7 files are invalid and left out'
contains err '1 file could not be read'
expect_exit 3 "$IOSWEEP" import absent.json --db none.db
lacks err invalid
# nothing to import makes no database
expect_exit 3 "$IOSWEEP" import cut.json --db none.db
[ ! -e none.db ] || die "an empty database"
# counters that went below zero spoil nothing else
sed 's/"bw_min" : 0/"bw_min" : 18446744073709551615/' "$fixtures/3.33_single_io.json" >below.json
expect_exit 0 "$IOSWEEP" import below.json --db below.db
equal "$(db below.db 'select bytes || typeof(bytes) from results')" 4096integer
# the next document behind one that was cut off is found
{ head -c 3000 "$fixtures/3.33_gtod_reduce.json"; echo; cat "$fixtures/3.33_single_io.json"; } >both.txt
expect_exit 3 "$IOSWEEP" import both.txt --db both.db
equal "$(db both.db 'select label from results')" one
# names of strangers do not steer a terminal
jq '.jobs[0].jobname = "a\u001b[31mb\u009bc" | .jobs[0]."job options".filename = "x\u0007"' "$fixtures/3.33_single_io.json" >esc.json
expect_exit 0 "$IOSWEEP" import esc.json --db esc.db
expect_exit 0 "$IOSWEEP" show esc.db 1
! LC_ALL=C grep -q "$(printf '[\001-\010\033\177]')" out || die "control characters"

# extremes of fio's samples are not called those of our slots, beside a mean that is none of them
jq '.jobs[0].read |= (.iops_samples = 2 | .iops_min = 1100 | .iops_max = 1200 | .iops_stddev = 70.5)' "$fixtures/3.33_single_io.json" >samples.json
expect_exit 0 "$IOSWEEP" import samples.json --db samples.db
expect_exit 0 "$IOSWEEP" show samples.db 1
contains out "iops        : min=1100, max=1200, stdev=70.50, samples of fio's"
lacks out 'slots of'

# states of one run, each of all since its start, are one row, that of the last one; runs one after another are repeats, also in one file
state() { # ms since the run began, when that was
	jq ".timestamp_ms = $2 + $1 | .jobs[0].read |= (.runtime = $1 | .io_bytes = $1 * 4096 | .total_ios = $1 | .lat_ns.mean = $2)" "$fixtures/3.33_single_io.json"
}
{ state 900 5000; state 1900 5000; state 2000 5000; state 2000 8000; } >states.json
expect_exit 0 "$IOSWEEP" import states.json --db states.db
contains err '2 documents that fio printed while it ran (--status-interval) left out'
equal "$(db states.db "select group_concat(repeat || ':' || ios || doubts) from (select * from results order by run)")" 1:2000,2:2000

# clones: apart and in doubt, or in one row, as fio's group_reporting would have it
expect_exit 0 "$IOSWEEP" import "$fixtures/3.33_nogroup3.json" --db apart.db
contains err '3 rows are clones of a job, each a part of its load and in doubt; --sum-jobs makes one row of them'
expect_exit 0 "$IOSWEEP" import "$fixtures/3.33_nogroup3.json" --sum-jobs --db sum.db
lacks err clones
equal "$(db sum.db "select doubts || '|' || ios || '|' || bytes || '|' || printf('%.3f', iops) || '|' || printf('%.3f', lat_mean_us) || '|' || lat_min_us from results")" \
	'|19486|79814656|38816.733|75.250|0.741'
# clients: the sum that fio printed is the load, each of them a part; --sum-jobs comes to the same
expect_exit 0 "$IOSWEEP" import "$fixtures/3.33_clients.json" --db clients.db
expect_exit 0 "$IOSWEEP" import "$fixtures/3.33_clients.json" --sum-jobs --db clients-sum.db
for d in clients clients-sum; do
	equal "$(db $d.db "select host || ' ' || numjobs || ' ' || bytes || ' ' || printf('%.6f %.4f %.4f', iops, lat_mean_us, lat_stddev_us) from results where doubts = ''")" \
		'alpha,beta 4 311345152 75936.063936 50.4348 246.4409'
done
equal "$(db clients.db "select group_concat(repeat || host || ' ' || doubts || ' ' || options) from results where doubts <> ''")" \
	'1alpha partial-job client=alpha,1beta partial-job client=beta'
# ... but a sum over jobs that ran one after another says nothing
expect_exit 0 "$IOSWEEP" import "$fixtures/3.33_clients_two_groups.json" --db groups.db
contains err 'ran one after another, and was left out'
equal "$(count groups.db "doubts = ''")" 0
