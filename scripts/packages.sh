# scripts/packages.sh: sourced. What the scripts need, and how to get what is missing on Debian.
# A need is command:NAME=PACKAGE, library:PKG_CONFIG_NAME=PACKAGE, header:FILE=PACKAGE or file:PATTERN=PACKAGE.
# shellcheck shell=sh
# shellcheck disable=SC2034 # used by the scripts that source this

needs_build='command:gcc=gcc header:stdio.h=libc6-dev command:make=make command:pkg-config=pkg-config
	library:jansson=libjansson-dev library:liburing=liburing-dev header:libaio.h=libaio-dev
	library:sqlite3=libsqlite3-dev library:blkid=libblkid-dev library:libxxhash=libxxhash-dev library:xlsxwriter=libxlsxwriter-dev'
needs_charts='command:gnuplot=gnuplot-nox'
needs_tests='library:cmocka=libcmocka-dev command:clang=clang command:sqlite3=sqlite3 command:cppcheck=cppcheck
	command:shellcheck=shellcheck command:jq=jq command:unzip=unzip command:strace=strace command:pkill=procps command:losetup=mount command:mkfs.ext4=e2fsprogs
	library:fuse3=libfuse3-dev command:python3=python3-minimal file:/usr/share/i18n/locales/de_DE=locales file:/usr/lib/*/faketime/libfaketimeMT.so.1=libfaketime'
needs_bench='command:fio=fio command:jq=jq library:fuse3=libfuse3-dev command:fusermount3=fuse3 command:mkfs.ext4=e2fsprogs'
needs_full='command:clang-tidy=clang-tidy command:chromium=chromium command:chromedriver=chromium-driver
	file:/usr/lib/python3*/http/client.py=python3 command:soffice=libreoffice-calc-nogui command:valgrind=valgrind file:/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a=libclang-rt-dev'

# A compiler's own search path for headers: the usual place, or the one of this architecture.
header_there() {
	[ -e "/usr/include/$1" ] && return
	for dir in /usr/include/*-linux-gnu*; do
		[ -e "$dir/$1" ] && return
	done
	return 1
}

missing_packages() { # need...: the packages, one a line
	# shellcheck disable=SC2086 # patterns are meant to expand
	for need in "$@"; do
		what=${need#*:} package=${need##*=}
		what=${what%=*}
		case $need in
		command:*) command -v "$what" ;;
		library:*) pkg-config --exists "$what" ;;
		header:*) header_there "$what" ;;
		file:*) ls $what ;; # a pattern
		esac >/dev/null 2>&1 || echo "$package"
	done | sort -u
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null 2>&1; then
		sudo "$@"
	else
		echo "$0: needs root (or sudo) for: $*" >&2
		return 1
	fi
}

# Install what is missing of these needs; nothing is touched, and no network used, when all is there.
need() {
	packages=$(missing_packages "$@" | tr '\n' ' ')
	[ -n "$packages" ] || return 0
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "$0: missing here; these are the names of the Debian packages: $packages" >&2
		echo "$0: install their like, then start again" >&2
		exit 2
	fi
	echo "$0: installing $packages" >&2
	# shellcheck disable=SC2086 # a list
	if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages >&2; then
		as_root env DEBIAN_FRONTEND=noninteractive apt-get update >&2 &&
			as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages >&2 ||
			{ echo "$0: could not install: $packages" >&2; exit 2; }
	fi
	packages=$(missing_packages "$@" | tr '\n' ' ')
	[ -z "$packages" ] || { echo "$0: still missing: $packages" >&2; exit 2; }
}
