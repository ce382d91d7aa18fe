# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The files that doc/security.md names, and the commands of doc/security.md and doc/install.md
# that switch slurm-rspb off, as they are printed there. Takes 25 s.
cluster_up --nodes 4 || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
etc=$cluster/etc
# The port is in rspb.conf alone, as on a site.
sed -i '/^SchedulerParameters/s/,\{0,1\}rspb_ListenPort=[0-9]*//' "$etc/slurm.conf"
port=$(sed -n 's/^ListenPort=//p' "$etc/rspb.conf")
export RSPB_SERVER=:$port
plugins=$cluster/rspb/lib/slurm-rspb
stock=$(sed -n 's/^PluginDir=[^:]*://p' "$etc/slurm.conf")

# A stand-in for systemd, which starts and stops the slurmctld of this cluster.
mkdir "$folder/bin"
cat >"$folder/bin/systemctl" <<'END'
#!/bin/bash
[ "$2" = slurmctld ] || exit 1
case $1 in
stop | restart) touch "$RSPB_ASKED.stop" ;;
start) touch "$RSPB_ASKED.start" ;;
*) exit 1 ;;
esac
[ "$1" != restart ] || touch "$RSPB_ASKED.start"
for ((i = 0; i < 3000; i++)); do
	[ -e "$RSPB_ASKED.stop" ] || [ -e "$RSPB_ASKED.start" ] || exit 0
	sleep 0.1
done
exit 1
END
chmod 755 "$folder/bin/systemctl"
export RSPB_ASKED=$folder/asked
# serve PROCESS: do what the stand-in asks for until that process ends.
serve() {
	while kill -0 "$1" 2>/dev/null; do
		if [ -e "$RSPB_ASKED.stop" ]; then
			ctld_stop || return 1
			rm "$RSPB_ASKED.stop"
		elif [ -e "$RSPB_ASKED.start" ]; then
			ctld_start || return 1
			rm "$RSPB_ASKED.start"
		fi
		sleep 0.1
	done
	wait "$1"
}
# section FILE HEADING: its commands, with the paths of this cluster.
section() {
	awk -v heading="$2" '/^#/ { in_it = $0 ~ "^#+ " heading "$" }
		in_it && /^    / { print substr($0, 5) }' "$RSPB_TOP/doc/$1" |
		sed -e "s,/etc/slurm/,$etc/,g" -e "s,/var/log/slurm/,$cluster/log/,g" \
			-e "s,/usr/lib/x86_64-linux-gnu/slurm-rspb,$plugins,g" \
			-e "s,/usr/lib/x86_64-linux-gnu/slurm-wlm,$stock,g" >"$folder/commands"
	[ -s "$folder/commands" ] || { echo "$1 has no commands below $2"; return 1; }
}
# run FILE HEADING: these commands succeed; what they print is in $out/said.
run() {
	section "$1" "$2" || return 1
	PATH=$folder/bin:$PATH bash -e -o pipefail "$folder/commands" >"$out/said" 2>&1 &
	serve $! || { cat "$folder/commands" "$out/said"; return 1; }
}

note "what is there"
mode() {
	[ "$(stat -c %a "$2")" = "$1" ] || { ls -ld "$2"; return 1; }
}
one=$(book $user_a "$(ahead 60)" -N1)
check "a booking" booked "$one"
check "the journal is for SlurmUser alone" wait_for 10 mode 600 "$cluster/state/rspb.journal"
check "so is the copy of the settings" wait_for 10 mode 600 "$cluster/state/rspb_conf"
check "the socket of shares is for root alone" wait_for 10 mode 600 \
	"$cluster/run/shares/n1/socket"
check "the files of shares are, too" mode 700 "$cluster/run/shares/n1/jobs"
check "no program is setuid or setgid" [ -z "$(find "$cluster/rspb" -perm /6000)" ]
check "the owner cancels it" as $user_a rspb cancel "$one"
check "nothing is left over" wait_for 20 nothing_left

note "a link in the place of the journal"
check "slurmctld stops" ctld_stop
cp "$cluster/state/rspb.journal" "$folder/target"
rm "$cluster/state/rspb.journal"
ln -s "$folder/target" "$cluster/state/rspb.journal"
before=$(stat -c '%Y %s' "$folder/target")
ctld_start
refused() {
	grep -E 'rspb.journal.*(symbolic links|Too many levels)' "$cluster/log/slurmctld.log"
}
check "the log says that it is not followed" wait_for 10 refused
one=$(book $user_a "$(ahead 60)" -N1)
wait_for 10 decided "$one"
check "nothing is written through it" [ "$before" = "$(stat -c '%Y %s' "$folder/target")" ]
as $user_a scancel "$one"
ctld_stop
rm -f "$cluster/state/rspb.journal"
check "slurmctld starts without it" ctld_start

note "a link in the place of the copy of the settings"
rm -f "$cluster/state/rspb_conf"
: >"$folder/target"
ln -s "$folder/target" "$cluster/state/rspb_conf.new"
ln -s "$folder/target" "$cluster/state/rspb_conf"
check "it reconfigures" reconfigure
check "the copy is a file of its own" wait_for 10 test ! -L "$cluster/state/rspb_conf"
check "for SlurmUser alone" mode 600 "$cluster/state/rspb_conf"
check "nothing is written through the links" [ ! -s "$folder/target" ]

note "somebody who answers in place of slurmctld"
# A user's own server, which answers with that user's credential, whatever is asked.
cat >"$folder/server.pl" <<'END'
use IO::Socket::INET;
my ($munge, $told) = @ARGV;
my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5) or die;
open(my $out, ">", "$told.new") or die;
print $out $s->sockport, "\n";
close($out);
rename("$told.new", $told) or die;
while (my $c = $s->accept) {
	my ($head, $text);
	read($c, $head, 4) == 4 && read($c, $text, unpack("N", $head)) or next;
	my $answer = `munge --socket=$munge --string='{"version":1,"ok":true,"now":1,"bookings":[]}'`;
	chomp($answer);
	print $c pack("N", length($answer)), $answer;
	close($c);
}
END
as $user_b perl "$folder/server.pl" "$cluster/run/munge.socket" "$out/told" \
	>"$out/server.log" 2>&1 </dev/null &
server=$!
check "it listens" wait_for 10 test -s "$out/told"
check "a client refuses its answer" says 3 \
	"the answer is from uid $(id -u $user_b), which is not SlurmUser" \
	as $user_a rspb --server ":$(cat "$out/told")" list
pkill -P $server
wait $server 2>/dev/null

note "install.md"
check "the lines of slurm.conf are in force here" eval 'section install.md Configure &&
	sed -n "/^[A-Z][A-Za-z]*=/p" "$folder/commands" >"$folder/lines" &&
	[ "$(grep -c . "$folder/lines")" -eq 4 ] && ! grep -vxFf "$etc/slurm.conf" "$folder/lines"'
check "so is the line of plugstack.conf" eval \
	'grep -F "$(sed -n "s/ user=slurm$//p" "$folder/commands")" "$etc/plugstack.conf"'
live() {
	section install.md Configure &&
		sed -n '/^rspb-check/p' "$folder/commands" >"$folder/restart" &&
		[ -s "$folder/restart" ] || return 1
	PATH=$folder/bin:$cluster/rspb/sbin:$PATH bash -e "$folder/restart" >"$out/said" 2>&1 &
	serve $! || { cat "$out/said"; return 1; }
}
check "its files are checked, and slurmctld starts anew" live
PATH=$cluster/rspb/sbin:$PATH
wait_for 20 rspb check
check "the commands that check the result succeed" run install.md "Check the result"
check "they show a limit in force" grep -E 'Max(Booked|Nodes)' "$out/said"
check "and the flag" grep -e --book "$out/said"

note "the port"
deaf() {
	! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null
}
check "it is open" eval '! deaf'
check "the commands that close it" run security.md "Close the port"
check "nobody listens" wait_for 10 deaf
check "rspb has no answer" eval '! timeout 20 rspb list'
one=$(book $user_a "$(ahead 90)" -N1)
check "sbatch still books" booked "$one"
check "an operator books" scontrol create reservation reservationname=op user=root \
	starttime=now+1hour duration=10 flags=any_nodes BurstBuffer="rspb:nodes=1"
op_booked() {
	scontrol -o show reservation op | grep 'rspb: booked'
}
check "and is answered" wait_for 10 op_booked
scontrol delete reservation=op

note "no new bookings"
check "the commands that stop them" run security.md "Take no new bookings"
regular=$(as $user_a sbatch --parsable --book -N1 -t 1 -o /dev/null --wrap 'sleep 300' \
	2>"$out/line")
check "a request is a regular job" wait_for 20 is_state "$regular" RUNNING
check "which is said" grep 'Mode=observe' "$out/line"
check "the booking of before is kept" booked "$one"

note "bookings as reservations of stock Slurm"
sed -i '/^Mode=/d' "$etc/rspb.conf"
check "bookings again" reconfigure
far=$(book $user_b "$(ahead 86400)" -N1)
check "one in a day" booked "$far"
check "it waits in rspb_later" wait_for 10 eval \
	'squeue -h --reservation=rspb_later -o %A | grep -x "$far"'
check "the first commands of install.md's removal" run install.md Remove
check "nothing waits in rspb_later" wait_for 30 eval \
	'[ -z "$(squeue -h --reservation=rspb_later)" ]'
check "it has a reservation of its own" eval \
	'scontrol -o show reservation "rspb_$far" | grep " Nodes=n"'
check "it is cancelled" as $user_b scancel "$far"

note "everything at once"
sed -i '/^ReserveAhead=/d' "$etc/rspb.conf"
check "no reservation is made in advance" reconfigure
far=$(book $user_b "$(ahead 86400)" -N1)
check "one in a day" booked "$far"
check "the commands that remove everything" eval 'section security.md \
	"Remove everything at once" && sed -i "/scontrol delete/d; /scontrol show/,\$d" \
	"$folder/commands" && { PATH=$folder/bin:$PATH bash -e "$folder/commands" & } &&
	serve $!'
stock() {
	! grep rspb/lib "/proc/$(ctld_pid)/maps"
}
check "slurmctld is stock Slurm" stock
check "the running job continues" is_state "$regular" RUNNING
check "the job of the booking is in the queue" is_state "$one" PENDING
check "its nodes are reserved" eval \
	'scontrol -o show reservation "rspb_$one" | grep " Nodes=n"'
check "the job of the one in a day waits in rspb_later" eval \
	'squeue -h --reservation=rspb_later -o %A | grep -x "$far"'
free_them() {
	section security.md "Remove everything at once" &&
		sed -i -n '/^scontrol show/,$p' "$folder/commands" &&
		bash -e -o pipefail "$folder/commands"
}
check "the last commands take it out" free_them
check "it is a regular job then" eval \
	'is_state "$far" PENDING && ! scontrol -o show job "$far" | grep "Reservation=rspb"'
check "the old files are there" eval 'grep slurm-rspb: "$etc/slurm.conf.rspb" &&
	grep spank_rspb "$etc/plugstack.conf.rspb"'
as $user_a scancel -u $user_a
as $user_b scancel -u $user_b
