# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# One user's message, however made, neither stops slurmctld nor gets past what
# it checks.
# Takes 60 s.
cluster_up --nodes 4 || exit 1
${CC:-gcc} -O1 -o "$out/message" "$RSPB_TOP/tests/cluster/message.c" -lslurm ||
	exit 1

# send KEY=VALUE...: what slurmctld says to it, in line.
send() {
	as $user_b "$out/message" "$@"
}

# Milliseconds of CPU time that slurmctld has had.
ctld_cpu() {
	awk -v hz="$(getconf CLK_TCK)" \
		'{ sub(/.*\) /, ""); print ($12 + $13) * 1000 / hz }' \
		"/proc/$(ctld_pid)/stat"
}

# cost KEY=VALUE...: milliseconds of CPU time of slurmctld for it, the least of
# three tries.
cost() {
	local before ms least=
	for _ in 1 2 3; do
		before=$(ctld_cpu)
		send "$@" >"$out/said" 2>&1
		ms=$(($(ctld_cpu) - before))
		[ -n "$least" ] && [ "$least" -le $ms ] || least=$ms
	done
	echo "$least"
}

# no_dearer THAN KEY=VALUE...: than twice that and 60 ms.
no_dearer() {
	local than=$1 ms
	shift
	ms=$(cost "$@")
	note "$*: $ms ms, without --book $than ms" >>"$folder/costs.log"
	[ "$ms" -le $((2 * than + 60)) ] || {
		echo "$ms ms, and $than ms would have done"
		return 1
	}
}

said() {
	grep -- "$1" "$out/said" || { head -c 400 "$out/said"; return 1; }
}

note "one message does not stop slurmctld"
option=_SLURM_SPANK_OPTION_rspb
plain=$(cost spank=100000:_SLURM_SPANK_OPTION_other_%d=)
check "a flag 100,000 times costs no more than other options" \
	no_dearer "$plain" spank=100000:${option}_book=
check "it is refused" said '--book: came with 100000 options'
check "100,000 flags that are none: likewise" \
	no_dearer "$plain" spank=100000:${option}_%d=
check "they are refused" said '--book: came with 100000 options'
send spank=2:${option}_book= >"$out/said" 2>&1
check "a flag that is there twice is refused" said '--book: .* twice'
send spank=1:${option}_%d= >"$out/said" 2>&1
check "one that is none is named" said 'flag "0" that slurmctld does not know'

# What is long in other ways costs a booking little more than it costs any job.
scontrol update nodename=n[1-4] availablefeatures=fast activefeatures=fast
for wish in features="x60000:fast" features="x60000:fast&fast" \
	gres=x60000:gpu:1 gres=x60000:gpu:tesla:1 nodes=x60000:n1 \
	nodes="x60000:n[1-4]" reservation=x60000:rspb account=x60000:physics \
	comment=x60000:rspb; do
	plain=$(cost "$wish")
	scancel -u $user_b
	check "a long list, ${wish%%:*}:${wish#*:}" no_dearer "$plain" \
		spank=1:${option}_book= "$wish"
	note "$(head -c 200 "$out/said")" >>"$folder/costs.log"
	scancel -u $user_b
done
check "nothing is left of all that" wait_for 20 nothing_left

note "a node where nobody books shares"
plain=$(job $user_a 1 -w n1 --time=1)
check "an ordinary job runs there" wait_for 30 gone "$plain"
left_no_line() {
	! grep "CPU share of job" "$cluster/log/n1.log"
}
check "and slurmd's log says nothing of its share" left_no_line

note "lists of reservations"
booked=$(book $user_a "$(ahead 600)" -N1)
check "a booking" booked "$booked"
for list in rspb_waiting ,rspb_waiting x,rspb_waiting "rspb_$booked" \
	",rspb_$booked" "rspb_$booked," ",,rspb_$booked,x" "x,rspb_$booked"; do
	check "--reservation=$list: refused" refused "--reservation=$list: " \
		as $user_a sbatch --reservation="$list" --time=1 --wrap true
done
ordinary=$(job $user_a 1 --time=1 --begin=now+1hour)
into_room() {
	! as $user_a scontrol update jobid="$ordinary" reservationname="$1" &&
		scontrol show job "$ordinary" |
		grep 'SystemComment=.*names that begin with rspb are for'
}
check "an update into a list with it: refused" into_room ",rspb_$booked"
check "one into the waiting room: refused" into_room "x,rspb_waiting"
as $user_a scancel "$booked" "$ordinary"
check "nothing is left over" wait_for 20 nothing_left
