#!/bin/sh
# What a plan says: merges, exclude, where, skips with numbers, refusals, exit codes.
. "$(dirname "$0")/functions.sh"

head -c 1048576 /dev/urandom >have.bin
plan() { "$IOSWEEP" plan --set filename=have.bin --set ioengine=psync --set direct=0 --set runtime=1 "$@"; }

expect_exit 0 plan --set rw=read,randread --set iodepth=1,8,8
contains out "product       6 - 4 merged - 0 excluded = 2 combinations"
contains out "merged 2: a list names the same value more than once"
contains out "merged 2: iodepth makes no difference for psync"

expect_exit 0 plan --set rw=randread --set bs=4k,8k,64k --set 'where=bs < size('"'64k'"')' --set 'exclude=[{"bs":"8k"},{"bs":"1m"}]'
contains out "product       3 - 0 merged - 2 excluded = 1 combinations"
contains err 'warning: exclude {"bs":"1m"} matches no combination'

expect_exit 3 plan --set rw=randread --set 'where=bs < (SELECT 1)'
contains err "--set: where: 'bs < (SELECT 1)': a subquery is not allowed"

printf '{"filename":"have.bin","rw":"read","runtime":1,"where":"blocksize > 1"}' >where.json
expect_exit 3 "$IOSWEEP" plan where.json
equal "$(cat err)" "where.json: where: 'blocksize > 1': no such column: blocksize"
rm where.json

# all is filtered: said as it is
expect_exit 5 plan --set rw=randread --set bs=4k,8k --set 'where=bs > 8192'
equal "$(cat err)" "iosweep: nothing to run: exclude and where leave no combination of 2"

# an exclude that matches nothing is a warning, also in the document
expect_exit 0 plan --set rw=randread --set 'exclude=[{"bs":"1m"}]' --json
contains out '"warnings":["exclude {\"bs\":\"1m\"} matches no combination"]'

# a size in percent and in bytes that comes to the same
expect_exit 0 plan --set rw=randread --set size=50%,512k
contains out "merged 1: size values come to the same number of bytes"

# reasons are counted apart
expect_exit 0 plan --set 'filename=["have.bin","/dev/iosweep-none","/dev/null","none/x"]' --set rw=read --set bs=4k,8k --json
contains out '"skipped":[{"reason":"no such device","count":2,"by":"machine"},{"reason":"no such file or directory","count":2,"by":"machine"},{"reason":"target unusable","count":2,"by":"machine"}]'

expect_exit 0 plan --set rw=randread --set bs=4k,2m
contains out "1  bs larger than size (by the config), e.g. randread_2m_1_1: bs 2m is larger than size 1m (2097152 > 1048576 bytes)"
expect_exit 1 plan --strict --set rw=randread --set bs=4k,2m

expect_exit 0 plan --set rw=randread --set repeats=3 --list
contains out "repeat=3"
contains out "runs          3 (3 repeats)"

expect_exit 0 "$IOSWEEP" plan --set filename=new.bin --set size=1m --set rw=write --set benchmark_type=size --set direct=0
contains out "unknown (size bound)"
contains out "does not exist, will be created with 1 MiB"

expect_exit 5 "$IOSWEEP" plan --set filename=new.bin --set size=50% --set rw=read --set runtime=1
contains out "size 50% of new.bin, which does not exist; give size in bytes"

before=$(cksum have.bin)
expect_exit 4 plan --set rw=randwrite
contains err "refused"
contains err "have.bin"
equal "$(cksum have.bin)" "$before"

expect_exit 2 "$IOSWEEP" plan
contains err "a config is needed"
equal "$(ls)" "$(printf 'err\nhave.bin\nout')" "plan creates nothing"
