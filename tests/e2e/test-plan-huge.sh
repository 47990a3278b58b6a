#!/bin/sh
# 10^10 combinations are counted in flat memory, and 10^21 do not overflow.
. "$(dirname "$0")/functions.sh"

cat >huge.json <<'EOF'
{"filename":"x.bin","size":"1g","rw":["randread","randwrite"],"runtime":[1,2],"ramp_time":0,
"bs":[{"from":512,"to":512000,"plus":512}],"numjobs":[{"from":1,"to":1000,"plus":1}],
"iodepth":[{"from":1,"to":2500,"plus":1}]}
EOF
case $IOSWEEP in *san-*) skip 'a sanitizer maps terabytes' ;; esac
ulimit -v 300000 2>/dev/null || skip "needs ulimit -v"
expect_exit 0 "$IOSWEEP" plan huge.json
contains out "product       10000000000"
contains out "475 years"
lacks out "combinations"
expect_exit 0 "$IOSWEEP" plan huge.json --set "fsync=[{\"from\":1,\"to\":1000,\"plus\":1}]" \
	--set "size=[{\"from\":1,\"to\":1000,\"plus\":1}]" --set "io_size=[{\"from\":1,\"to\":1000,\"plus\":1}]" \
	--set "offset_increment=[{\"from\":1,\"to\":1000,\"plus\":1}]"
contains out "product       more than 18446744073709551615"
equal "$(ls)" "$(printf 'err\nhuge.json\nout')" "plan creates nothing"
