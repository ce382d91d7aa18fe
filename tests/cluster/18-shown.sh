# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What is booked besides nodes is seen everywhere: GPUs by type and number, memory,
# licenses; classes of nodes; limits used and left; a change of what was seen before.
# Takes 25 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<'CONF'
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu
Licenses=matlab:10
NodeName=n[1-3] CPUs=16 RealMemory=4000 Feature=plain
NodeName=g1 CPUs=16 RealMemory=4000 Gres=gpu:a100:4 Feature=fast
NodeName=g2 CPUs=16 RealMemory=4000 Gres=gpu:v100:2,gpu:a100:2 Feature=fast,mixed
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=small Nodes=n[1-3] DefaultTime=10 MaxTime=1-00:00:00
CONF
cat >"$folder/gres.conf" <<CONF
NodeName=g1 Name=gpu Type=a100 File=$folder/gpu[0-3]
NodeName=g2 Name=gpu Type=v100 File=$folder/gpu[0-1]
NodeName=g2 Name=gpu Type=a100 File=$folder/gpu[2-3]
CONF
cat >"$folder/rspb.conf" <<CONF
MaxBookedPercent=100
MaxAheadPerUser=8h
Rule=little Partitions=small MaxNodes=2 MaxWaitingPerUser=9
Rule=near Users=$user_b MaxAheadPerUser=60s AheadFrom=1h
NoticeProgram=$folder/notice
CONF
cat >"$folder/notice" <<TEXT
#!/bin/sh
cat >>$folder/notices
TEXT
chmod +x "$folder/notice"
lifted=
cluster_up --conf "$folder/slurm.conf" --gres-conf "$folder/gres.conf" \
	--rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
# asks MESSAGE FILTER: of an answer what jq makes of it.
asks() {
	as $user_a rspb send <<<"$1" | jq -r "$2"
}
# is VALUE MESSAGE FILTER
is() {
	local said
	said=$(asks "$2" "$3")
	[ "$said" = "$1" ] || { as $user_a rspb send <<<"$2"; return 1; }
}

note "GPUs, memory and licenses of a booking"
t=$(ahead 3600)
# line OPTIONS...: what sbatch says at submission.
line() {
	as $user_a sbatch --book --begin="$(slurm_time "$t")" --time=10 --wrap true "$@" 2>&1
}
four=$(book $user_a "$t" -n1 --gpus=4 -w g1)
check "four GPUs and a core are booked" booked "$four"
check "the contract says of which type" contract_says "$four" \
	' cores=1 mem=10 gres=gpu:a100:4 '
check "and so does the list" says 0 "^$four .* 1 +1c +a100:4 " as $user_a rspb list
check "and the whole of it" says 0 '^GRES per node  *4 GPUs \(a100\)$' as $user_a rspb show "$four"
check "with its memory" says 0 '^memory per node  *10 MiB$' as $user_a rspb show "$four"
check "and in JSON" is "gpu:a100:4 4 10" '{"op":"show","job":'"$four"'}' \
	'.booking | "\(.gres) \(.gpus) \(.mem)"'
whole=$(book $user_a "$t" -N1 --exclusive -w g2)
check "a whole node is booked" booked "$whole"
check "of a whole node all GPUs are its own" contract_says "$whole" \
	' gres=gpu:v100:2,gpu:a100:2 '
check "which the list counts by type" wait_for 5 says 0 "^$whole .* 1 +- +v100:2,a100:2 " \
	as $user_a rspb list
licensed=$(book $user_a "$t" -n2 -L matlab:2 -p small)
check "with licenses, too" booked "$licensed"
check "licenses are told" is matlab:2 '{"op":"show","job":'"$licensed"'}' .booking.licenses
check "also in the list, beside memory" wait_for 5 says 0 "^$licensed .* 1 +2c +- +20M +matlab:2 +1.00 " \
	as $user_a rspb list
check "and in full" says 0 '^licenses  *matlab:2$' as $user_a rspb show "$licensed"
check "and the memory of its CPUs" is 20 '{"op":"show","job":'"$licensed"'}' .booking.mem
check "no GPU is told of who has none" is null '{"op":"show","job":'"$licensed"'}' .booking.gres
t=$((t + 700))
any=$(book $user_a "$t" -n1 --gpus=1 -w g2)
check "a GPU of any type of a node with several is a part of it" booked "$any"
check "of which the list tells the type" wait_for 5 says 0 "^$any .* 1 +1c +v100:1 +10M " as $user_a rspb list
check "and the whole of it" wait_for 5 says 0 '^GRES per node  *1 GPU \(v100\)$' as $user_a rspb show "$any"
crowd=$(book $user_a "$t" -N1 -n16 --gpus=1 -w g2)
check "all tasks need room beside it, not half of them" declined "$crowd"
third=$(book $user_a "$t" -n1 --gpus=v100:2 -w g2)
check "what is short is told, with the most that one node has" wait_for 10 contract_says "$third" \
	'not enough GPUs (.v100. )?are free beside others then; the most on one node is 1;'
full=$(book $user_a "$t" -n1 --mem=3995 -w g2)
check "so it is of memory" wait_for 10 contract_says "$full" \
	'not enough memory is free beside others then; the most on one node is 3990 MiB;'
wide=$(book $user_a "$t" -N1 -n16 -w g2)
check "and of cores" wait_for 10 contract_says "$wide" 'no node has so many cores free then; the most on one node is 15;'
check "the list tells what it asked for" wait_for 5 says 0 "^$third .* declined .* 0/1 +1c +v100:2 +10M " \
	as $user_a rspb list
as $user_a scancel "$crowd" "$third" "$full" "$wide"
two=$(book $user_a "$t" -N2 -n2 --gpus-per-node=1 -w g1,g2)
check "so is one on each of two nodes" booked "$two"
check "which is told by node" wait_for 5 says 0 '^by node  *1 core, 1 GPU \(a100\), 10 MiB of g1$' \
	as $user_a rspb show "$two"
check "in JSON, too" is "g1 1 gpu:a100:1;g2 1 gpu:v100:1" '{"op":"show","job":'"$two"'}' \
	'[.booking.by_node[] | "\(.names) \(.nodes) \(.gres)"] | join(";")'
check "and by type in the list" says 0 "^$two .* 2 +1c +a100:1,v100:1 " as $user_a rspb list
t=$((t - 700))
told_part() {
	line "$@" --begin=now+3hours >"$out/line"
	grep -E 'likely: .* on 1 core, 1 GPU \(v100\), 10 MiB of 1 node, with licenses matlab:1 ' \
		"$out/line" && ! grep 'as a whole' "$out/line" || { cat "$out/line"; return 1; }
}
check "the line at submission has the part, its type and licenses" told_part -n1 --gpus=1 \
	-w g2 -L matlab:1
told_at_submission() {
	line "$@" --begin=now+3hours >"$out/line"
	grep -E 'likely: .* on 1 core, 2 GPUs \(a100\), 10 MiB of 1 node ' "$out/line" ||
		{ cat "$out/line"; return 1; }
}
check "the line at submission tells of GPUs" told_at_submission -n1 --gpus=2 -w g1
told_no() {
	line "$@" >"$out/line"
	grep -E '1 core, 3 GPUs \(a100\) on .* not enough GPUs .*are free' "$out/line" ||
		{ cat "$out/line"; return 1; }
}
check "and of which there are too few" told_no -n1 --gpus=a100:3 -w g1
noticed() {
	grep -q '"job":'"$four"',.*"cores":1,"gres":"gpu:a100:4"' "$folder/notices" &&
		grep -q '"job":'"$four"'.*on 1 core, 4 GPUs (a100), 10 MiB of 1 node (g1)' "$folder/notices" ||
		{ cat "$folder/notices"; return 1; }
}
check "so do notices" wait_for 20 noticed
noticed_more() {
	grep -q '"job":'"$any"'.*on 1 core, 1 GPU (v100), 10 MiB of 1 node (g2)\.' "$folder/notices" &&
		grep -q '"job":'"$licensed"'.*20 MiB of 1 node (n[1-3]), with licenses matlab:2' \
			"$folder/notices" || { cat "$folder/notices"; return 1; }
}
check "with types and licenses" wait_for 20 noticed_more
as $user_a scancel "$any" "$two"
pair=$(as $user_a sbatch --parsable --book --begin="$(slurm_time $((t + 700)))" --time=10 -n1 \
	--gpus=a100:2 -w g1 : -n2 --gpus=v100:1 -w g2 --wrap true 2>/dev/null)
check "a heterogeneous job is booked with GPUs" booked "$pair"
check "of which the list counts those of all components" wait_for 5 says 0 \
	"^$pair .* 2 +1-2c +a100:2,v100:1 " as $user_a rspb list
as $user_a scancel "$pair"
waited=$(as $user_a rspb request --wait -n1 --gpus=1 -w g1 --begin=now+5hours --time=10 \
	--wrap true 2>&1)
check "and the answer to who waits for it" grep -E ' on 1 node g1 with 1 core, 1 GPU \(a100\), 10 MiB$' \
	<<<"$waited"

note "what bookings have now"
now=$(book $user_a "$(ahead 4)" -n1 --gpus=2 -w g1 -L matlab:3 --mem=64)
check "a booking begins" wait_for 20 is_state "$now" RUNNING
check "its GPUs, memory and licenses are counted" wait_for 5 is "64 a100 2 6 v100 0 2 matlab 3 10" \
	'{"op":"stats"}' '.stats.taken | [.mem, ((.gpus + .licenses)[] | .name, .booked, .all)] |
	join(" ")'
metrics() {
	as $user_a rspb metrics >"$out/metrics"
	[ "$(grep -cxE 'rspb_(booked_gpus\{type="a100"\} 2|gpus\{type="v100"\} 2|booked_memory_bytes 67108864|booked_licenses\{license="matlab"\} 3|licenses\{license="matlab"\} 10)' \
		"$out/metrics")" = 5 ] && grep -q '^rspb_calendar_booked_gpu_ratio{day="0"} 0\.[0-9]' \
		"$out/metrics" || { cat "$out/metrics"; return 1; }
}
check "for Prometheus, too" metrics
check "and in words" says 0 '^active .* GPUs: a100 2 of 6, v100 0 of 2; licenses: matlab 3 of 10$' \
	as $user_a rspb stats
as $user_a scancel "$now"
check "it ends" wait_for 20 is_booking "$now" terminated

note "the calendar"
check "it has the classes of nodes" is \
	"gpu:a100:4 4 fast main;gpu:v100:2,gpu:a100:2 4 fast,mixed main;null null plain main,small" \
	'{"op":"calendar"}' '[.classes[] | "\(.gres) \(.gpus) \(.features) \(.partitions
	| join(","))"] | join(";")'
check "of all nodes" is "0 1 2-4" '{"op":"calendar"}' '[.classes[].on] | join(" ")'
scontrol update nodename=n3 state=drain reason="a bad <fan>"
check "why a node is out of service" wait_for 10 is '4 a bad <fan>' '{"op":"calendar"}' \
	'.out_of_service[] | "\(.on) \(.reason)"'
scontrol update nodename=n3 state=resume
same() {
	serial=$(asks '{"op":"calendar"}' .serial)
	is "true null null" '{"op":"calendar","seen":'"$serial"'}' \
		'"\(.same) \(.bookings) \(.nodes)"'
}
check "what has been seen is not told again" wait_for 10 same
serial=$(asks '{"op":"calendar"}' .serial)
running=$(job $user_b 600 -n1 --gpus=1 -w g2 --time=10)
check "a regular job begins" wait_for 20 is_state "$running" RUNNING
its_gpu() {
	is 'job gpu:1' '{"op":"calendar"}' '[.others[] | select(.kind=="job") | "\(.kind) \(.gres)"]
		| join(",")'
}
check "its GPU is seen" wait_for 10 its_gpu
check "and what was seen is not the same" is "false" '{"op":"calendar","seen":'"$serial"'}' \
	'.same // false'
private() {
	sed -i '/^PrivateData/d' "$SLURM_CONF"
	echo "PrivateData=reservations" >>"$SLURM_CONF"
	scontrol reconfigure
	wait_for 20 hidden
}
hidden() {
	[ "$(as $user_b rspb send <<<'{"op":"calendar"}' |
		jq -r '[.others[] | select(.kind=="booking" and .gres and .start > now) | "\(.gpus)"] | sort |
			join(" ")')" = "1 1 2 4 4" ] ||
		{ as $user_b rspb send <<<'{"op":"calendar"}'; return 1; }
}
check "of others' private bookings GPUs are seen, and no more" private
sed -i '/^PrivateData/d' "$SLURM_CONF"
scontrol reconfigure

note "limits"
check "limits are told with what is used" is "6 8 2" '{"op":"limits"}' \
	'.limits[] | select(.limit=="MaxWaitingPerUser") | "\(.used) \(.value) \(.left)"'
check "with the rules of a partition" is "9 2" '{"op":"limits","partition":"small"}' \
	'[.limits[] | select(.limit=="MaxWaitingPerUser" or .limit=="MaxNodes").value] |
	reverse | join(" ")'
check "of another user nothing is used" says 0 '^MaxWaitingPerUser  *8  *0  *8$' \
	as $user_b rspb limits
check "node-hours are hours" says 0 '^MaxAheadPerUser .* node-h$' as $user_a rspb limits
check "of no partition that there is" is "there is no partition x" \
	'{"op":"limits","partition":"x"}' .text

near=$(book $user_b "$(ahead 600)" -N1 -t 30)
check "what is free within an hour is taken without a limit" booked "$near"
far=$(book $user_b "$(ahead 7200)" -N1 -t 30)
check "which later bookings have" wait_for 10 contract_says "$far" 'declined.*MaxAheadPerUser'
as $user_b scancel "$near" "$far"

note "slots"
slots() {
	as $user_a rspb slots -t 10 "$@"
}
# slurmctld may have started again to read its configuration (Slurm 23.11 and later).
check "for GPUs of a type" wait_for 10 says 0 ' 1$' slots --gpus=v100:2
check "of which no node has three" says 1 'no node of partition main has 3' slots --gpus=v100:3
check "for features" says 0 ' 3$' slots -C plain -N3
check "of both" says 1 'has only 1 node with' slots -C 'fast&mixed' -N2
check "or either" says 0 ' 5$' slots -C 'fast|plain' -N4
check "but not what Slurm alone knows" says 1 'joined by' slots -C '[fast*1&plain*2]'
check "for named nodes" says 0 ' 3$' slots -w 'n[1-2],g1' -N3
check "which there are" says 1 'no node x1' slots -w x1

note "a change of what was seen before"
# expect WHAT: two people look at a booking, both change it.
start=$(value "$licensed" start)
check "a change of what was expected is made" is true \
	'{"op":"modify","job":'"$licensed"',"duration":1200,"expect":{"start":'"$start"',"nodes":1}}' .ok
end=$((start + 600))
check "one of what is no longer so is not" is changed \
	'{"op":"modify","job":'"$licensed"',"duration":1800,"expect":{"start":'"$start"',"end":'"$end"'}}' \
	.error
check "and says how it is now" is 1 \
	'{"op":"modify","job":'"$licensed"',"duration":1800,"expect":{"end":'"$end"'}}' \
	'.text | [scan("is now booked from .* on 1 node")] | length'
check "it stayed as it was" [ "$(value "$licensed" duration)" = 1200 ]
as $user_a rspb giveback "$licensed" >>"$out/said"
check "nor of what is given back" is changed \
	'{"op":"modify","job":'"$licensed"',"duration":1800,"expect":{"start":'"$start"'}}' .error

note "the schema"
answers_by_schema() {
	as $user_a rspb send >"$out/answers" <<-END
		{"op":"calendar"}
		{"op":"calendar","seen":$(asks '{"op":"calendar"}' .serial)}
		{"op":"list","all":true}
		{"op":"show","job":$four}
		{"op":"stats"}
		{"op":"limits"}
		{"op":"limits","partition":"x"}
		{"op":"slots","duration":600,"gpus":"a100:2","nodelist":"g[1-2]"}
		{"op":"modify","job":$four,"duration":600,"expect":{"start":1}}
	END
	[ "$(grep -c . "$out/answers")" -eq 9 ] || { cat "$out/answers"; return 1; }
	echo '{"version":1,"op":"modify","job":1,"expect":{"start":1}}' >>"$out/answers"
	by_schema "$out/answers" \
		'{"version":1,"op":"modify","job":1,"expect":{"start":1,"state":1}}'
}
check_schema answers_by_schema
