# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Shares hold on the real kernel against ordinary jobs beside them: on this
# host's v1; on v2 by RSPB_GUEST_SUITES=81-beside-shares and 85-shares-v2.
# Takes 90 s.
[ -n "$(cpu_tree)" ] ||
	skip_suite "no writable cgroup v1 cpu controller on this host"
printf '%s\n' DedicatedShare=50 Colocate=yes >"$folder/rspb.conf"
cat >"$folder/slurm.conf" <<'CONF'
PartitionName=batch Nodes=ALL OverSubscribe=FORCE:1 MaxTime=60 Default=YES
PartitionName=shared Nodes=ALL OverSubscribe=FORCE:16 MaxTime=60
CONF
cluster_up --nodes 1 --conf "$folder/slurm.conf" \
	--rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/burn.sh
. "$RSPB_TOP/tests/cluster/burn.sh"

# burner USER [options]: six processes; its id.
burner() {
	local user=$1
	shift
	burn_job "$user" 6 -N1 --time=2 "$@"
}

# match JOB...: all at once; what is being cleaned up leaves no room yet.
match() {
	burn "$@"
	wait_for 20 nothing_left
}

s=$(burner $user_a -p shared --book --cpu-share=40)
o=$(burner $user_b -p batch -n2)
match "$s" "$o"
check "40 against an ordinary job that takes what it can" parts "40 60" "$s" "$o"
s=$(burner $user_a -p shared --book --cpu-share=20)
r=$(burner $user_a -p shared --book --cpu-share=30)
check "two shares are booked" booked "$s" "$r"
o=$(burner $user_b -p shared -n2)
p=$(burner $user_b -p shared -n2)
match "$s" "$r" "$o" "$p"
check "20 and 30 against two that share cores" \
	parts "20 30 25 25" "$s" "$r" "$o" "$p"
echo ShareMode=hard >>"$cluster/etc/rspb.conf"
reconfigure
sleep 1
s=$(burner $user_a -p shared --book --cpu-share=40)
o=$(burner $user_b -p batch -n2)
match "$s" "$o"
check "a hard ceiling on two CPUs leaves one CPU alone" parts "40 60" "$s" "$o"
check "nothing is left" nothing_left
cat "$folder/shares.log"
