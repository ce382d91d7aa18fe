# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Every preset: it books what it should, or slurmctld says why it does not run
# it and what to take instead. What was recorded decides the same again.
# Takes 100 s.
cluster_up --nodes 4 || exit 1
rspb_conf=$cluster/etc/rspb.conf
sim=$cluster/rspb/bin/rspb-sim
base=$(ahead 3600)

# preset, then for a request with a window that can't start when it is ready
# and a soft one for which half of the nodes are left: what becomes of them.
# The third: further settings.
expected='
live			later		2/4
rb			declined	declined
rspb			declined	2/4
co-rspb			declined	2/4
co-rsbf			declined	1/4
co-rsbfr		declined	2/4
li-ff			later		declined
li-pe-best		later		declined
li-pe-worst		later		declined
li-du-best		later		declined
li-du-worst		later		declined
li-pedu-best		later		declined
li-pedu-worst		later		declined
pe-worst-load		later		declined
pe-worst-steps		later		declined
pe-worst-calm		later		declined
pe-worst-headroom	later		declined
ff-headroom		later		declined
co-rspb-headroom	declined	2/4
co-rspb-trim		declined	2/4
lazy-worst		declined	[12]/4
lazy-best		declined	[12]/4
'
# preset or what else may be taken for one, what is named instead
refusals='
flex			li-ff
flex-tide		ff-headroom
lazy-price		lazy-worst
clairvoyant		Order=smallest
foreseen		li-ff
fcfs			li-ff
edf			Order=deadline
llf			Order=laxity
sfto			cpu-share
afto			cpu-share
afto_rn			cpu-share
tarr			li-ff
vrc			live
static			live
li			li-pe-worst
qdd			live
li-fff			did.you.mean.li-ff
'
# Names in the manual: run live, or in rspb-sim only.
manual() {
	sed -n '/^\.SH PRESETS/,/^\.SH RESULTS/p' \
		"$RSPB_TOP/doc/man/rspb-sim.1" |
		awk -v want="$1" '/^Some presets/ { only = 1 }
			tag && only == want { gsub(/\\/, ""); print $2 }
			{ tag = /^\.TP$/ }'
}

settings() {
	printf '%s\n' "BatchInterval=100ms" JournalKeep=1d \
		"$@" >"$rspb_conf"
	reconfigure
}
all_decided() {
	local j
	for j in "$@"; do
		wait_for 10 decided "$j" || { echo "$j waits"; return 1; }
	done
}
# becomes JOB WHAT TEXT
becomes() {
	is_booking "$1" "$2" && { [ -z "${3:-}" ] || grep -qE "$3" <<<"$(contract "$1")"; } ||
		{ echo "wanted: $2 ${3:-}"; contract "$1"; return 1; }
}

# books T LATER SOFT
books() {
	local t=$1 half window soft share pair begin
	half=$(book $user_a "$t" -N2)
	all_decided "$half" && becomes "$half" booked 'nodes=2/2' || return 1
	begin=$(slurm_time $((t + 1200)))
	window=$(book $user_a "$t" -N3 --deadline="$(slurm_time $((t + 600)))")
	soft=$(book $user_b "$t" -N4 --benefit=linear:25%)
	share=$(book $user_b $((t + 1800)) -N1 -p shared --cpu-share=30)
	pair=$(as $user_a sbatch --parsable -o job-%j.out \
		--book --begin="$begin" --time=1 -N1 : \
		--book --begin="$begin" --time=1 -N1 job.sh 1)
	all_decided "$window" "$soft" "$share" "$pair" || return 1
	if [ "$2" = later ]; then
		becomes "$window" booked 'nodes=3/3' &&
			[ "$(granted "$window" start)" -ge $((t + 60)) ] &&
			[ "$(granted "$window" end)" -le $((t + 600)) ]
	else
		becomes "$window" declined
	fi || return 1
	if [ "$3" = declined ]; then
		becomes "$soft" declined
	else
		becomes "$soft" booked "nodes=$3"
	fi || return 1
	becomes "$share" booked 'share=30%' && becomes "$pair" booked
}

n=0
for preset in $(manual 0); do
	read -r _ later soft more <<<"$(grep "^${preset}[[:space:]]" <<<"$expected")"
	[ -n "$later" ] || { not_ok "$preset is in the manual, not here"; continue; }
	n=$((n + 1))
	# shellcheck disable=SC2086
	settings "Algorithm=$preset" $more
	check "$preset" books $((base + n * 86400)) "$later" "$soft"
done

said() {
	tail -n +"$1" "$cluster/log/slurmctld.log" | grep -E "$2"
}
refuses() {
	local lines
	lines=$(wc -l <"$cluster/log/slurmctld.log")
	settings "Algorithm=$1"
	wait_for 5 said "$lines" "Algorithm=$1.*$2" ||
		{ said "$lines" rspb; return 1; }
}
settings
while read -r preset instead; do
	[ -z "$preset" ] || check "$preset is refused, $instead named" \
		refuses "$preset" "$instead"
done <<<"$refusals"
for preset in $(manual 1); do
	grep -q "^${preset}[[:space:]]" <<<"$refusals" ||
		not_ok "$preset is in the manual, not here"
done
last=$(book $user_a $((base + 40000)) -N1)
check "the old settings hold" booked "$last"

check "what was recorded decides the same" decides_the_same 10

note "a cold start"
as $user_a scancel "$last"
ctld_stop
# cold LINE TEXT: slurmctld does not start with that, and says so; what is barred
# is not open meanwhile.
cold() {
	local rc
	printf '%s\nAllowAccounts=nobody\n' "$1" >"$rspb_conf"
	timeout 20 slurmctld -D -f "$SLURM_CONF" >"$out/cold" 2>&1
	rc=$?
	[ $rc -ne 0 ] && [ $rc -ne 124 ] &&
		grep -E "fatal: rspb: .*$2" "$out/cold" ||
		{ echo "status $rc"; tail -n 3 "$out/cold"; return 1; }
}
check "no algorithm: it does not start" cold Algorithm= 'Algorithm=: is unknown'
check "nor with one of the simulator" cold Algorithm=flex 'for rspb-sim only'
check "nor with settings that do not go together" cold \
	Order=price 'ChargePercent=1 or more'
check "rspb-check says the same before" grep -E \
	'^fail .*ChargePercent=1 or more.*slurmctld would not start' <<<"$(
	PATH=$cluster/rspb/bin:$PATH sh "$RSPB_TOP/contrib/rspb-check" --conf)"
echo Algorithm=live >"$rspb_conf"
check "with good ones it does" ctld_start
