# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# demo: bookings of every kind on a private cluster, drawn and measured.

demo_ids=()		# jobs of bookings, in order
demo_failed=0
declare -A demo_letter=() demo_parts=()

demo_fail() {
	say "  NOT as expected: $*"
	demo_failed=$((demo_failed + 1))
}

# demo_show LETTER USER TEXT: what is about to be submitted.
demo_show() {
	printf '\n%s  %s: %s\n' "$1" "$2" "$3"
}

# demo_take LETTER JOB PARTS STATE: waits for the decision, shows it.
demo_take() {
	local p
	if ! [[ $2 =~ ^[0-9]+$ ]]; then
		demo_fail "sbatch refused it"
		return 1
	fi
	demo_letter[$2]=$1 demo_parts[$2]=$3
	wait_for 60 decided "$2" || demo_fail "no decision"
	for ((p = 0; p < $3; p++)); do
		say "   job $(($2 + p)): $(contract $(($2 + p)))"
	done
	[ "$(booking "$2")" = "$4" ] || demo_fail "expected: $4"
	[ "$4" = declined ] || demo_ids+=("$2")
}

# demo_first: a regular job that runs, on one of the nodes, until all requests are
# decided. The answers to the requests depend on it.
demo_first() {
	cat >"$out/first.sh" <<'JOB'
#!/bin/bash
begin=$EPOCHREALTIME
echo "$begin" >begin.$SLURM_JOB_ID
until [ -e planned ]; do sleep 0.2; done
sleep 40
echo "$begin $EPOCHREALTIME $SLURM_JOB_NODELIST" >ran.$SLURM_JOB_ID
JOB
	demo_show o $user_b "regular jobs: one now, for some minutes"
	demo_ordinary=$(as $user_b sbatch --parsable -o job-%j.out -N1 --exclusive \
		--time=30 first.sh)
	wait_for 120 began "$demo_ordinary" || demo_fail "the regular job does not run"
}

# demo_requests LEAD: five requests for LEAD seconds from now; the last cannot be
# granted. Status 1: that time came before all of them were decided.
demo_requests() {
	local j begin
	local -a at
	note_zero=$((EPOCHSECONDS + $1))
	begin=$(slurm_time $note_zero)
	at=(--begin="$begin" --time=1)

	demo_show A $user_a "sbatch --book -N1 --begin=$begin --time=1"
	j=$(job $user_a 12 --book -N1 "${at[@]}")
	demo_take A "$j" 1 booked

	demo_show B $user_b "the same on named nodes: --book -w n7,n8"
	j=$(job $user_b 12 --book -w n7,n8 "${at[@]}")
	demo_take B "$j" 1 booked

	demo_show C $user_a "a co-reservation: --book -N1 : --book -N1"
	j=$(as $user_a sbatch --parsable -o job-%j.out --book -N1 "${at[@]}" \
		: --book -N1 "${at[@]}" job.sh 14)
	demo_take C "$j" 2 booked

	demo_show D $user_b "four nodes, or less: --book -N4 --benefit=linear:25%"
	j=$(job $user_b 10 --book -N4 --benefit=linear:25% "${at[@]}")
	demo_take D "$j" 1 booked
	[[ $(contract "$j") == *" nodes=2/4 "* ]] ||
		demo_fail "expected: two of four nodes"

	demo_show E $user_a "two nodes, not less: --book -N2"
	j=$(job $user_a 10 --book -N2 "${at[@]}")
	demo_take E "$j" 1 declined
	as $user_a scancel "$j"
	[ $EPOCHSECONDS -lt $note_zero ]
}

demo_alone() {
	[ "$(squeue -h -o %A)" = "$demo_ordinary" ] &&
		! scontrol -o show reservation | grep -q '^ReservationName=rspb_[0-9]'
}

# The requests, and regular jobs. On a busy machine the requests may take longer than
# until the time that they ask for: then they are made again, for a later time.
demo_submit() {
	local j lead failed
	demo_first
	failed=$demo_failed
	for lead in 12 36 108; do
		! demo_requests $lead || break
		[ $lead -lt 108 ] || {
			demo_fail "five requests took longer than $lead s"
			break
		}
		printf '\n%s\n' "The requests took longer than $lead s: again, for a later time."
		demo_failed=$failed demo_ids=() demo_letter=() demo_parts=()
		squeue -h -o %A | grep -vx "$demo_ordinary" | xargs -r scancel
		wait_for 120 demo_alone || demo_fail "cancelled jobs are still there"
	done
	: >"$out/planned"

	demo_show o $user_b "more regular jobs: they wait for free nodes"
	for j in 1 2 3 4; do
		demo_ordinary+=" $(job $user_b 8 -N1 --exclusive --time=1)"
	done
}

# Rows for the chart: what is booked, from Slurm's reservations.
demo_windows() {
	local name start end list node id
	scontrol -o show reservation | sed -n \
	    's/^ReservationName=rspb_\([0-9][^ ]*\) StartTime=\([^ ]*\) EndTime=\([^ ]*\).* Nodes=\([^ ]*\).*/\1 \2 \3 \4/p' |
	while read -r name start end list; do
		id=${name%%_*}
		start=$(date -d "$start" +%s) end=$(date -d "$end" +%s)
		for node in $(scontrol show hostnames "$list"); do
			say "window ${demo_letter[$id]:-?} $start $end $node"
		done
	done
}

# What ran, as the jobs noted it; a part without a script ran with its leader.
demo_run() {
	local id=$1 letter=$2 parts=${3:-1} begin end list p node
	[ -s "$out/ran.$id" ] || return 0
	read -r begin end list <"$out/ran.$id"
	for ((p = 0; p < parts; p++)); do
		[ $p -eq 0 ] || list=$(field $((id + p)) NodeList)
		for node in $(scontrol show hostnames "$list"); do
			say "run $letter $begin $end $node"
		done
	done
}

demo_runs() {
	local id
	for id in "${demo_ids[@]}"; do
		demo_run "$id" "${demo_letter[$id]}" "${demo_parts[$id]}"
	done
	for id in $demo_ordinary; do
		demo_run "$id" o
	done
}

demo_chart() {
	sort -V -k5,5 -k1,1r | awk -v from=$((note_zero - 12)) \
		-v to=$((note_zero + 60)) -v zero=$note_zero \
		-f "$parts/chart.awk"
}

# Until all has run: one line for each start, and one now and then.
demo_watch() {
	local id left told=0 end=$((note_zero + 300))
	local -A seen=()
	while [ $EPOCHSECONDS -lt $end ]; do
		left=0
		for id in "${demo_ids[@]}" $demo_ordinary; do
			ended "$id" || left=$((left + 1))
			! began "$id" || [ -n "${seen[$id]:-}" ] || {
				seen[$id]=1
				demo_began "$id"
			}
		done
		[ $left -gt 0 ] || return 0
		if [ $((EPOCHSECONDS - told)) -ge 10 ]; then
			told=$EPOCHSECONDS
			printf '  %+4d s   %s jobs run, %s wait\n' \
				$((told - note_zero)) \
				"$(squeue -h -t R | wc -l)" \
				"$(squeue -h -t PD | wc -l)"
		fi
		sleep 0.2
	done
}

demo_began() {
	local ms
	ms=$(delay "$1" "$note_zero")
	[ "$ms" -ge 0 ] || ms="-$((-ms / 1000)).$(printf %03d $((-ms % 1000)))"
	[ "${ms:0:1}" = - ] ||
		ms="+$((ms / 1000)).$(printf %03d $((ms % 1000)))"
	printf '  %s s   %s began (job %s)\n' "$ms" \
		"${demo_letter[$1]:-o}" "$1"
}

# Honoured: started in the booked minute, never before it. How late it began depends
# on the machine too, and is measured, not judged: the tests do that.
demo_judge() {
	local id ms worst=0 honoured=0
	for id in "${demo_ids[@]}"; do
		if ! began "$id"; then
			demo_fail "${demo_letter[$id]} did not start"
			continue
		fi
		ms=$(delay "$id" "$note_zero")
		if [ "$ms" -lt 0 ] || [ "$ms" -ge 60000 ]; then
			demo_fail "${demo_letter[$id]} started $ms ms from" \
				"its booked start"
			continue
		fi
		honoured=$((honoured + 1))
		[ "$ms" -le $worst ] || worst=$ms
	done
	for id in $demo_ordinary; do
		ended "$id" || demo_fail "regular job $id did not run"
	done
	say
	say "demo: $honoured bookings honoured, worst start delay $worst ms"
	[ $honoured -eq 4 ] && [ $demo_failed -eq 0 ]
}

demo_page() {
	local page=$build/demo.html
	if "$dir/rspb/bin/rspb" timeline --html="$page"; then
		say "The same for a browser: $page"
	else
		demo_fail "the calendar could not be written"
	fi
}

demo_end() {
	trap '' INT TERM HUP
	step_stop
	cluster_end
	if [ "$1" -ne 0 ] && [ "$1" -ne 130 ] && [ -d "$dir/log" ]; then
		rm -rf "$build/demo-log"
		cp -r "$dir/log" "$build/demo-log"
		say "quickstart: its logs are in $build/demo-log"
	fi
	folder_remove
	[ "$1" -ne 130 ] ||
		say "quickstart: interrupted; nothing is left running"
	exit "$1"
}

command_demo() {
	local out rows
	[ "$asked_nodes" = no ] || [ "$nodes" -eq 8 ] ||
		die "the demo is written for 8 nodes"
	nodes=8 wide=yes
	dir=$(mktemp -d /tmp/rspb-demo.XXXXXX) || exit 1
	out=$dir/out
	trap 'demo_end 130' INT TERM HUP
	trap 'demo_end $?' EXIT
	rmdir "$dir"
	build_all
	cluster_start
	export SLURM_CONF=$dir/etc/slurm.conf
	out_make || exit 1

	demo_submit
	rows=$(demo_windows)
	say
	say "The plan: who is promised which node when (. booked)"
	awk '{ print; $1 = "run"; print }' <<<"$rows" | demo_chart
	say
	say "What happens, in seconds from the booked start"
	demo_watch
	say
	say "What happened (. booked; letters: it ran; o regular jobs)"
	{ printf '%s\n' "$rows"; demo_runs; } | demo_chart
	demo_page
	demo_judge
}
