# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# rspb stats: what was asked is counted once, by what became of it, and users see
# their own; as text, as JSON, for Prometheus over HTTP and its dashboard.
# Takes 45 s.
printf "%s\n" LateCancel=1h >"$folder/rspb.conf"
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1
PATH=$cluster/rspb/bin:$PATH
dashboard=$RSPB_TOP/contrib/grafana/slurm-rspb.json

# counted USER FILTER VALUE: what the filter of jq says of the figures, of which those
# of the calendar may be a quarter of a second old.
counted() {
	wait_for 5 counts "$@" || counts "$@"
}
counts() {
	local is
	is=$(as "$1" rspb stats --json | jq -c ".stats | $2")
	[ "$is" = "$3" ] || { echo "$2 is $is"; return 1; }
}
check "nothing at first" counted $user_a \
	'[.totals.decided, .bookings.waiting, (.users | length)]' '[0,0,0]'

note "counts"
t=$(ahead 20)
ran=$(job $user_a 50 --book --begin="$(slurm_time "$t")" --time=1 -N2)
later=$(book $user_a "$(ahead 600)" -N2)
kept=$(book $user_b "$(ahead 3600)" -N3)
check "three are booked" booked "$ran" "$later" "$kept"
none=$(book $user_b "$(ahead 3600)" -N2)
check "one is not" declined "$none"
check "one is refused by the site" \
	refused "Horizon" as $user_b sbatch --book --begin=now+40days -t 5 --wrap 'sleep 1'
check "requests, by what became of them" counted $user_a \
	'.totals | [.decided, .booked, .refused.room, .refused.limits, .benefit]' \
	'[5,3,1,1,3]'
check "what there is now" counted $user_a \
	'.bookings | [.booked + .active, .waiting]' '[3,1]'
check "what is cancelled late" as $user_a scancel "$later"
check "is not used" counted $user_a \
	'.totals | [.cancelled, .no_shows, .node_seconds_booked]' '[1,1,120]'
check "what runs" starts_at "$ran" "$t"
sleep 2
check "is cut short" as $user_a scancel "$ran"
check "and used in part" wait_for 10 counts $user_a '.totals |
	[.terminated, .node_seconds_booked,
	.node_seconds_used > 0 and .node_seconds_used < 60]' '[1,240,true]'

note "the calendar by day"
share_is_right() {
	as $user_a rspb stats --json --days=2 >"$out/said" || return 1
	# Three nodes of four for a minute, of what the two days have left.
	jq -e '.stats | [.load[] | .booked * (.until - .from)] |
		add * 4 | . > 179.9 and . < 180.1' "$out/said" >"$out/is" ||
		{ jq -c .stats.load "$out/said"; return 1; }
}
check "tells what is booked" wait_for 5 share_is_right
check "of so many days" counted $user_a '.load | length' 7

note "users"
check "one's own" counted $user_b \
	"[.users[] | select(.uid == $(id -u $user_b)) | .decided]" '[3]'
check "others', too" counted $user_a '.users | length' 2
reads() {
	as $user_b rspb stats --users >"$out/said"
	grep -qE '^requests +5 decided, 3 booked' "$out/said" &&
		grep -qE "^$user_b +3 +1 " "$out/said" ||
		{ cat "$out/said"; return 1; }
}
check "as text" reads

note "for Prometheus"
page=$out/rspb.prom
check "the metrics are printed" eval 'rspb metrics --users >"$page"'
says_line() {
	grep -qxF "$1" "$page" || { grep "^${1%%[ {]*}" "$page"; return 1; }
}
check "it counts" says_line 'rspb_requests_refused_total{reason="room"} 1'
check "also users" says_line "rspb_user_requests_booked_total{user=\"$user_b\"} 1"
# Buckets grow up to the count, and end with it.
buckets_add_up() {
	awk '/^rspb_lock_held_seconds_bucket\{lock="write"/ {
			if ($2 < last) exit 1
			last = $2
		}
		/^rspb_lock_held_seconds_count\{lock="write"/ { count = $2 }
		END { exit !(count > 0 && count == last) }' "$page"
}
check "its histograms add up" buckets_add_up
# Metrics that the dashboard asks for and the page does not have.
unknown_metrics() {
	jq -r '.. | .expr? // empty' "$dashboard" |
		grep -oE 'rspb_[a-z0-9_]+' | sort -u >"$out/asked"
	[ "$(wc -l <"$out/asked")" -gt 15 ] || { echo "asks for nothing"; return 1; }
	grep -oE '^rspb_[a-z0-9_]+' "$page" | sort -u | comm -23 "$out/asked" - \
		>"$out/unknown"
	[ ! -s "$out/unknown" ] || { cat "$out/unknown"; return 1; }
}
check "the dashboard asks for what there is" unknown_metrics
if command -v promtool >"$out/promtool"; then
	well_formed() {
		promtool check metrics <"$page"
	}
	check "promtool finds nothing wrong" well_formed
else
	skip "no promtool here (Debian: prometheus)"
fi
# Prometheus' conventions, as far as they can be read off the names.
conventional() {
	awk '/^# TYPE / { type[$3] = $4; next }
		/^# HELP / { help[$3] = NF > 3; next }
		{
			name = $1
			sub(/[{].*/, "", name)
			base = name
			if (!(base in type))
				sub(/_(bucket|sum|count)$/, "", base)
			if (!type[base] || !help[base])
				print name ": no TYPE or HELP"
			if ((type[base] == "counter") != (base ~ /_total$/))
				print name ": _total is for counters alone"
			if (type[base] == "histogram" && base !~ /_seconds$/)
				print name ": a histogram without its unit"
			if (base !~ /^rspb_[a-z_]+$/)
				print name ": not a name of ours"
		}' "$page" | sort -u >"$out/odd"
	[ ! -s "$out/odd" ] || { cat "$out/odd"; return 1; }
}
check "names follow Prometheus' conventions" conventional

note "over HTTP"
if command -v curl >"$out/curl"; then
	as $user_b bash -c 'echo $$ >exporter.pid; exec rspb metrics --port=0 --users' \
		>"$out/address" 2>"$out/exporter.err" &
	has_address() {
		grep -qxE 'http://127\.0\.0\.1:[0-9]+/metrics' "$out/address"
	}
	check "an exporter listens on loopback" wait_for 10 has_address
	address=$(cat "$out/address") exporter=$(cat "$out/exporter.pid")
	# fetch STATUS PATTERN URL [options of curl]
	fetch() {
		local said
		said=$(curl -s -m 20 -w '\nstatus %{http_code} %{content_type}\n' "$3" "${@:4}")
		grep -q "^status $1" <<<"$said" && grep -qE "$2" <<<"$said" ||
			{ echo "$said"; return 1; }
	}
	check "the metrics are there" fetch 200 '^rspb_up 1$' "$address"
	check "in the text format" fetch 200 'text/plain; version=0\.0\.4' "$address"
	check "with the users" fetch 200 "^rspb_user_requests_total.user=\"$user_b\"" "$address"
	check "HEAD is allowed" fetch 200 . "$address" --head
	check "POST is not" fetch 405 . "$address" -X POST -d x
	check "nor another path" fetch 404 '/metrics' "${address%metrics}"
	check "nor another name of this host" fetch 403 . "$address" -H 'Host: evil.example'
	# Each scrape shows the present.
	scraped_now() {
		local n
		n=$(curl -s -m 20 "$address" | sed -n 's/^rspb_socket_requests_total //p')
		sleep 1.1
		[ "$(curl -s -m 20 "$address" | sed -n 's/^rspb_socket_requests_total //p')" \
			-gt "$n" ]
	}
	check "each scrape asks slurmctld" scraped_now
	beyond_loopback() {
		local port=${address#http://127.0.0.1:}
		! ss -Hltn "sport = :${port%/metrics}" | grep -v '127\.0\.0\.1:'
	}
	if command -v ss >"$out/ss"; then
		check "nothing beyond loopback reaches it" beyond_loopback
	fi
	ctld_stop
	check "while slurmctld is down rspb_up is 0" wait_for 20 fetch 200 '^rspb_up 0$' "$address"
	ctld_start
	check "and 1 when it is back" wait_for 30 fetch 200 '^rspb_up 1$' "$address"
	kill "$exporter"
	ended() {
		! kill -0 "$exporter" 2>"$out/kill"
	}
	check "SIGTERM ends it" wait_for 10 ended
else
	skip "no curl here (Debian: curl)"
fi

note "where Slurm keeps them private"
echo PrivateData=jobs >>"$cluster/etc/slurm.conf"
# from 23.11 on that is another slurmctld, which begins at nothing
check "it reconfigures" reconfigure
one=$(book $user_a "$(ahead 900)" -N1)
two=$(book $user_b "$(ahead 900)" -N1)
check "two more are booked" booked "$one" "$two"
check "one's own alone" counted $user_a \
	'[.users[].uid]' "[$(id -u $user_a)]"
check "but to an operator" counted root '.users | length' 2
private() {
	as $user_b rspb stats --users >"$out/said"
	grep -q "^$user_b " "$out/said" && ! grep -q "^$user_a " "$out/said" ||
		{ cat "$out/said"; return 1; }
}
check "also as text" private

unreached() {
	! rspb --server 127.0.0.1:1 metrics >"$page" 2>"$out/said" &&
		says_line 'rspb_up 0' && ! grep -q '^rspb_nodes' "$page"
}
check "and says when there is no answer" unreached
# misuse WHAT COMMAND...: ends with 2, and says WHAT.
misuse() {
	local what=$1 said
	shift
	said=$("$@" 2>&1)
	[ $? -eq 2 ] && grep -q "$what" <<<"$said" || { echo "$said"; return 1; }
}
check "not as JSON" misuse "Prometheus" rspb --json metrics
check "not at a port that is none" misuse "allowed are 0" rspb metrics --port=65536
