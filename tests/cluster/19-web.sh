# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# rspb web: who reaches it, what it passes on, and that users book, change and cancel
# with it; in a browser, too, where there is one.
# Takes 70 s.
command -v curl >/dev/null || skip_suite "no curl here (Debian: apt install curl)"
echo MaxBookedPercent=100 >"$folder/rspb.conf"
cluster_up --nodes 2 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
home=$folder/web
install -d -m 700 -o $user_a "$home"
socket=$home/web.sock
# start_web USER OPTIONS: in the background, its pid in a file.
start_web() {
	# shellcheck disable=SC2016 # of that shell
	as "$1" sh -c 'echo $$ >"$0"; exec "$@"' "$home/pid" env HOME="$home" SECRET=x \
		rspb web "${@:2}" >"$folder/address" 2>"$folder/complaint" &
}
stop_web() {
	kill "$(cat "$home/pid")"
}
has_address() {
	grep -q 'Then open: ' "$folder/address" || { cat "$folder/complaint"; return 1; }
}
start_web $user_a --socket="$socket"
check "it starts" wait_for 10 has_address
token=$(cat "$socket.token")
json='Content-Type: application/json'
# ask STATUS PATTERN PATH [options of curl]: as its user; what is answered.
ask() {
	local said
	said=$(as $user_a curl -s -m 30 -w ' %{http_code}' --unix-socket "$socket" \
		"${@:4}" "http://localhost$3") || true
	[[ $said == *" $1" ]] && grep -qE -- "$2" <<<"$said" ||
		{ head -c 600 <<<"$said"; return 1; }
}
# api STATUS PATTERN PATH [options]: the same with the token.
api() {
	ask "$1" "$2" "/api/v1/$3" -H "X-Rspb-Token: $token" "${@:4}"
}
# post STATUS PATTERN PATH BODY
post() {
	api "$1" "$2" "$3" -H "$json" --data-binary "$4" "${@:5}"
}

note "who reaches it"
mode() {
	[ "$(stat -c %a "$1")" = "$2" ] || { stat -c %a "$1"; return 1; }
}
check "its socket is its user's alone" mode "$socket" 600
check "and so is the file of the token" mode "$socket.token" 600
connect_as() {
	as "$1" curl -s -m 10 --unix-socket "$socket" http://localhost/
}
refused() {
	! connect_as "$1"
}
check "another user cannot connect" refused $user_b
as_root() {
	curl -s -m 10 --unix-socket "$socket" -H "X-Rspb-Token: $token" \
		http://localhost/api/v1/me
}
not_as_root() {
	! as_root
}
check "a connection of another uid is closed, root's too" not_as_root
check "SlurmUser and root need a switch" says 2 'allow-operator' rspb web --port=0
check "the page comes without a token" ask 200 'app.js' /
check "and has no data" ask 200 'rspb|Bookings' / -H 'X-Rspb-Token: x'
check "data needs the token" ask 401 '"token"' /api/v1/calendar
check "the right one" ask 401 '"token"' /api/v1/calendar \
	-H "X-Rspb-Token: ${token//[0-9a-f]/0}"
check "in its header, not in a cookie" ask 401 '"token"' /api/v1/calendar \
	-H "Cookie: X-Rspb-Token=$token; t=$token"
check "nor in the address" ask 401 '"token"' "/api/v1/calendar?t=$token"
check "a header with the token is enough" api 200 '"serial":' calendar
check "no cookie is set" ask 200 '^[^ ]' / -D "$home/headers"
no_header() {
	! grep -iE "$1" "$home/headers"
}
check "by no header" no_header '^(set-cookie|access-control)'
has_header() {
	grep -iE "$1" "$home/headers" || { cat "$home/headers"; return 1; }
}
check "scripts of others are not run" has_header \
	"^content-security-policy: default-src 'none'; script-src 'self';.*trusted-types"
for host in evil.example localhost.evil.example 127.0.0.1.evil.example:80; do
	check "by the name $host it is not reached (rebinding)" api 403 '"denied"' \
		calendar -H "Host: $host"
done
check "a page of another origin is refused" api 403 'another web site' me \
	-H 'Origin: http://evil.example'
check "also of none" api 403 'another web site' me -H 'Origin: null'
check "also of another port" api 403 'another web site' me \
	-H 'Origin: http://localhost:1'
check "its own is not" api 200 '"user"' me -H 'Origin: http://localhost'
check "nor is what no page asked for" api 200 '"user"' me -H 'Sec-Fetch-Site: none'
for site in cross-site same-site; do
	check "Sec-Fetch-Site: $site is refused" api 403 'another web site' me \
		-H "Sec-Fetch-Site: $site"
done
check "a form of another site is refused" api 415 'application/json' ask \
	-H 'Content-Type: text/plain' --data '{"op":"list"}'
check "there is no CORS" api 405 '"denied"' ask -X OPTIONS
check "what is no JSON is refused" post 400 'bad-request' ask '{"op":'
check "and what slurmctld does not offer here" post 400 'bad-request' ask \
	'{"op":"settings"}'
head -c 5000000 /dev/zero | tr '\0' ' ' >"$home/large"
check "a body of 5 MB is refused" api 413 'too-big' ask -H "$json" \
	--data-binary "@$home/large"
rm -f "$home/large"

note "what a server leaves behind"
check "the token is in no log and in no argument" eval \
	'! grep -rq "$token" "$folder"/complaint /proc/[0-9]*/cmdline 2>/dev/null'
second=$folder/second
install -d -m 700 -o $user_a "$second"
# shellcheck disable=SC2016 # of that shell
as $user_a env -u XDG_RUNTIME_DIR HOME="$second" sh -c \
	'echo $$ >"$0"; exec rspb web --idle=3s' "$second/pid" >"$second/address" 2>&1 &
check "another one starts" wait_for 10 grep -q 'Then open: ' "$second/address"
check "with another token" eval '! grep -q "$token" "$second/address"'
path=$(sed -n 's/.*-L 8765:\(.*\) .*/\1/p' "$second/address")
check "without a runtime directory it makes one that is its user's alone" mode \
	"$(dirname "$path")" 700
check "with a socket that is" mode "$path" 600
idle() {
	[ ! -e "$path" ] && ! kill -0 "$(cat "$second/pid")" 2>/dev/null
}
check "it ends by itself when no browser is there" wait_for 20 idle

note "what it passes on"
check "an option that runs something is refused" post 400 '"bad-request"' submit \
	'{"flags":["--wrap=id"],"hold_nodes":true}'
check "and one with a newline" post 400 'control character' submit \
	'{"flags":["--job-name=a\nb"],"hold_nodes":true}'
check "and a word that is no option" post 400 'write --NAME' submit \
	'{"flags":["-o/tmp/x"],"hold_nodes":true}'
check "a command is shown before it is run" post 200 \
	"sbatch --book --job-name=x '--account=a;b c' --wrap" submit \
	'{"flags":["--book","--job-name=x","--account=a;b c"],"hold_nodes":true,"dry":true}'
hostile="\$(touch $home/hit);<script>"
check "a name is text and runs nothing" post 200 '"job":[1-9]' submit \
	'{"flags":["--book","--nodes=2","--time=10","--begin=now+20minutes","--job-name='"$hostile"'"],"hold_nodes":true}'
check "its script is not run by a shell of the server" [ ! -e "$home/hit" ]
environment() {
	post 200 '"job":[1-9]' submit "$(jq -cn --arg script "#!/bin/sh
env >$home/environment" '{flags: ["--book=asap", "--nodes=1", "--time=1"], script: $script}')" &&
		wait_for 30 [ -s "$home/environment" ] && sleep 1 &&
		! grep -E '^(RSPB_|SLURM_CONF=.*evil|SECRET=)' "$home/environment"
}
check "the job has no environment of the server" environment
check "no file of that name was made" [ ! -e "$home/hit" ]
first=$(squeue -h -u $user_a -o "%A %j" | awk '/touch/ { print $1 }')
has_name() {
	squeue -h -o %j | grep -qxF "$hostile" || { squeue -h -o %j; return 1; }
}
check "and reaches Slurm as it is" has_name
state_is() {
	post 200 "\"state\":\"$2\"" ask "{\"op\":\"show\",\"job\":$1}"
}
check "the request is booked" wait_for 10 state_is "$first" booked
check "and in the calendar" wait_for 10 api 200 "\"job\":$first,.*\"mine\":true" calendar
serial() {
	as $user_a curl -s -m 30 --unix-socket "$socket" -H "X-Rspb-Token: $token" \
		http://localhost/api/v1/calendar | grep -oE '"serial":[0-9]+' | grep -oE '[0-9]+'
}
goes_on() {
	local before time
	sleep 4
	before=$(date +%s)
	time=$(as $user_a curl -s -m 30 --unix-socket "$socket" -H "X-Rspb-Token: $token" \
		http://localhost/api/v1/calendar | jq .time)
	[ "$time" -ge $((before - 1)) ] || { echo "$time is before $before"; return 1; }
}
check "a page that is opened while nothing changes has the time of now" goes_on
known=$(serial)
check "nothing is sent twice" api 200 '"same":true' "calendar?since=$known"

note "changes"
check "the booking is changed" post 200 '"ok":true' ask \
	"{\"op\":\"modify\",\"job\":$first,\"duration\":1200}"
check "an offer is sought" post 200 '"offers":' ask \
	'{"op":"offers","nodes":1,"duration":600}'
check "not twice a second" post 429 'too-many' ask \
	'{"op":"offers","nodes":1,"duration":600}'
others=$(as $user_b sbatch --parsable --book -N1 -t 10 --begin=now+5hours -o /dev/null \
	--wrap "sleep 1" 2>/dev/null)
decided() {
	[ "$(value "$1" state)" = booked ]
}
check "another user books" wait_for 10 decided "$others"
check "whose booking is not this user's to release" post 403 'denied' ask \
	"{\"op\":\"release\",\"job\":$others}"
check "nor to cancel" post 409 'no' cancel "{\"job\":$others}"
as $user_a curl -sN -m 12 --unix-socket "$socket" -H "X-Rspb-Token: $token" \
	http://localhost/api/v1/events >"$home/events" &
stream=$!
sleep 1
check "one's own is cancelled" post 200 '"ok":true' cancel "{\"job\":$first}"
told() {
	[ "$(grep -c '^event: calendar' "$home/events")" -ge 2 ] || { cat "$home/events"; return 1; }
}
check "which the stream of events tells" wait_for 10 told
wait $stream
as $user_b scancel "$others"

note "a controller that restarts"
ctld_stop
check "the page is still there" ask 200 'app.js' /
sleep 2
check "and says that slurmctld is not" api 503 'slurmctld' calendar
ctld_start
check "then goes on" wait_for 30 api 200 '"serial":' calendar
stop_web
gone() {
	[ ! -e "$socket" ] && [ ! -e "$socket.token" ]
}
check "at its end its files are removed" wait_for 10 gone

note "in a browser"
browsers=()
command -v python3 >/dev/null && command -v chromedriver >/dev/null && browsers+=(chromium)
command -v python3 >/dev/null && command -v firefox-esr >/dev/null && browsers+=(firefox)
[ ${#browsers[@]} -gt 0 ] ||
	skip "neither Chromium nor Firefox here (Debian: chromium-driver, firefox-esr)"
# page BROWSER: what a user does in it.
page() {
	RSPB_BROWSER=$1 python3 -B "$RSPB_TOP/tests/calendar/check_booking.py" "$url" 2 \
		>"$out/booking-$1" 2>&1 || { grep -v '^ok' "$out/booking-$1"; return 1; }
}
for browser in "${browsers[@]}"; do
	rm -f "$folder/address"
	start_web $user_a --port=0
	check "it serves loopback" wait_for 10 has_address
	url=$(sed -n 's/^Then open: *//p' "$folder/address")
	check "a user books in $browser" page $browser
	stop_web
	wait_for 10 eval '! kill -0 "$(cat "$home/pid")" 2>/dev/null'
done
if [ ${#browsers[@]} -gt 0 ]; then
	rm -f "$folder/address"
	rspb web --port=0 --allow-operator >"$folder/address" 2>"$folder/complaint" &
	operator=$!
	check "root may serve it, too" wait_for 10 has_address
	url=$(sed -n 's/^Then open: *//p' "$folder/address")
	banner() {
		python3 -B "$RSPB_TOP/tests/calendar/check_operator.py" "$url"
	}
	check "the page then says whose bookings can be changed" banner
	kill $operator
fi
