# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# rspb and the broker's socket: what users see of their own and of others', and
# what becomes of messages that nobody honest sends.
# Takes 60 s.
cluster_up --nodes 4 || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
port=$(sed -n 's/^ListenPort=//p' "$cluster/etc/rspb.conf")
munge=$cluster/run/munge.socket
hostile() {
	perl "$RSPB_TOP/tests/cluster/socket.pl" "$port" "$@"
}

note "what users see"
check "slurmctld answers" as $user_a rspb check
t=$(ahead 600)
mine=$(book $user_a "$t" -N2)
theirs=$(book $user_b "$t" -N1)
none=$(book $user_b "$t" -N4)
check "two are booked" booked "$mine" "$theirs"
check "the third is not" declined "$none"
# jobs USER [options of list]: the ids that a user sees
jobs() {
	as "$1" rspb list "${@:2}" | awk 'NR > 1 { print $1 }' | sort -n | xargs
}
sees() {
	local jobs
	jobs=$(jobs "$2" "${@:3}")
	[ "$jobs" = "$1" ] || { echo "$jobs"; return 1; }
}
check "one's own" sees "$mine" $user_a
check "also the declined" sees "$theirs $none" $user_b
check "with --all, others'" sees "$mine $theirs $none" $user_a --all
shows() {
	local said
	said=$(as "$1" rspb show "$2")
	grep -qE "$3" <<<"$said" || { echo "$said"; return 1; }
}
check "its state" shows $user_a "$mine" '^state  *booked$'
check "its nodes" shows $user_a "$mine" '^on  *n\[[0-9,-]+\]$'
check "why not, and what instead" shows $user_b "$none" \
	'^reason .*on offer: .*: rspb accept '"$none"' [0-9]+@'
check "what is cancelled goes" as $user_b scancel "$none"
gone_there() {
	sees "$theirs" $user_b
}
check "from the list, too" wait_for 5 gone_there
# ends_with STATUS COMMAND...
ends_with() {
	local status=$1 rc
	shift
	"$@" >"$out/said" 2>&1
	rc=$?
	[ $rc -eq "$status" ] || { echo "status $rc"; cat "$out/said"; return 1; }
}
check "no such job: 1" ends_with 1 as $user_a rspb show 99999
check "no number: 2" ends_with 2 as $user_a rspb show 0
check "no series: 1" ends_with 1 as $user_a rspb show x
check "no such command: 2" ends_with 2 as $user_a rspb dance
check "nobody there: 3" ends_with 3 as $user_a rspb --server 127.0.0.1:1 list

note "the calendar, as a page"
calendar() {
	as "$1" rspb timeline --json |
		jq -r "$2" >"$out/said" 2>&1
	grep -qxE "$3" "$out/said" || { cat "$out/said"; return 1; }
}
check "has all nodes" calendar $user_a '.nodes | join(" ")' 'n1 n2 n3 n4'
check "and where bookings are" calendar $user_a \
	'.bookings | map(.user + " " + .on) | sort | join(", ")' \
	"$user_b [0-3], $user_a [0-3-]+|$user_a [0-9,-]+, $user_b [0-3]"
check "marks one's own" calendar $user_a \
	'[.bookings[] | select(.mine) | .id] | join(" ")' "rspb_$mine"
# A name is whatever its owner typed.
hostile_name=$(printf '</script><b>\033[31m\302\233x\377')
odd=$(book $user_a "$(ahead 7200)" -N1 --job-name="$hostile_name")
check "one with a hostile name is booked" booked "$odd"
check "its name is text" wait_for 5 calendar $user_a \
	".bookings[] | select(.job == $odd) | .name" '</script><b>\?\[31m\?x\?'
only_text() {
	as $user_a rspb timeline --html=odd.html || return 1
	as $user_a cat odd.html >"$out/page"
	! grep -qE '<.?/script>.?<b>' "$out/page" &&
		grep -qE 'u003c.?/script>.u003cb>' "$out/page"
}
check "also in the page" only_text
as $user_a scancel "$odd"
drawn() {
	as $user_a rspb timeline --html=calendar.html || return 1
	as $user_a cat calendar.html >"$out/page" && grep -q "\"id\":\"rspb_$mine\"" "$out/page"
}
check "is written" drawn
in_letters() {
	as $user_a rspb timeline --begin="$(slurm_time $((t - 60)))" --next=3m \
		--ascii >"$out/said"
	[ "$(grep -cE '^n[1-4] +\|\.+[^.|]*M+' "$out/said")" -eq 2 ] &&
		[ "$(grep -cE '^n[1-4] +\|\.+[^.|]*B+' "$out/said")" -eq 1 ] ||
		{ cat "$out/said"; return 1; }
}
check "is drawn in letters" in_letters
# draws FILTER...: a picture with so many parts of each class.
draws() {
	as $user_a rspb timeline --next=1h --svg=calendar.svg || return 1
	as $user_a cat calendar.svg >"$out/picture"
	python3 - "$out/picture" "$@" <<-'END'
	import sys
	from xml.etree import ElementTree
	svg = "{http://www.w3.org/2000/svg}"
	root = ElementTree.parse(sys.argv[1]).getroot()
	assert root.get("role") == "img" and root.find(svg + "title").text
	described = root.find(svg + "desc").text
	for wanted in sys.argv[2:]:
	    name, count = wanted.split("=")
	    parts = [g for g in root.findall(svg + "g")
	             if g.get("class").split()[0] == name and g.find(svg + "title") is not None]
	    if len(parts) != int(count):
	        sys.exit(f"{len(parts)} of {name}; it says: {described}")
	END
}
check "and as a picture" draws mine=1 booked=1 job=0
tells_of_mine() {
	grep -q "<desc.*1 of them yours.* rspb_$mine of $user_a, booked" "$out/picture"
}
check "which tells who cannot see it" tells_of_mine
work=$(as $user_b sbatch --parsable -N1 -t 5 --wrap 'sleep 60')
check "what stands beside them" wait_for 10 is_state "$work" RUNNING
scontrol create reservation=kept start=now+20minutes duration=5 nodes=n4 \
	users=root >"$out/said"
scontrol create reservation=mended start=now+30minutes duration=5 nodes=n4 \
	users=root flags=maint >"$out/said"
check "is told by kind" wait_for 15 calendar $user_a \
	'[.others[].kind] | sort | join(" ")' 'job maintenance reservation'
check "and drawn so" draws job=1 reserved=1 maintenance=1 mine=1 booked=1
drawn_by_letter() {
	as $user_a rspb timeline --next=1h --ascii >"$out/said"
	grep -qE '^n4 .*R+.*S+' "$out/said" && grep -qE '^n[1-4] .*J+' "$out/said" ||
		{ cat "$out/said"; return 1; }
}
check "also in letters" drawn_by_letter
check "down nodes, too" scontrol update node=n4 state=drain reason=test
check "are told" wait_for 15 calendar $user_a \
	'[.others[].kind] | index("down") != null' true
scontrol update node=n4 state=resume
scontrol delete reservation=kept
scontrol delete reservation=mended
as $user_b scancel "$work"
check "nor what is over" wait_for 20 calendar $user_a '.others | length' 0
# serves USER JQ TEXT [OPTION]: what the page of a user shows to who asks for it.
serves() {
	local said
	said=$(as "$1" python3 - ${4:+"$4"} <<-'END' | jq -r "$2"
	import subprocess, sys, urllib.request
	with subprocess.Popen(["rspb", "timeline", "--serve=0"] + sys.argv[1:],
	                      stdout=subprocess.PIPE, text=True) as served:
	    address, _, token = served.stdout.readline().split()[-1].partition("#t=")
	    wanted = urllib.request.Request(address + "api/v1/calendar",
	                                    headers={"X-Rspb-Token": token})
	    print(urllib.request.urlopen(wanted, timeout=20).read().decode())
	    served.terminate()
	END
	)
	[ "$said" = "$3" ] || { echo "$said"; return 1; }
}
served=yes
! as $user_a timeout 1 rspb timeline --serve=0 2>&1 |
	grep -q 'without libmicrohttpd' || served=no
whose='[.bookings[] | .id, (.mine // false)] | map(tostring) | sort | join(" ")'
if [ $served = yes ]; then
	check "the calendar is served as its user sees it" serves $user_a \
		"$whose" "false rspb_$mine rspb_$theirs true"
	check "or as nobody does" serves $user_a "$whose" \
		"false false rspb_$mine rspb_$theirs" --anonymous
else
	skip "a calendar over HTTP: rspb was built without libmicrohttpd"
fi
check "two pictures at once are none" ends_with 2 as $user_a rspb timeline \
	--svg=x --html=y
check "no picture where none may be" ends_with 2 as $user_a rspb timeline \
	--svg=/proc/none
check "not where it may not be" ends_with 2 as $user_a rspb timeline \
	--html=/proc/none

note "where Slurm keeps them private"
echo PrivateData=jobs >>"$cluster/etc/slurm.conf"
scontrol reconfigure
only_mine() {
	sees "$mine" $user_a --all
}
check "only one's own" wait_for 5 only_mine
[ $served = no ] || check "nobody sees more than windows" serves $user_a \
	'[(.bookings | length), (.others[] | .kind, has("uid"), has("job"))] |
	map(tostring) | join(" ")' \
	"0 booking false false booking false false" --anonymous
check "others' without whose they are" calendar $user_a \
	'[.bookings[].id, .others[].kind] | sort | join(" ")' \
	"booking rspb_$mine"
check "also one by one" ends_with 1 as $user_a rspb show "$theirs"
check "an operator sees all" sees "$mine $theirs" root --all
sed -i 's/^PrivateData=.*/PrivateData=nodes,partitions/' "$cluster/etc/slurm.conf"
scontrol reconfigure
# no_numbers OPTIONS...: rspb slots has starts, and says of no number of nodes.
no_numbers() {
	as $user_a rspb --json slots -t 5 "$@" >"$out/slots" &&
		jq -e '(.slots | length) > 0 and ([.. | objects | has("free") or has("nodes")] |
			any | not) and has("leads") == false' "$out/slots" >/dev/null ||
		{ cat "$out/slots"; return 1; }
}
check "nodes are private: slots has no numbers of nodes" wait_for 5 no_numbers -N1
check "nor does what it prints" as $user_a bash -c \
	'rspb slots -N1 -t 5 | awk "NR > 1 && \$NF != \"-\" { exit 1 }"'
check "nor how many there are" ends_with 1 as $user_a rspb slots -N9 -t 5
check "which is not said" grep -x 'rspb slots: partition main does not have that many nodes' "$out/said"
check "the calendar has the nodes of one's own" calendar $user_a \
	'[(.nodes | length), (.bookings | map(.id) | join(" ")), (.others | length)] |
	map(tostring) | join(" ")' "2 rspb_$mine 0"
check "on which they are drawn" calendar $user_a '.bookings[0].on' 0-1
check "another user those of his own" calendar $user_b \
	'[(.nodes | length), .bookings[].id, (.others | length)] | map(tostring) | join(" ")' \
	"1 rspb_$theirs 0"
check "an operator sees all" calendar root '.nodes | length' 4
check "statistics do not tell either" jq -e '.stats | has("nodes") or has("leads") | not' \
	<(as $user_a rspb --json stats)
sed -i '/^PrivateData/d' "$cluster/etc/slurm.conf"
scontrol reconfigure

note "messages by the schema"
check "what is booked is an agreement on resources" \
	[ "$(rspb show "$mine" --json | jq -r .booking.agreement)" = resource ]
questions='{"op":"ping"}
{"op":"list","all":true}
{"op":"show","job":'$mine'}
{"op":"show","job":99999}
{"op":"calendar"}
{"op":"list","ended":true,"first":1}
{"op":"slots","nodes":2,"duration":600,"most":3}
{"op":"modify","job":'$mine',"duration":120}
{"op":"modify","job":'$theirs',"duration":120}
{"op":"modify","job":'$mine',"nodes":5}
{"op":"offers","job":'$mine'}
{"op":"offers","nodes":4,"duration":600,"asap":true,"benefit":"linear:25%","benefit_time":"linear:10%"}
{"op":"reserve","nodes":1,"duration":600,"users":"'$user_a'"}
{"op":"show","reservation":"group_1"}
{"op":"release","reservation":"group_1"}'
answers_by_schema() {
	as $user_a rspb send <<<"$questions" >"$out/answers" 2>&1
	[ "$(grep -c . "$out/answers")" -eq 15 ] || { cat "$out/answers"; return 1; }
	by_schema "$out/answers" '{"version":1,"ok":true,"now":1,"else":2}'
}
check_schema answers_by_schema
# refuses TEXT MESSAGE [ERROR]
refuses() {
	local said
	said=$(as $user_a rspb send <<<"$2")
	grep -q "\"ok\":false.*\"error\":\"${3:-bad-request}\".*$1" <<<"$said" ||
		{ echo "$said"; return 1; }
}
check "an unknown question" refuses 'op dance' '{"op":"dance"}'
check "a member too many" refuses 'no member job' '{"op":"list","job":1}'
check "one too few" refuses 'needs either job' '{"op":"show"}'
check "in offers more names than nodes could have" \
	refuses 'nodelist=n.*: has 300000000 names; allowed are 4 times the 4 nodes' \
	'{"op":"offers","duration":60,"nodelist":"n[1-100,1-100,1-100][1-1000][1-1000]"}' no
check "or without so many" refuses 'exclude=n.*: has 65536 names' \
	'{"op":"offers","duration":60,"exclude":"n[1-65536]"}' no
check "of offers neither job nor length" refuses 'needs job or reservation, or else duration' \
	'{"op":"offers","nodes":2}'
check "or both" refuses 'needs job or reservation, or else duration' \
	'{"op":"offers","job":1,"duration":60}'
check "one of another kind" refuses 'whole numbers' '{"op":"show","job":"1"}'

note "what nobody honest sends"
# seal TEXT [OPTIONS of munge]: a credential for slurmctld
seal() {
	munge --socket="$munge" --restrict-uid=0 --string="$1" "${@:2}"
}
open_answer() {
	unmunge --socket="$munge" --no-output --output=- 2>&1
}
ping='{"version":1,"op":"ping","tag":"x"}'
closed() {
	local said
	said=$("$@")
	[ "${said%% *}" = closed ] || { echo "$said"; return 1; }
}
honest() {
	local cred
	cred=$(seal "$ping")
	hostile ask "$cred" | open_answer | grep -q '"ok":true' || return 1
	closed hostile ask "$cred"
}
check "a credential is good for once" honest
forged() {
	closed hostile ask "$(seal "$ping" |
		sed -E 's/^(MUNGE:.{60})A/\1B/; t; s/^(MUNGE:.{60})./\1A/')"
}
check "a forged one is not" forged
check "nor one of another time" closed hostile ask \
	"$(seal "$ping" --ttl=1; sleep 2.1)"
check "nor no credential" closed hostile ask "$ping"
stranger() {
	closed hostile ask "$(as $user_a munge --socket="$munge" \
		--restrict-user=$user_b --string="$ping")"
}
check "nor one that is for somebody else" stranger
answered_no() {
	hostile ask "$(seal "$1")" | open_answer | grep -q "$2"
}
check "what is no JSON" answered_no '{"version":1,' 'not one JSON object'
check "a bomb of brackets" answered_no \
	"$(printf '[%.0s' {1..20000})" 'not one JSON object'
check "a version that is to come" answered_no '{"version":9,"op":"list"}' \
	'version 9 of the protocol'
rss() {
	awk '/^VmRSS/ { print $2 }' "/proc/$(ctld_pid)/status"
}
before=$(rss)
check "a frame of 10 MB" closed hostile bytes 00a0000041414141
check "one of 4 GB" closed hostile bytes ffffffff41414141
check "an empty one" closed hostile bytes 00000000
hostile bytes 0000 >"$out/half"
check "half a frame is closed" grep -qE '^closed ([5-9]|1[0-9])[0-9]{3}$' \
	"$out/half"
hostile many 2000 4 >"$out/many" &
many=$!
worst=0
load_read
from=("$cpu_waits" "$disk_waits" "$stolen") at=${EPOCHREALTIME/./}
for _ in {1..20}; do
	began=$(now_ms)
	squeue >/dev/null
	took=$(($(now_ms) - began))
	[ $took -le $worst ] || worst=$took
	sleep 0.1
done
check "meanwhile others are answered" as $user_a rspb list
wait $many
note "with 2000 connections squeue took $worst ms at most; $(xargs <"$out/many")"
# but on a machine that has others to feel
load=$(load_since "${from[@]}" $((${EPOCHREALTIME/./} - at)))
check "squeue does not feel 2000 connections" [ "$worst" -lt $((load < 25 ?
	300 : 2000)) ]
few_left() {
	[ "$(awk '/left/ { print $1 }' "$out/many")" -le 512 ]
}
check "no more than 512 are kept" few_left
grown=$(($(rss) - before))
note "slurmctld has grown by $grown KB"
check "nor much memory" [ $grown -lt 65536 ]

note "how quick it is"
for _ in {1..1000}; do echo '{"op":"show","job":'"$mine"'}'; done >"$out/ask"
began=$(now_ms)
as $user_a rspb send <"$out/ask" >"$out/answers"
took=$(($(now_ms) - began))
note "1000 answers in $took ms"
check "each is answered" [ "$(grep -c '"ok":true' "$out/answers")" -eq 1000 ]
check "in less than 2 s" [ $took -lt $((2000 * RSPB_PATIENCE)) ]

note "settings, and a restart"
sed -i 's/^ListenPort=.*/ListenPort=0/; /^SchedulerParameters/s/,rspb_ListenPort=[0-9]*//' \
	"$cluster/etc/rspb.conf" "$cluster/etc/slurm.conf"
scontrol reconfigure
deaf() {
	ends_with 3 as $user_a rspb --server ":$port" check
}
check "ListenPort=0: nobody listens" wait_for 5 deaf
sed -i "s/^ListenPort=.*/ListenPort=$port/" "$cluster/etc/rspb.conf"
scontrol reconfigure
hears() {
	as $user_a rspb --server ":$port" check
}
check "and again" wait_for 10 hears
ctld_stop KILL
check "slurmctld starts again" ctld_start
back() {
	[ "$(as $user_a rspb --server ":$port" list |
		awk 'NR > 1 { print $1 }')" = "$mine" ]
}
check "and knows its bookings" wait_for 10 back
