#!/bin/sh
# iosweep probe: every kind of PATH, in text and JSON, and nothing changes.
. "$(dirname "$0")/functions.sh"

printf 'precious' >precious.txt
before=$(sha256sum precious.txt)
mkfifo fifo
mkdir dir
ln -s nowhere dangling
truncate -s 1M holes

expect_exit 0 "$IOSWEEP" probe
contains out "engines"
contains out "psync"
contains out "memory available"
contains out "kernel"
equal "$(wc -c <err)" 0

expect_exit 0 "$IOSWEEP" probe precious.txt holes dir new.bin fifo dangling none/x /dev/full /dev/nope
contains out 'precious.txt: it exists, was not made by iosweep, and would be written to: to allow it, name it in "may_overwrite"'
contains out "safe: it would be created"
contains out "fifo is a fifo: only files, directories and block devices are measured"
contains out "dangling is a symbolic link to nothing"
contains out "no such directory: $scratch/none"
contains out "/dev/full is a character device"
contains out "no such device: /dev/nope"
contains out "has holes or unwritten extents"
[ ! -e new.bin ] || die "probe made a file"
equal "$(sha256sum precious.txt)" "$before"
equal "$(ls -A dir)" ""

expect_exit 5 "$IOSWEEP" probe --json /dev/nope
contains out '"problem": "no such device: /dev/nope"'
equal "$(wc -c <err)" 0

requires python3
expect_exit 0 "$IOSWEEP" probe --json precious.txt holes new.bin
python3 - out <<'PY' || die "JSON is not as it should be"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["schema_version"] == 1
names = [e["name"] for e in d["engines"]]
assert names == ["io_uring", "libaio", "psync", "null", "pvsync2", "mmap", "sim"], names
for e in d["engines"]:
    assert e["usable"] == (e["errno"] == 0)
    assert e["usable"] or e["reason"]
assert d["limits"]["cpus"] >= 1
assert d["facts"]["kernel"]
f, h, n = d["targets"]
assert f["kind"] == "file" and f["size_bytes"] == 8 and not f["safe_to_write"]
assert len(f["write_refusals"]) == 1 and not f["unwritten"] and not f["ours"]
assert h["unwritten"] and h["size_bytes"] == 1048576
assert n["kind"] == "missing" and n["safe_to_write"] and n["write_refusals"] == []
PY
