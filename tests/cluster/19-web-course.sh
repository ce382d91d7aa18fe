# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The page of rspb web in real use, in Chromium: eight nodes of which two have GPUs, a week of
# a course, two people at once, a controller that restarts, a server that ends, a page that
# is left open overnight, nights of clock changes; axe-core where it is installed.
# Takes 120 s.
for need in curl python3 chromium chromedriver; do
	command -v $need >/dev/null || skip_suite "$need is missing"
done
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<'CONF'
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu
NodeName=n[1-6] CPUs=16 RealMemory=4000
NodeName=gpu[1-2] CPUs=16 RealMemory=4000 Gres=gpu:a100:4
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=2-00:00:00
CONF
echo "NodeName=gpu[1-2] Name=gpu Type=a100 File=$folder/gpu[0-3]" >"$folder/gres.conf"
echo GroupBookings=any >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
home=$folder/web
install -d -m 700 -o $user_a "$home"
# start_web PORT: 0: any
start_web() {
	# shellcheck disable=SC2016 # of that shell
	as $user_a sh -c 'echo $$ >"$0"; exec "$@"' "$home/pid" env HOME="$home" \
		rspb web --port="$1" >"$folder/address" 2>"$folder/complaint" &
	wait_for 10 grep -q 'Then open: ' "$folder/address"
}
stop_web() {
	kill "$(cat "$home/pid")"
	wait_for 10 eval '! kill -0 "$(cat "$home/pid")" 2>/dev/null'
}
url() {
	sed -n 's/^Then open: *//p' "$folder/address"
}
course=$(as $user_b rspb request --repeat=FREQ=DAILY --count=5 -N2 -t 120 --series=course \
	--begin="$(slurm_time "$(ahead 7200)")" --job-name=course --wrap 'sleep 1' 2>&1)
check "a course is booked on five days" wait_for 30 eval \
	'[ "$(as $user_b rspb --json list | jq "[.bookings[] |
		select(.state==\"booked\")] | length")" = 5 ]'
[ -n "$course" ] || echo "$course"
check "the server starts" start_web 0
port=$(url | sed 's/.*:\([0-9]*\).*/\1/')

# Serve what the page's test asks for while it waits: a file with a word, and one back.
serve_wishes() {
	local wish
	while [ ! -e "$folder/over" ]; do
		# A wish that comes between two commands is not lost.
		wish=
		mv "$folder/wish" "$folder/taken" 2>/dev/null && wish=$(cat "$folder/taken")
		case $wish in
		stop) ctld_stop ;;
		start) ctld_start ;;
		end) stop_web ;;
		# The port is free when the last stream of the old server has ended.
		again) for _ in 1 2 3 4; do
				start_web "$port" && break
				sleep 1
			done ;;
		rival) as $user_b sbatch --book -w "n[1-6]" -N6 -t 60 --exclusive \
			--begin="$(date -d "@$(cat "$folder/at")" +%Y-%m-%dT%H:%M:%S)" \
			--job-name=rival --wrap 'sleep 1' >>"$out/rival" 2>&1 ;;
		esac
		[ -z "$wish" ] || touch "$folder/done"
		sleep .1
	done
}
python3 -B "$RSPB_TOP/tests/calendar/check_course.py" "$folder" >"$out/course" 2>&1 &
page=$!
(wait_for 400 eval "! kill -0 $page 2>/dev/null"; touch "$folder/over") 2>/dev/null &
serve_wishes
wait $page
rc=$?
grep -E '^(#|not ok|Traceback|  File|[A-Za-z]*Error)' "$out/course"
while read -r verdict text; do
	[ "$verdict" != ok ] || check "$text" true
done <"$out/course"
check "all of the page's test" [ $rc -eq 0 ]
check "the booking that was dragged is Slurm's" grep -x 'gpu1 gres/gpu:a100:2' \
	"$folder/dragged"
lanes() {
	as $user_a rspb timeline --svg=- --next=1d >"$out/picture" &&
		[ "$(grep -c 'class="line lane"' "$out/picture")" -ge 6 ] &&
		grep -q '2 GPUs (a100), [0-9]* MiB of each' "$out/picture"
}
check "the picture has lanes of GPUs, too" lanes
if ! grep -q '^# axe' "$out/course"; then
	skip "no axe-core here (npm pack axe-core; RSPB_AXE=FOLDER/axe.min.js)"
fi
stop_web
