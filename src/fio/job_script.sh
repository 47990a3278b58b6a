fio=${FIO:-fio} permitted='' stopped='' refused='' ran='' failed=0
nl='
'
while [ $# -gt 0 ]; do
	case $1 in
	--destroy)
		permitted=$permitted$nl${2:?}$nl
		shift 2
		;;
	-*)
		echo "usage: sh $0 [--destroy DEVICE]... [DIRECTORY]" >&2
		exit 2
		;;
	*)
		out=$1
		shift
		;;
	esac
done
refuse() {
	printf 'refused: %s\n' "$*" >&2
	refused=1
}
command -v "$fio" >/dev/null || {
	echo "$fio is not there; FIO=... names another" >&2
	exit 5
}
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
# destroys DEVICE: named, and what its data are on is not in use
destroys() {
	case $permitted in
	*"$nl$1$nl"*) ;;
	*) refuse "all data on $1 would be lost; this is permitted by: --destroy $1" ;;
	esac
	if ! { n=$(number "$1") && all=$(members "$n") && in_use=$(uses); }; then
		refuse "$1: whether it is in use cannot be told"
		return
	fi
	while read -r n by how; do
		case $nl$all$nl in *"$nl$by$nl"*) continue ;; esac
		[ "$n" != '?' ] || how="$how, and on which device cannot be told"
		case $nl$all$nl?$nl in *"$nl$n$nl"*) refuse "$1: $(printf %s "$how" | LC_ALL=C tr -c ' -~' '?')" ;; esac
	done <<-EOF
		$in_use
	EOF
}
# members NUMBER: of it, its partitions or its whole disk, and of what a loop device lies on or shares its file with
members() (
	d=$(readlink -f "/sys/dev/block/$1") && cat "$d/dev" || exit
	if [ -e "$d/partition" ]; then
		d=${d%/*}
		cat "$d/dev" || exit
	else
		for p in "$d"/*/partition; do [ ! -e "$p" ] || cat "${p%/*}/dev" || exit; done
	fi
	[ -e "$d/loop/backing_file" ] || exit 0
	below=$(cat "$d/loop/backing_file") || exit
	if [ -b "$below" ]; then
		n=$(number "$below") && members "$n"
		exit
	fi
	for l in /sys/block/loop*; do
		[ "$(readlink -f "$l")" != "$d" ] && cmp -s "$l/loop/backing_file" "$d/loop/backing_file" || continue
		for m in "$l/dev" "$l"/loop*/dev; do [ ! -e "$m" ] || cat "$m" || exit; done
	done
)
# uses: what is mounted (as any process sees it that may be asked), swapped to, held, or below a loop device: NUMBER BY
# HOW. NUMBER ?: of any device; BY: the number of the loop device
uses() {
	mounts=$(cat /proc/self/mountinfo /proc/[0-9]*/mountinfo 2>/dev/null | sort -u) && [ -n "$mounts" ] || return
	while read -r _ _ n _ point rest; do
		rest=${rest#* - }
		rest=${rest#* }
		source=${rest%% *}
		case $n$source in
		0:*/dev/*) # btrfs and others have no number of a device: their source says which
			[ -b "$source" ] || [ ! -e "$source" ] || continue
			n=$(number "$source") || n='?'
			;;
		esac
		printf '%s - %s is mounted at %s\n' "$n" "$source" "$point"
	done <<-EOF
		$mounts
	EOF
	for d in /sys/fs/btrfs/*/devices/*; do
		[ -e "$d" ] || continue
		n=$(cat "$d/dev") || n='?'
		printf '%s - %s is mounted, in a btrfs\n' "$n" "${d##*/}"
	done
	while read -r file _; do
		! n=$(number "$file") || printf '%s - %s is swapped to\n' "$n" "$file"
	done 2>/dev/null </proc/swaps
	for h in /sys/class/block/*/holders/*; do
		[ -e "$h" ] || continue
		d=${h%/holders/*}
		n=$(cat "$d/dev") || n='?'
		printf '%s - %s is held by %s\n' "$n" "${d##*/}" "${h##*/}"
	done
	for l in /sys/block/loop*; do
		if file=$(cat "$l/loop/backing_file" 2>/dev/null) && n=$(number "$file"); then
			printf '%s %s %s is below %s\n' "$n" "$(cat "$l/dev")" "$file" "${l##*/}"
		fi
	done
	return 0
}
# run NAME OPTION...: once, into NAME.json; one after another, with $pause between two
run() {
	json=$out/$1.json
	shift
	[ ! -e "$json" ] || return 0
	[ -z "$ran" ] || [ "$pause" = 0 ] || sleep "$pause"
	stop_if_told
	ran=1
	printf '%s (of %s)\n' "${json##*/}" "$runs" >&2
	if "$fio" --output-format=json+ --output="$json.part" "$@" && mv "$json.part" "$json"; then
		rm -f "$json.failed"
	elif [ -n "$stopped" ]; then
		rm -f "$json.part"
	else
		[ ! -e "$json.part" ] || mv "$json.part" "$json.failed"
		failed=$((failed + 1))
	fi
	stop_if_told
}
stop_if_told() {
	[ -n "$stopped" ] || return 0
	echo 'stopped; the same command goes on' >&2
	exit 130
}

# All refusals are said at once, and no empty folder is left behind.
checked() {
	[ -n "$refused" ] || return 0
	rmdir "$out" 2>/dev/null
	exit 4
}
finish() {
	[ $failed -gt 0 ] || return 0
	echo "$failed failed: $out/*.failed; the same command tries them again" >&2
	exit 1
}
# removes the files that this made
unmake() {
	[ -e "$out/made" ] || return 0
	while IFS= read -r f; do rm -f -- "$f"; done <"$out/made"
	rm -f "$out/made"
}

