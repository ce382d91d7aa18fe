# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A damaged journal brings no older promise back over what Slurm has of a booking.
# Takes 55 s.
# what Slurm has of bookings is looked at long before their start
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --nodes 2 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/durable.sh
. "$RSPB_TOP/tests/cluster/durable.sh"
journal=$state/rspb.journal
t=$(ahead 3000)

# moves JOB START
moves() {
	as $user_a "$cluster/rspb/bin/rspb" modify "$1" --begin="$(slurm_time "$2")"
}
starts_at() {
	[ "$(granted "$1" start)" = "$2" ] || { contract "$1"; return 1; }
}
resv_at() {
	scontrol -o show reservation "$1" | grep "StartTime=$(slurm_time "$2") "
}
# last_line JOB: the number of the last line that promises it something.
last_line() {
	grep -n "\"promise\":{\"job\":$1," "$journal" | tail -n 1 | cut -d: -f1
}
# flip LINE PATTERN: one bit of what follows the pattern in that line.
flip() {
	perl -0777 -pi -e 'my ($n, $p) = (@ENV{"line", "pattern"});
		my @l = split /^/; $l[$n - 1] =~ /$p/ or die; my $at = $+[0];
		substr($l[$n - 1], $at, 1) ^= "\x02"; $_ = join "", @l' "$journal"
}

# two_moved: a booking is moved, and another one booked where it was.
two_moved() {
	a=$(book $user_a "$t" -N2)
	check "$1: a booking is moved" moves "$a" $((t + 3600))
	b=$(book $user_b "$t" -N2)
	check "$1: another one is booked where it was" told_booked "$b"
	# Slurm has it, too, as soon as its file is later than a change that came after.
	: >"$out/moved"
	scontrol update jobid="$a" comment=moved
	check "$1: Slurm has saved it" wait_for 15 test "$state/job_state" -nt "$out/moved"
}
both_stand() {
	check "$1: slurmctld starts" ctld_start
	check "$1: both are booked" wait_for 5 booked "$a" "$b"
	check "$1: the moved one stays where it was moved to" starts_at "$a" $((t + 3600))
	check "$1: the other one keeps its start" starts_at "$b" "$t"
	check "$1: Slurm's reservations agree" wait_for 5 \
		eval 'resv_at "rspb_$a" $((t + 3600)) && resv_at "rspb_$b" "$t"'
}
both_end() {
	as $user_a scancel "$a"
	as $user_b scancel "$b"
	wait_for 10 gone "$a" "$b"
}

note "a flipped bit in the last line of a booking"
for pattern in '"job":' 'start=' '"crc":"'; do
	name="a bit after ${pattern//[\":=]/}"
	two_moved "$name"
	kill9
	line=$(last_line "$a") pattern=$pattern flip || not_ok "no such line"
	both_stand "$name"
	check "$name: the log says what counts" said "job $a: the journal has lost"
	[ "$pattern" != start= ] || { kill9; both_stand "$name, killed again"; }
	both_end
done

note "a file that is cut"
two_moved "cut within the line of the move"
kill9
truncate -s $(($(head -n "$(last_line "$a")" "$journal" | wc -c) - 20)) "$journal"
both_stand "cut within the line of the move"
both_end
two_moved "cut before the line of the move"
# Slurm's files are later than a slow disk explains.
sleep 12
touched=$(book $user_a $((t + 9000)) -N1)
check "a third one is booked" told_booked "$touched"
kill9
head -n $(($(last_line "$a") - 1)) "$journal" >"$out/cut"
cp "$out/cut" "$journal"
both_stand "cut before the line of the move"
as $user_a scancel "$touched"
both_end

note "an operator's reservation"
rspb() {
	"$cluster/rspb/bin/rspb" "$@"
}
maint_at() {
	scontrol -o show reservation maint 2>/dev/null |
		grep "StartTime=$(slurm_time "$1") .*BurstBuffer=rspb: booked"
}
make_maint() {
	scontrol create reservation reservationname=maint users=root \
		starttime="$(slurm_time "$t")" duration=10 flags=any_nodes \
		burstbuffer="rspb:nodes=1"
}
# Slurm has saved its reservations anew.
resv_saved() {
	[ "$state/resv_state" -nt "$out/mark" ]
}
# flip_end: in the last line of the reservation.
flip_end() {
	line=$(grep -n '"name":"maint"' "$journal" | tail -n 1 | cut -d: -f1) \
		pattern='"contract":"rs' flip
}
ready() {
	wait_for 5 scontrol show reservation rspb_waiting
	sleep 1
}
check "one is made" make_maint
check "it is booked" wait_for 5 maint_at "$t"
check "it is moved" scontrol update reservationname=maint starttime="$(slurm_time $((t + 1800)))"
check "it is booked there" wait_for 5 maint_at $((t + 1800))
touch "$out/mark"
check "Slurm saves it" wait_for 20 resv_saved
kill9
flip_end || not_ok "no such line"
check "slurmctld starts with a flipped bit in its last line" ctld_start
ready
check "it stays where it was moved to" maint_at $((t + 1800))
kill9
check "slurmctld starts again" ctld_start
ready
check "it stays there" maint_at $((t + 1800))
touch "$out/mark"
check "it is deleted" scontrol delete reservationname=maint
check "Slurm saves that" wait_for 20 resv_saved
sleep 3
kill9
flip_end || not_ok "no such line"
check "slurmctld starts with a flipped bit in the line of its end" ctld_start
ready
check "it is not made again" eval '! maint_at $((t + 1800))'
kill9
check "slurmctld starts once more" ctld_start
ready
check "and it is not made again" eval '! maint_at $((t + 1800))'
