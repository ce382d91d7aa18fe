# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# One user's message, however made, neither stops slurmctld nor gets past what
# it checks.
# Takes 100 s.
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
check "it is refused" said '--book: the job has 100000 options'
check "100,000 flags that are none: likewise" \
	no_dearer "$plain" spank=100000:${option}_%d=
check "they are refused" said '--book: the job has 100000 options'
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

note "values that Slurm saves and cannot read"
ordinary=$(send contiguous=1 overcommit=1 kill_on_node_fail=0 2>&1)
check "values that Slurm reads are accepted" [ "${ordinary%% *}" = job ]
for value in contiguous=2 contiguous=65520 overcommit=45 overcommit=255 \
	kill_on_node_fail=2 kill_on_node_fail=65520; do
	send $value >"$out/said" 2>&1
	check "$value: refused" said "$value: Slurm could not read this job"
	send $value spank=1:${option}_book= >"$out/said" 2>&1
	check "$value, with --book: refused" said "$value: Slurm could not read this job"
done
check "slurmctld stops and saves" ctld_stop
check "the next slurmctld starts" ctld_start
check "the job that it can read is there" scontrol show job "${ordinary#job }"
scancel -u $user_b
wait_for 10 scontrol show reservation rspb_waiting

note "a node where nobody books shares"
plain=$(job $user_a 1 -w n1 --time=1)
check "an ordinary job runs there" wait_for 30 gone "$plain"
check "and slurmd's log says nothing of its share" never_logged n1.log "CPU share of job"

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

note "groups whose line is long, groups that are none"
groups_of_our_own() {
	{
		grep -v '^rspb-test-' /etc/group
		printf 'rspb-test-wide:x:64998:'
		printf 'nobody-%d,' {1..2000}
		printf '%s\n' $user_b
	} >"$out/group"
	mkdir "$out/bin"
	cat >"$out/bin/slurmctld" <<TEXT
#!/bin/sh
exec unshare -m sh -c 'mount --bind $out/group /etc/group && exec "\$@"' \
	sh $(command -v slurmctld) "\$@"
TEXT
	chmod +x "$out/bin/slurmctld"
	ctld_stop && PATH=$out/bin:$PATH ctld_start
}
# or refused, where he was looked up within his submission
declined_for_its_groups() {
	[ -n "$1" ] || { grep 'in none of the groups' "$out/why"; return; }
	declined "$1" && scontrol show job "$1" |
		grep 'you are in none of the groups .*rspb-test-wide'
}
if unshare -m mount --bind /etc/group /etc/group; then
	echo "AllowGroups=rspb-test-wide,rspb-test-none" \
		>>"$cluster/etc/rspb.conf"
	check "slurmctld starts with groups of its own" groups_of_our_own
	wait_for 10 scontrol show reservation rspb_waiting
	check "the group that is none is named in its log" wait_for 10 \
		grep 'AllowGroups: there is no group "rspb-test-none"' \
		"$cluster/log/slurmctld.log"
	member=$(book $user_b "$(ahead 600)" -N1)
	check "a member of the long one books" booked "$member"
	as $user_b scancel "$member"
	stranger=$(book $user_a "$(ahead 600)" -N1 2>"$out/why")
	check "who is in none, and not known yet, is declined" \
		declined_for_its_groups "$stranger"
	as $user_a scancel "$stranger"
	check "and then refused at submission" refused \
		'--book: you are in none of the groups .*rspb-test-wide' \
		as $user_a sbatch --book --time=1 --wrap true
	check "nothing is left over" wait_for 20 nothing_left
else
	skip "no namespaces for mounts here, to have groups of our own"
fi

note "a name service that takes three seconds for each question"
${CC:-gcc} -O1 -shared -fPIC -o "$out/names.so" \
	"$RSPB_TOP/tests/cluster/names.c" -ldl || exit 1
sed -i "s/^AllowGroups=.*/AllowGroups=$(id -gn $user_a),$(id -gn $user_b)/" \
	"$cluster/etc/rspb.conf"
grep -q '^AllowGroups' "$cluster/etc/rspb.conf" ||
	echo "AllowGroups=$(id -gn $user_a),$(id -gn $user_b)" >>"$cluster/etc/rspb.conf"
slow_names() {
	: >"$out/names"
	ctld_stop && LD_PRELOAD=$out/names.so RSPB_NAMES_LOG=$out/names \
		RSPB_NAMES_MS=$1 ctld_start
}
check "slurmctld starts with it" slow_names 3000
wait_for 10 scontrol show reservation rspb_waiting
t=$(ahead 35)
first=$(book $user_a "$t" -N1)
asked() {
	[ "$(grep -c getpwuid_r "$out/names")" -ge "$1" ]
}
check "a booking waits for what its user is called" wait_for 15 asked 1
wait_for 15 is_booking "$first" booked
check "and is booked" is_booking "$first" booked
sleep_until $((t - 2))
second=$(book $user_b "$((t + 600))" -N1)
check "while another's is looked up" wait_for 2 asked 2
check "the first starts on its second" starts_at "$first" "$t"
check "and the other is booked" wait_for 15 is_booking "$second" booked
by_others() {
	! grep -vE '^rspb-(users|postman) ' "$out/names"
}
check "nobody asks but the threads that are there for it" by_others
scancel "$first" "$second"
check "nothing is left over" wait_for 20 nothing_left

note "one that takes less than two seconds"
check "slurmctld starts with it" slow_names 700
wait_for 10 scontrol show reservation rspb_waiting
known=$(book $user_b "$(ahead 900)" -N1)
check "one of two users is known" booked "$known"
t=$(ahead 600)
first=$(book $user_a "$t" -N4)
second=$(book $user_b "$t" -N4)
check "the other, who came first, is booked" booked "$first"
check "the one who is known is declined" declined "$second"
scancel "$known" "$first" "$second"
check "nothing is left over" wait_for 20 nothing_left
sed -i '/^AllowGroups/d' "$cluster/etc/rspb.conf"

note "a slurm.conf that does not name our plugin for submissions"
ctld_stop
sed -i '/^AllowGroups/d' "$cluster/etc/rspb.conf"
sed -i.with '/^JobSubmitPlugins/d' "$SLURM_CONF"
check "slurmctld starts" ctld_start
check "its log says that nobody can book" wait_for 10 \
	grep 'nobody can book: JobSubmitPlugins' "$cluster/log/slurmctld.log"
unnamed() {
	refused '--book: this cluster accepts no bookings: JobSubmitPlugins' \
		as $user_a "$1" --book --time=1 "${@:2}"
}
check "sbatch refuses to book" unnamed sbatch --wrap true
check "salloc, too" unnamed salloc true
check "srun, too" unnamed srun true
ordinary=$(job $user_a 0 --time=1)
check "an ordinary job runs" wait_for 30 gone "$ordinary"
conf=$SLURM_CONF
as_before() {
	ctld_stop && mv "$conf.with" "$conf" && ctld_start
}
check "slurmctld starts with it" as_before
wait_for 10 scontrol show reservation rspb_waiting
# the host's own file need not say it
sed '/^JobSubmitPlugins/d' "$conf" >"$out/login.conf"
login() {
	SLURM_CONF=$out/login.conf job $user_a 1 --book --time=1 --begin=now+10minutes
}
from_login=$(login)
check "a login host whose slurm.conf does not name it books" booked "$from_login"
as $user_a scancel "$from_login"
check "nothing is left over" wait_for 20 nothing_left
