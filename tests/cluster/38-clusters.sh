# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Two clusters with keys and ports of their own: a job goes where it is worth most,
# parts go to both or to none, and who dies in between leaves nothing behind.
# Takes 90 s.
echo HoldFor=1m >"$folder/rspb.conf"
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
one=$SLURM_CONF
# shellcheck disable=SC2086
RSPB_INSTALLED=$cluster/rspb "$quickstart" up $lifted --dir "$folder/d" --nodes 2 --rspb-conf "$folder/rspb.conf" \
	>"$folder/up2.log" 2>&1 || { cat "$folder/up2.log"; exit 1; }
other_end() {
	"$quickstart" down --dir "$folder/d" >>"$folder/up2.log" 2>&1
	export SLURM_CONF=$one
	suite_end
}
trap other_end EXIT
two=$folder/d/etc/slurm.conf
both() {
	as $user_a rspb --json request --clusters="$one,$two" "$@"
}
# booked_at CONF NODES: what was said last
booked_at() {
	tr -d ' \n' <"$out/said" |
		grep -qE "\"cluster\":\"$1\",\"job\":[0-9]+,[^}]*\"nodes\":$2,"
}
on() {
	SLURM_CONF=$1 "${@:2}"
}
# How many bookings that hold nodes, and jobs, each has.
held() {
	on "$1" rspb list --all | grep -cE ' (booked|held) '
}
none_held() {
	[ "$(held "$one") $(held "$two")" = "0 0" ] || {
		on "$one" rspb list --all
		on "$two" rspb list --all
		return 1
	}
}
no_jobs() {
	[ -z "$(on "$one" squeue -h; on "$two" squeue -h)" ] || {
		on "$one" squeue
		on "$two" squeue
		return 1
	}
}
t=$(slurm_time "$(ahead 7200)")
wrap=(-o /dev/null --wrap "sleep 60")

note "one job, the best of two"
both -N3 -t 30 --begin="$t" "${wrap[@]}" >"$out/said" 2>&1
check "only the first has three nodes" booked_at "$one" 3
check "it is booked there" [ "$(held "$one") $(held "$two")" = "1 0" ]
both -N2 -t 30 --begin="$t" "${wrap[@]}" >"$out/said" 2>&1
check "two are sooner had at the second" booked_at "$two" 2
check "and there alone" [ "$(held "$one") $(held "$two")" = "1 1" ]
check "what none has is refused by all" says 1 'nothing is booked' \
	both -N9 -t 30 --begin="$t" "${wrap[@]}"
check "wrong words are refused" says 2 'must come before the options of sbatch' \
	as $user_a rspb request -N1 --clusters="$one" "${wrap[@]}"
on "$one" scancel -u $user_a
on "$two" scancel -u $user_a
check "all is free again" wait_for 20 no_jobs

note "clusters that are found"
# A stand-in for sacctmgr, which needs a slurmdbd that knows both: here by their files. One is
# not registered.
mkdir -p "$folder/found"
cat >"$folder/found/sacctmgr" <<TEXT
#!/bin/sh
[ "\$*" = "--noheader --parsable2 list clusters format=Cluster,ControlHost,Features,Classification" ] ||
	exit 1
echo "$one|h1|ib,gpu|Capability"
echo "gone||gpu|None"
echo "$two|h2||Capacity"
TEXT
chmod 755 "$folder/found" "$folder/found/sacctmgr"
chmod o+x "$folder"
found() {
	as $user_a env PATH="$folder/found:$PATH" rspb --json request "$@"
}
found --clusters -N2 -t 30 --begin="$t" "${wrap[@]}" >"$out/said" 2>&1
check "without a list those that slurmdbd knows are asked" booked_at "$one" 2
found --clusters=@gpu -N2 -t 30 --begin="$t" "${wrap[@]}" >"$out/said" 2>&1
check "or those of a class" booked_at "$one" 2
found --clusters=@capacity -N1 -t 30 --begin="$t" "${wrap[@]}" >"$out/said" 2>&1
check "which may be a classification" booked_at "$two" 1
check "nobody has a class that is not there" says 2 'knows no cluster of class tape that is up' \
	found --clusters=@tape -N1 -t 30 "${wrap[@]}"
printf '#!/bin/sh\necho "no slurmdbd here"\nexit 1\n' >"$folder/found/sacctmgr"
check "without slurmdbd there is none" says 2 'sacctmgr lists no clusters: no slurmdbd here' \
	found --clusters -N1 -t 30 "${wrap[@]}"
on "$one" scancel -u $user_a
on "$two" scancel -u $user_a
check "all that was found is free again" wait_for 20 no_jobs

note "parts on both, all or none"
both -N4 -t 30 --begin="$t" "${wrap[@]}" : -N2 -t 20 --begin="$t" "${wrap[@]}" \
	>"$out/said" 2>"$out/stderr"
check "four here and two there" [ "$(held "$one") $(held "$two")" = "1 1" ]
starts=$(grep -o '"start": *[0-9]*' "$out/said" | sort -u | wc -l)
check "at one start" [ "$starts" = 1 ]
check "two of four nodes are never at one start" says 1 'nothing is booked' \
	both -N4 -t 30 --begin="$t" "${wrap[@]}" : -N4 -t 20 --begin="$t" "${wrap[@]}"
check "and leaves nothing" [ "$(held "$one") $(held "$two")" = "1 1" ]
on "$one" scancel -u $user_a
on "$two" scancel -u $user_a
check "all is free once more" wait_for 20 no_jobs

note "who dies between hold and accept"
mkfifo "$folder/answer"
sleep 60 >"$folder/answer" &
writer=$!
as $user_a rspb request --clusters="$one,$two" --hold=15s --ask \
	-N4 -t 30 --begin="$t" "${wrap[@]}" : -N2 -t 30 --begin="$t" "${wrap[@]}" \
	<"$folder/answer" >"$out/asked" 2>&1 &
asker=$!
check "both hold" wait_for 20 grep -q 'accept?' "$out/asked"
check "both are seen" [ "$(held "$one") $(held "$two")" = "1 1" ]
broker=$(pgrep -f "rspb request --clusters=$one,$two --hold" | tail -n 1)
kill -KILL "$broker"
kill $writer
wait $asker 2>/dev/null
check "nothing is held longer than the hold" wait_for 20 none_held

note "a study as a job array"
export SLURM_CONF=$one
mkdir -p "$out/study"
cat >"$out/study/load.jsonl" <<'TEXT'
{"type":"config","presets":["li-ff","li-pe-worst"],"seeds":2}
{"name":"low","model":"lublin","params":{"umed":5,"jobs":40}}
TEXT
check "it is taken as two jobs" says 0 'runs 2 parts, then job [0-9]* runs what is missing' \
	rspb-sim study "$out/study/load.jsonl" --out "$out/study" --array 2
check "and comes to a page" wait_for 40 test -s "$out/study/study.html"
check "of all four runs" [ "$(find "$out/study/cells" -name '*.json' | wc -l)" = 4 ]
check "which each part has run" [ "$(find "$out/study" -name 'slurm-*_[01].log' | wc -l)" = 2 ]
