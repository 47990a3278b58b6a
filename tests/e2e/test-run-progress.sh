# Progress: on a terminal one line that is taken away; otherwise a plain line per run; none when asked.
. "$(dirname "$0")/functions.sh"
requires script

config='{"filename":"x","size":"1m","ioengine":"null","rw":"randread","bs":["4k","8k"],"ramp_time":0,"runtime":"600ms"}'
echo "$config" >c.json
TERM=xterm script -qec "'$IOSWEEP' run c.json --db tty.db" typescript >/dev/null 2>&1 </dev/null
grep -q '0/2 \[' typescript || die "no progress line on a terminal"
grep -q 'IOPS' typescript || die "no live IOPS"
grep -q 'ETA' typescript || die "no ETA"
# in 80 columns everything is there, to the clock time it ends, and nothing wraps
TERM=xterm script -qec "stty cols 80; '$IOSWEEP' run c.json --set 'runtime=1.5' --db tty80.db" typescript >/dev/null 2>&1 </dev/null
tr '\r' '\n' <typescript | sed 's/\x1b\[K$//' | grep '^[01]/2 ' >lines
grep -qE '^0/2 \[\.{5}\] randread_[48]k_1_1 null [0-9.]+M? IOPS [0-9]+ MiB/s ETA [0-9.]+ s \([0-9:]{5} [^ ]+\)$' lines || { cat lines; die "not all is in the line"; }
[ "$(awk '{ if (length > n) n = length } END { print n }' lines)" -le 79 ] || die "a line wraps"
expect_exit 0 "$IOSWEEP" run c.json --db plain.db
contains err "1/2 x randread_"
contains err "2/2 x randread_"
if tr -d '\n\t' <err | LC_ALL=C grep -q '[[:cntrl:]]'; then die "control characters in plain output"; fi
expect_exit 0 "$IOSWEEP" run c.json --db none.db --progress=none
lacks err "1/2"
