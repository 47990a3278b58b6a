fio=${FIO:-fio} destroy=' ' stopped='' refused='' failed=0
nl='
'
while [ $# -gt 0 ]; do
	case $1 in
	--destroy) destroy="$destroy${2:?} "; shift 2 ;;
	*) out=$1; shift ;;
	esac
done
refuse() {
	printf 'refused: %s\n' "$*" >&2
	refused=1
}
command -v "$fio" >/dev/null || { echo "$fio is not there; FIO=... names another" >&2; exit 5; }
mkdir -p "$out" || exit 6
trap 'stopped=1' HUP INT TERM

# makes FILE: it is this script's, now or since before; $out/made has a line for each, from wherever it is started
makes() {
	case $1 in
	/*) made=$1 ;;
	*) made=$PWD/$1 ;;
	esac
	case $made in
	*"$nl"*) refuse "$1: a line end in the name of its folder" ;;
	*)
		if [ -f "$1" ] && [ ! -L "$1" ] && grep -qxF -e "$made" "$out/made" 2>/dev/null; then
			:
		elif [ -e "$1" ] || [ -L "$1" ]; then
			refuse "$1 was not there when this was planned"
		elif ! (set -C && : >"$1"); then
			refuse "$1 cannot be made"
		elif ! printf '%s\n' "$made" >>"$out/made"; then
			rm -f -- "$1"
			refuse "$1 cannot be remembered"
		fi
		;;
	esac
}
# file FILE BYTES
file() {
	if ! { [ -f "$1" ] && size=$(stat -Lc %s -- "$1") && [ "$size" -ge "$2" ]; }; then
		refuse "$1 is no file of $2 bytes (any more)"
	fi
}
# number DEVICE: as in /sys/dev/block, for names may lie
number() {
	[ -b "$1" ] && hex=$(stat -Lc '%t %T' -- "$1") && echo "$((0x${hex% *})):$((0x${hex#* }))"
}
# device DEVICE BYTES
device() {
	if ! { n=$(number "$1") && sectors=$(cat "/sys/dev/block/$n/size") && [ "$((sectors * 512))" -eq "$2" ]; }; then
		refuse "$1 is no device of $2 bytes (any more)"
	fi
}
# destroys DEVICE: named, and neither mounted, held nor swapped to, nor is a part of it
destroys() {
	case $destroy in *" $1 "*) ;; *) refuse "all data on $1 would be lost; this is permitted by: --destroy $1" ;; esac
	name=$(basename "$(readlink -f "$1")")
	for d in "/sys/class/block/$name" "/sys/class/block/$name/$name"*; do
		[ -e "$d/dev" ] || continue
		if grep -q " $(cat "$d/dev") " /proc/self/mountinfo; then refuse "${d##*/} is mounted"; fi
		if grep -q "^/dev/${d##*/} " /proc/swaps; then refuse "${d##*/} is swapped to"; fi
		if [ -n "$(ls "$d/holders")" ]; then refuse "${d##*/} is held by $(ls "$d/holders")"; fi
	done
}
# run NAME OPTION...: once, into NAME.json
run() {
	json=$out/$1.json
	shift
	[ ! -e "$json" ] || return 0
	echo "${json##*/} (of $runs)" >&2
	if "$fio" --output-format=json+ --output="$json.part" "$@"; then
		mv "$json.part" "$json"
	elif [ -n "$stopped" ]; then
		rm -f "$json.part"
	else
		mv "$json.part" "$json.failed"
		failed=$((failed + 1))
	fi
	[ -z "$stopped" ] || { echo 'stopped; the same command goes on' >&2; exit 130; }
}

# All refusals are said at once, and no empty folder is left behind.
checked() {
	[ -z "$refused" ] || { rmdir "$out" 2>/dev/null; exit 4; }
}
finish() {
	[ $failed -eq 0 ] || { echo "$failed failed: $out/*.failed; the same command tries them again" >&2; exit 1; }
}
# removes the files that this made
unmake() {
	[ -e "$out/made" ] || return 0
	while IFS= read -r f; do rm -f -- "$f"; done <"$out/made"
	rm -f "$out/made"
}

