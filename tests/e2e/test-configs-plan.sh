# Each sample config is accepted by plan, with the combinations and the time that its description promises.
. "$(dirname "$0")/functions.sh"
requires sqlite3
number() { sqlite3 :memory: "select json_extract(readfile('out'), '\$.$1')"; }

planned=0
plan() { # CONFIG EXIT COMBINATIONS SECONDS [--set ...]: SECONDS of runs, the layout of a scratch file comes on top
	config=$1 code=$2 combinations=$3 seconds=$4
	shift 4
	planned=$((planned + 1))
	expect_exit "$code" "$IOSWEEP" plan "$root/configs/$config.json" --json "$@"
	equal "$(number combinations)" "$combinations" "$config"
	equal "$(sqlite3 :memory: "select $(number estimate_s) between $seconds and $seconds + $limit")" 1 "$config: $(number estimate_s) s"
	[ ! -e iosweep.scratch ] || die "plan $config made a file"
}
# A device that is not here: exit 5, and all is counted. Where it is here, a name that is nowhere stands for it.
device() { # CONFIG DEVICE COMBINATIONS SECONDS
	limit=0
	if [ -e "$2" ]; then
		plan "$1" 5 "$3" "$4" --set filename=/dev/iosweep-absent
	else
		plan "$1" 5 "$3" "$4"
	fi
}
limit=60
plan demo 0 60 90
plan quick 0 12 60
plan eight-tests 0 8 256
plan mixed-70-30 0 18 360
plan buffered-vs-direct 0 24 168
(cd "$root" && "$IOSWEEP" plan configs/rehearse.json) >/dev/null || die 'rehearse names devices that are not there'
ln -s "$root/configs" configs
plan rehearse 0 144 360
equal "$(number simulated_s)" 360
equal "$(number write_s)" 0
device reference-2376 /dev/vdb 2376 83160
device nvme /dev/nvme0n1 63 2205
device hdd /dev/sda 16 560
equal "$planned" "$(find "$root/configs" -maxdepth 1 -name '*.json' | wc -l)" 'every config is planned here'
