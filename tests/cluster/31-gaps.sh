# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Epilogs and prologs that take long: who follows starts on its second all the same.
# Takes 240 s.
cat >"$folder/slurm.conf" <<TEXT
Epilog=$folder/epilog
Prolog=$folder/prolog
PrologFlags=Alloc
TEXT
cat >"$folder/epilog" <<TEXT
#!/bin/sh
echo "\$SLURM_JOB_ID \$SLURMD_NODENAME" >>$folder/epilogs
[ -e $folder/long-prologs ] || sleep 9
TEXT
cat >"$folder/prolog" <<TEXT
#!/bin/sh
[ ! -e $folder/long-prologs ] || sleep 7
TEXT
chmod +x "$folder/epilog" "$folder/prolog"
cluster_up --nodes 2 --conf "$folder/slurm.conf" || exit 1

# from ID: the start that a booking was granted.
from() {
	granted "$1" start
}
gap_of() {
	local first=$1 second=$2 gap
	gap=$(($(from "$second") - $(from "$first") - 60))
	echo "a gap of $gap s"
	[ $gap -ge "$3" ] && [ $gap -le "$4" ]
}

idle() {
	[ "$(sinfo -h -N -n n2 -p main -o %t)" = idle ]
}

note "a gap that the site sets"
printf 'CleanUp=15s\n' >>"$cluster/etc/rspb.conf"
check "the gap is a setting" reconfigure
t=$(ahead 20)
end=$(slurm_time $((t + 600)))
first=$(job $user_a 300 --book --begin="$(slurm_time "$t")" --time=1 -w n1)
check "the first is booked" booked "$first"
touching=$(job $user_b 1 --book --begin="$(slurm_time $((t + 60)))" --time=1 \
	-w n1)
check "windows that touch are declined" declined "$touching"
second=$(job $user_b 1 --book --begin="$(slurm_time "$t")" --deadline="$end" \
	--time=1 -w n1)
check "who follows is booked" booked "$second"
check "with the gap between them" gap_of "$first" "$second" 15 15

note "auto, which has seen nothing yet, on the other node"
sed -i '/^CleanUp/d' "$cluster/etc/rspb.conf"
check "it is the default" reconfigure
now=$(job $user_a 1 --book --time=1 -w n2)
check "a job starts there" wait_for 5 began "$now"
for round in 2 3; do
	check "and ends, and its node is cleaned up" wait_for 20 ended "$now"
	check "which takes long ($round)" wait_for 20 idle
	now=$(job $user_a 1 --time=1 -w n2)
	check "an ordinary job does the same" wait_for 20 began "$now"
done
check "the third ends" wait_for 20 ended "$now"
check "and its node is idle" wait_for 20 idle
# The agent looks once a second at what nodes do.
learned() {
	local u third fourth said
	u=$(ahead 20)
	third=$(job $user_a 1 --book --begin="$(slurm_time "$u")" --time=1 -w n2)
	fourth=$(job $user_b 1 --book --begin="$(slurm_time "$u")" \
		--deadline="$(slurm_time $((u + 600)))" --time=1 -w n2)
	booked "$third" && booked "$fourth" && gap_of "$third" "$fourth" 9 13
	said=$?
	scancel "$third" "$fourth" && return $said
}
check "who follows a booking there has the gap that was learned" \
	wait_for 10 learned

note "the first runs into the end of its window"
check "who follows starts on its second" starts_at "$second" "$(from "$second")"
check "and is over" wait_for 20 gone "$second"

# has_node JOB: it has its node, and nothing of it runs yet.
has_node() {
	is_state "$1" CONFIGURING && ! began "$1"
}
epilog_ran() {
	grep -q "^$1 " "$folder/epilogs"
}
# sits: the job of who sits and waits, named so; nothing while it is not there.
sits() {
	squeue -h -n sits -o %A | grep .
}

note "prologs of seven seconds, and what the site sets"
touch "$folder/long-prologs"
printf 'CleanUp=0s\nPrepare=9s\n' >>"$cluster/etc/rspb.conf"
check "how long before its start a job gets its nodes is a setting" reconfigure
check "all nodes are idle" wait_for 90 sh -c '[ "$(sinfo -h -o %t)" = idle ]'
t=$(ahead 30)
end=$(slurm_time $((t + 600)))
first=$(job $user_a 20 --book --begin="$(slurm_time "$t")" --time=1 -w n1)
touching=$(job $user_b 1 --book --begin="$(slurm_time $((t + 60)))" --time=1 \
	-w n1)
second=$(job $user_b 1 --book --begin="$(slurm_time "$t")" --deadline="$end" \
	--time=1 -w n1)
{
	as $user_a srun -J sits --book --begin="$(slurm_time "$t")" --time=1 \
		-w n2 bash job.sh 1 >/dev/null 2>&1
	echo $? >"$folder/srun"
} &
check "the first is booked" booked "$first"
check "windows that touch are declined" declined "$touching"
check "who follows is booked" booked "$second"
check "with the time between that his node needs" gap_of "$first" "$second" 9 9
check "one who sits and waits asks, too" wait_for 5 sits
sits_job=$(sits)
check "and is booked" booked "$sits_job"
check "a job gets its node before its second" wait_for 20 has_node "$first"
check "and so does his" wait_for 5 has_node "$sits_job"
check "the first command runs on the second" starts_at "$first" "$t"
check "and his" starts_at "$sits_job" "$t" 1000
check "who is told that all went well" wait_for 10 grep -qx 0 "$folder/srun"
check "its time counts from there on" [ "$(field "$first" StartTime)" = \
	"$(slurm_time "$t")" ]
check "to the end of its window" [ "$(field "$first" EndTime)" = \
	"$(slurm_time $((t + 60)))" ]

note "one that is cancelled while its node is prepared"
check "the node is clean" wait_for 20 idle
u=$(ahead 20)
third=$(book $user_a "$u" -w n2)
check "another is booked" booked "$third"
check "and gets its node" wait_for 20 has_node "$third"
check "its owner cancels it" as $user_a scancel "$third"
check "it is over" wait_for 10 gone "$third"
check "what was done on the node is undone there" wait_for 20 epilog_ran "$third"
check "and the node is idle" wait_for 20 idle
check "nothing of it has run" [ ! -e "$out/begin.$third" ]

note "auto, once three prologs have taken as long"
sed -i '/^Prepare/d' "$cluster/etc/rspb.conf"
check "it is the default" reconfigure
for round in 1 2 3; do
	now=$(job $user_a 1 --time=1 -w n2)
	check "an ordinary job waits for its prolog ($round)" wait_for 30 ended "$now"
	check "and its node is clean again" wait_for 20 idle
done
v=$(ahead 25)
now=$(book $user_a "$v" -w n2)
check "another is booked" booked "$now"
check "who follows starts on its second" starts_at "$second" "$(from "$second")"
check "and so does the other" starts_at "$now" "$v"
