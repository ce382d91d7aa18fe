# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Shares hold on the real kernel against ordinary jobs beside them: on this
# host's v1; on v2 by RSPB_GUEST_SUITES=81-beside-shares and 85-shares-v2.
if [ -z "$(cpu_tree)" ]; then
	ok "skipped: no writable cgroup v1 cpu controller on this host"
	exit 0
fi
window=12
printf '%s\n' DedicatedShare=50 Colocate=yes >"$folder/rspb.conf"
cat >"$folder/slurm.conf" <<'CONF'
PartitionName=batch Nodes=ALL OverSubscribe=FORCE:1 MaxTime=60 Default=YES
PartitionName=shared Nodes=ALL OverSubscribe=FORCE:16 MaxTime=60
CONF
cluster_up --nodes 1 --conf "$folder/slurm.conf" \
	--rspb-conf "$folder/rspb.conf" || exit 1
cp "$RSPB_TOP/tests/cluster/burn.pl" "$out" || exit 1

# burner USER [options]: one CPU is fought for, by six processes; its id.
burner() {
	local user=$1
	shift
	as "$user" sbatch --parsable -o "$out/burn.%j" -N1 --time=2 "$@" \
		--wrap "taskset -c 0 perl $out/burn.pl $out/go $window 6"
}

ready() {
	local j
	for j in "$@"; do
		[ -s "$out/burn.$j" ] || return 1
	done
}

all_gone() {
	local j
	for j in "$@"; do
		gone "$j" || return 1
	done
}

used() {
	tail -n 1 "$out/burn.$1"
}

# burn JOB...: all at once, to their end.
burn() {
	wait_for 40 ready "$@"
	echo $((EPOCHSECONDS + 2)) >"$out/go.new" && mv "$out/go.new" "$out/go"
	wait_for $((window + 30)) all_gone "$@"
	rm -f "$out/go"
	# what is being cleaned up leaves no room yet
	wait_for 20 nothing_left
}

# parts "40 60" JOB...: what each got of what all got, within two points.
parts() {
	local wanted=$1
	shift
	for j in "$@"; do used "$j"; done | awk -v wanted="$wanted" '
	{ got[NR] = $1; total += $1 }
	END {
		split(wanted, want, " ")
		for (i = 1; i <= NR; i++) {
			part = 100 * got[i] / total
			printf "%.2f, wanted %s\n", part, want[i]
			if ((part - want[i]) ^ 2 > 4)
				bad = 1
		}
		exit bad
	}'
}

s=$(burner $user_a -p shared --book --cpu-share=40)
o=$(burner $user_b -p batch -n2)
burn "$s" "$o"
check "40 against an ordinary job that takes what it can" parts "40 60" "$s" "$o"
parts "40 60" "$s" "$o" | sed 's/^/# /'
s=$(burner $user_a -p shared --book --cpu-share=20)
r=$(burner $user_a -p shared --book --cpu-share=30)
check "two shares are booked" booked "$s" "$r"
o=$(burner $user_b -p shared -n2)
p=$(burner $user_b -p shared -n2)
burn "$s" "$r" "$o" "$p"
check "20 and 30 against two that share cores" \
	parts "20 30 25 25" "$s" "$r" "$o" "$p"
parts "20 30 25 25" "$s" "$r" "$o" "$p" | sed 's/^/# /'
echo ShareMode=hard >>"$cluster/etc/rspb.conf"
scontrol reconfigure
sleep 1
s=$(burner $user_a -p shared --book --cpu-share=40)
o=$(burner $user_b -p batch -n2)
burn "$s" "$o"
check "a hard ceiling on two CPUs leaves one CPU alone" parts "40 60" "$s" "$o"
check "nothing is left" nothing_left
