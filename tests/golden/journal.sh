#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rspb-sim journal: a journal that slurmctld recorded, whole, forged, torn, cut
# and with holes; and bad input.
sim=${RSPB_SIM:?the program to test}
recorded=${GOLDEN_DIR:?the folder of vectors}/journal/recorded.jsonl
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=$dir/failed

# gives STATUS WORDS [OPTION...] < JOURNAL
gives() {
	wanted=$1 words=$2
	shift 2
	cat > "$dir/in"
	"$sim" journal "$dir/in" "$@" > "$dir/out" 2> "$dir/err"
	status=$?
	if [ $status -ne "$wanted" ] ||
	   ! cat "$dir/out" "$dir/err" | grep -q "$words"; then
		echo "FAIL status $status, wanted $wanted and: $words"
		cat "$dir/out" "$dir/err"
		: > "$failed"
	fi
}

# refused WORDS < JOURNAL
refused() {
	gives 2 "$1"
	[ ! -s "$dir/out" ] && [ "$(wc -l < "$dir/err")" -eq 1 ] || {
		echo "FAIL it said more than one sentence"
		cat "$dir/out" "$dir/err"
		: > "$failed"
	}
}

# Parts of nodes beside ordinary jobs: booked, moved off a node that failed, forward, and
# by their owners.
gives 0 '^17 decisions, 0 otherwise than recorded$' \
	< "$(dirname "$recorded")/parts.jsonl"
sed '/"booking":{.*"id":5,/s/"whole":1600/"whole":0/' \
	"$(dirname "$recorded")/parts.jsonl" > "$dir/other"
cmp -s "$dir/other" "$(dirname "$recorded")/parts.jsonl" && : > "$failed"
gives 1 'decided otherwise' < "$dir/other"

ten='^10 decisions, 0 otherwise than recorded$'
gives 0 "$ten" < "$recorded"
# Twice in a row is two beginnings.
cat "$recorded" "$recorded" | gives 0 '^20 decisions, 0 otherwise'
cat "$recorded" "$recorded" | gives 0 '^2 beginnings, 0 gaps, 0 torn lines'
# Who was killed while writing, and started again.
{ head -c 5000 "$recorded"; echo; cat "$recorded"; } |
	gives 0 ':15: the line is torn, it is skipped$'
head -c 5000 "$recorded" | gives 0 '1 torn lines, 1 unfinished batches'
{ cat "$recorded"; echo '{"at":9,"gap":{"lost":3,"why":"full"}}'
  cat "$recorded"; } | gives 0 ':43: a gap, at least 3 entries are missing$'
# A torn line in the middle is no accident.
{ head -c 5000 "$recorded"; echo; tail -n 3 "$recorded"; } |
	refused ':15: not a JSON object'

# What has been tampered with.
sed '/"booking":{.*"id":1,/s/"nodes":"0-1"/"nodes":"2-3"/' "$recorded" |
	gives 1 'job 1: recorded booked .* on n3,n4, .*: booked .* on n1,n2,'
sed '/"book":{.*"id":6,/s/"nodes":"1","benefit"/"nodes":"2","benefit"/' \
	"$recorded" |
	gives 1 'job 6: recorded as booked, but that is not what was decided'
sed '/"request":{"id":2,/s/"linear:25%"/"hard"/' "$recorded" |
	gives 1 'job 2: recorded booked'
sed '/"booking":{.*"id":8,/d' "$recorded" |
	refused ': 1 of the 7 decisions before it are missing'
sed '/"machine"/s/"MaxWaitingPerUser":"0"/"MaxWaitingPerUser":"3"/' \
	"$recorded" | gives 1 'job 4: recorded as booked, but you have 3'
sed '/"machine"/s/"degrade":"share-out"/"degrade":"none"/' "$recorded" |
	gives 1 'job 2: recorded booked .*; decided otherwise: declined'

# Other policies: never a failure, recorded beside decided.
gives 0 'acceptance  *0.8571  *0.7143' --preset li-ff < "$recorded"
gives 0 '10 decisions, 1 otherwise than recorded by co-rspb' \
	--compare li-ff,co-rspb < "$recorded"
echo "MaxWaitingPerUser=1" > "$dir/rspb.conf"
gives 0 'job 3: .* declined: you have 1 booking ' --conf "$dir/rspb.conf" \
	< "$recorded"
gives 0 'acceptance  *0.8571  *0.7143  *0.1429$' --compare "li-ff,$dir/rspb.conf" \
	< "$recorded"
gives 2 'mine: a program decides in trace and model alone' --compare "li-ff,mine=cat" \
	< "$recorded"
gives 0 '^{"acceptance":0.714285714,.*"preset":"li-ff"' --preset li-ff \
	--json < "$recorded"
gives 2 'nearest name is "live"' --preset nix < "$recorded"

# Who moves others within their windows is booked, as recorded; who has fixed starts had
# less room beside what others were given than by itself.
moved=$(dirname "$recorded")/moved.jsonl
gives 0 '^3 decisions, 0 otherwise than recorded$' < "$moved"
gives 0 'acceptance  *1.0000  *0.3333  *1.0000$' --compare rb,live < "$moved"
gives 0 'acceptance  *1.0000  *0.6667  *1.0000$' --compare rb,live --apart \
	< "$moved"
# A request that its owner gives up before it begins is given up by all policies.
late='"id":4,"user":7,"arrival":0,"ready":100,"deadline":200,"duration":100,"priority":1,"asap":false,"benefit":"hard","parts":[{"nodes":4,"nodes_min":4,"eligible":"0-3"}]'
{ head -n 15 "$moved"; echo '{"event":{"id":1,"time":0,"event":"cancel"}}
{"request":{'"$late"'}}
{"decide":{"now":0}}
{"booking":{"request":{'"$late"'},"state":"declined","start":0,"end":0,"decided_at":0,"benefit":"0","grants":[],"reason":""}}'
} | gives 0 'acceptance  *0.7500  *0.7500  *0.7500$' --compare rb,live --apart
gives 2 '^rspb-sim: --apart needs a policy' --apart < "$moved"

refused ': has no machine$' < /dev/null
refused ':1: the first line must be the machine' << END
{"request":{"id":1}}
END
gives 2 ':2: after a gap the machine must follow' << END
{"gap":{"lost":1,"why":"x"}}
{"decide":{"now":5}}
END
refused ':1: not one of machine' << END
{"machine":{"nodes":4},"gap":{"lost":1}}
END
refused ':1: not one of machine' << END
{"at":5}
END
refused ':1: field "machine.nodes"' << END
{"machine":{"nodes":0}}
END
refused ':1: field "machine.names": has 1 entries, there are 2 nodes' << END
{"machine":{"nodes":2,"names":["n1"]}}
END
refused ':1: field "machine.policy": when: "soon" is unknown' << END
{"machine":{"nodes":2,"policy":{"order":"priority","when":"soon","where":"best","degrade":"none","trim":true,"distinct":false,"open_end":"deadline","headroom":0,"long_headroom":0,"long_duration":0,"crowd_prompt":false,"patience":0,"tie_load":false,"offer_horizon":0}}}
END
refused ':1: field "machine.policy": field .order. is missing' << END
{"machine":{"nodes":2,"policy":{}}}
END
refused ':1: field "machine.settings": Horizn: is not a key' << END
{"machine":{"nodes":2,"settings":{"Horizn":"5d"}}}
END
refused ':1: field "machine.settings": Horizon: is out of range' << END
{"machine":{"nodes":2,"settings":{"Horizon":"5s"}}}
END
refused ':2: field "event.event": "explode" is not an event' << END
{"machine":{"nodes":2}}
{"event":{"id":1,"time":2,"event":"explode"}}
END
refused ':2: booking 7: it is not in the ledger' << END
{"machine":{"nodes":2}}
{"event":{"id":7,"time":2,"event":"cancel"}}
END
refused ':2: field "move.bookings": must be an array' << END
{"machine":{"nodes":2}}
{"move":{"bookings":7}}
END
refused ':2: booking: ' << END
{"machine":{"nodes":2}}
{"standing":{"id":7}}
END
refused ':3: booking 5: it is not in the ledger' << END
{"machine":{"nodes":2}}
{"request":{"id":1,"user":0,"arrival":0,"ready":1,"deadline":9,"duration":8,"priority":0,"asap":false,"benefit":"hard","parts":[{"nodes":1,"nodes_min":1}]}}
{"decide":{"now":0,"without":5}}
END
refused ':2: field "rescue.id": is missing' << END
{"machine":{"nodes":2}}
{"rescue":{"now":1,"earliest":3,"bookings":[]}}
END
refused ':2: no booking waits that could be placed anew' << END
{"machine":{"nodes":2}}
{"rescue":{"now":1,"id":4,"earliest":3,"bookings":[]}}
END
refused ':2: field "rescue.same": ' << END
{"machine":{"nodes":2}}
{"rescue":{"now":1,"id":4,"earliest":3,"same":"no","bookings":[]}}
END
refused ':2: field "rescue.sooner": ' << END
{"machine":{"nodes":2}}
{"rescue":{"now":1,"id":4,"earliest":3,"sooner":"no","bookings":[]}}
END
refused ':2: field "grow.bookings": must be an array' << END
{"machine":{"nodes":2}}
{"grow":{"now":1,"before":3,"bookings":5}}
END
gives 0 '^0 decisions, 0 otherwise' << END
{"machine":{"nodes":2}}
{"grow":{"now":1,"before":3,"bookings":[]}}
END
refused ':2: field "purge.before": is missing' << END
{"machine":{"nodes":2}}
{"purge":{}}
END
[ ! -e "$failed" ]
