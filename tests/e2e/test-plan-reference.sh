#!/bin/sh
# The config of the field: 2,376 combinations and 83,160 s, also when its device is not there (exit 5).
. "$(dirname "$0")/functions.sh"

cat >ref.json <<'EOF'
{"benchmark_type":"time","volumes":["/dev/iosweep-no-such-disk"],"ioengines":["libaio"],
"blocksize":["4k","8k","16k","32k","64k","128k","256k","512k","1024k","2048k","4096k"],
"numjobs":[1,2,4,8,16,32],"iodepths":[1,2,4,8,16,32],"direct":[1],"ramp_time":5,"runtime":[30],
"rw":["read","randread","write","randwrite","rw","randrw"]}
EOF
expect_exit 5 "$IOSWEEP" plan ref.json
contains out "product       2376 - 0 merged - 0 excluded = 2376 combinations"
contains out "runs          2376"
contains out "23 h 06 min"
contains out "15 h 24 min"
contains out "27.7 TB at 0.5 GB/s, 55.4 TB at 1 GB/s, 111 TB at 2 GB/s"
contains out "no such device: /dev/iosweep-no-such-disk"
contains err "nothing can run here: all 2376 combinations are skipped"
contains err "  2376 x no such device: /dev/iosweep-no-such-disk"

expect_exit 5 "$IOSWEEP" plan --list ref.json
equal "$(grep -c 'skipped: no such device' out)" 2376 "one line per combination"
equal "$(grep -E '^[0-9]+ c[0-9a-f]{12} ' out | sort -k2,2 -u | wc -l)" 2376 "distinct combinations"

requires jq
expect_exit 5 "$IOSWEEP" plan --json ref.json
equal "$(jq -c '[.product,.merged,.excluded,.combinations,.runs,.estimate_s,.write_s]' out)" \
	"[2376,0,0,2376,2376,83160,55440]"
equal "$(jq -c '.skipped' out)" '[{"reason":"no such device","count":2376,"by":"machine"}]'
equal "$(jq -r '.targets[0].problem' out)" "no such device: /dev/iosweep-no-such-disk"
expect_exit 5 "$IOSWEEP" plan --json --list ref.json
equal "$(jq '.list | length' out)" 2376
equal "$(jq -c '.list[0] | [.run, .rw, .filename, .ramp_time, .runtime, .size, .skipped]' out)" \
	'[1,"read","/dev/iosweep-no-such-disk",5,30,null,"no such device"]'
equal "$(ls)" "$(printf 'err\nout\nref.json')" "plan creates nothing"
