# plan --fio: a script that runs the plan with fio, goes on where it stopped, and writes to nothing that is not its own.
. "$(dirname "$0")/functions.sh"

# What fio is told and writes; a name in `fail` fails.
cat >fio <<'EOF'
#!/bin/sh
for a; do
	case $a in --output=*) json=${a#*=} ;; --name=*) name=${a#*=} ;; --filename=*) file=${a#*=} ;; esac
done
[ -f "$file" ] || exit 9
echo "$*" >>calls
echo '{}' >"$json"
! grep -qx "$name" fail 2>/dev/null
EOF
chmod +x fio
FIO=$PWD/fio
export FIO

"$IOSWEEP" plan --fio --set name=s --set filename='a b.bin' --set size=1m --set rw=randread,write --set bs=4k,64k --set runtime=1 \
	--set repeats=2 --set ioengine=psync >plan.sh
sh -n plan.sh
echo write_64k_1_1 >fail
expect_exit 1 sh plan.sh res
contains err '2 failed: res/*.failed'
equal "$(wc -l <calls)" 8
equal "$(find res -name '*.json' | wc -l)" 6
equal "$(find res -name '*.failed' | wc -l)" 2
[ -e 'a b.bin' ] || die 'the file went although runs are left'
contains calls "--filename=a b.bin"
contains calls "--bs=65536"
contains calls "--direct=1"

# Only what is missing runs again; then its file goes.
: >fail
: >calls
expect_exit 0 sh plan.sh res
equal "$(wc -l <calls)" 2
equal "$(find res -name '*.json' | wc -l)" 8
[ ! -e 'a b.bin' ] || die 'its file is left'

# A file that came meanwhile is not its own, nor one that shrank.
yes precious | head -c 8192 >'a b.bin'
: >calls
expect_exit 4 sh plan.sh other
contains err 'refused: a b.bin was not there when this was planned'
equal "$(head -n 1 'a b.bin')" precious
head -c 65536 /dev/zero >small
"$IOSWEEP" plan --fio --set filename=small --set rw=randread --set runtime=1 --set direct=0 >read.sh
head -c 4096 /dev/zero >small
expect_exit 4 sh read.sh
contains err 'small is no file of 65536 bytes'
head -c 65536 /dev/zero >small
mkdir blind
printf '#!/bin/sh\nexit 1\n' | tee blind/stat >blind/blockdev
chmod +x blind/*
expect_exit 4 env PATH="$PWD/blind:$PATH" sh read.sh
contains err 'small is no file of 65536 bytes'
equal "$(wc -l <calls)" 0

# Names to the letter: those with a blank at an end are others than those without.
for f in ' victim' 'victim ' ' victim ' 'vic\nt\im'; do
	echo precious >victim
	"$IOSWEEP" plan --fio --set filename="$f" --set size=1m --set rw=write --set runtime=1 --set direct=0 --set ioengine=psync >v.sh
	expect_exit 0 sh v.sh "v$f"
	equal "$(cat victim)" precious "beside '$f'"
	[ ! -e "$f" ] || die "'$f' is left"
done

# What it made here is not what lies elsewhere under that name.
echo write_4k_1_1 >fail
"$IOSWEEP" plan --fio --set filename=here.bin --set size=1m --set rw=write --set runtime=1 --set direct=0 --set ioengine=psync >h.sh
expect_exit 1 sh h.sh "$PWD/h"
mkdir elsewhere
echo precious >elsewhere/here.bin
cp fio elsewhere
expect_exit 4 sh -c 'cd elsewhere && sh ../h.sh "$1"' sh "$PWD/h"
contains err 'refused: here.bin was not there when this was planned'
ln -sf elsewhere/here.bin here.bin
expect_exit 4 sh h.sh "$PWD/h"
rm here.bin
mkdir "elsewhere/a
b"
expect_exit 4 sh -c 'cd elsewhere/a* && sh ../../h.sh ../h' sh
contains err 'a line end in the name of its folder'
equal "$(cat elsewhere/here.bin)" precious
: >fail
: >calls

# What plan refuses has no script.
expect_exit 4 "$IOSWEEP" plan --fio --set filename='a b.bin' --set rw=write --set runtime=1 --set direct=0
equal "$(wc -c <out)" 0
expect_exit 2 "$IOSWEEP" plan --fio --json --set filename=t --set size=1m --set rw=read

# A device: by plan and by script only when it is named.
if [ "$(id -u)" -eq 0 ] && truncate -s 4m image && loop=$(losetup -f --show image); then
	cleanup_fn "losetup -d $loop"
	expect_exit 4 "$IOSWEEP" plan --fio --set filename="$loop" --set rw=write --set runtime=1
	equal "$(wc -c <out)" 0
	contains err "iosweep plan --fio --set filename=$loop"
	sed -i 's/-f /-b /' fio
	"$IOSWEEP" plan --fio --destroy "$loop" --set filename="$loop" --set rw=write --set runtime=1 >dev.sh
	expect_exit 4 sh dev.sh dev
	contains err "all data on $loop would be lost; this is permitted by: --destroy $loop"
	equal "$(wc -l <calls)" 0
	[ ! -e dev ] || die 'a folder of nothing is left'
	expect_exit 4 env PATH="$PWD/blind:$PATH" sh dev.sh --destroy "$loop" dev
	contains err "$loop is no device of 4194304 bytes"
	truncate -s 5m image
	losetup -c "$loop"
	expect_exit 4 sh dev.sh --destroy "$loop" dev
	contains err "$loop is no device of 4194304 bytes"
	truncate -s 4m image
	losetup -c "$loop"
	expect_exit 0 sh dev.sh --destroy "$loop" dev
	equal "$(wc -l <calls)" 1
fi

# What fio really measured comes back under the keys that iosweep's own runs have.
if command -v fio >/dev/null && command -v sqlite3 >/dev/null; then
	set -- --set name=s --set filename=s.bin --set size=1m --set rw=randread,write,randrw --set bs=4k,16k --set numjobs=2 \
		--set iodepth=4 --set ioengine=io_uring,psync --set direct=0 --set runtime=50ms
	"$IOSWEEP" plan --fio "$@" >real.sh
	FIO=fio sh real.sh 2>/dev/null
	"$IOSWEEP" import s-fio --db fio.db 2>/dev/null
	"$IOSWEEP" run -q --db own.db "$@"
	for db in fio own; do db $db.db 'select distinct combination, label from results order by 1' >$db.keys; done
	cmp fio.keys own.keys || die 'fio ran other combinations'
fi
