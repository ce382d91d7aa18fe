# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Acting as users of the private cluster, and reading what they see. Shared
# with the cluster tests. $out is a folder that every user may write to.

# Accounts that every Debian has and nobody uses.
user_a=games
user_b=news

# as USER COMMAND...
as() {
	local user=$1
	shift
	(cd "$out" && exec setpriv --reuid="$user" --regid="$user" \
		--init-groups env -i PATH="$PATH" HOME=/nonexistent \
		USER="$user" SLURM_CONF="$SLURM_CONF" LC_ALL=C.UTF-8 "$@")
}

# out_make: the folder, and the job that notes when it began and ended, where.
out_make() {
	mkdir -p "$out" && chmod 1777 "$out" || return 1
	cat >"$out/job.sh" <<'JOB'
#!/bin/bash
begin=$EPOCHREALTIME
echo "$begin" >begin.$SLURM_JOB_ID
sleep ${1:-1}
echo "$begin $EPOCHREALTIME $SLURM_JOB_NODELIST" >ran.$SLURM_JOB_ID
JOB
}

slurm_time() {
	date -d "@$1" +%Y-%m-%dT%H:%M:%S
}

# job USER SECONDS [sbatch options]: an ordinary job's id.
job() {
	local user=$1 seconds=$2
	shift 2
	as "$user" sbatch --parsable -o job-%j.out "$@" job.sh "$seconds"
}

# field JOB NAME: one word of scontrol show job.
field() {
	scontrol -o show job "$1" 2>/dev/null | head -n 1 | tr ' ' '\n' |
		sed -n "s/^$2=//p" | head -n 1
}

# contract JOB: what was asked and granted, as one line.
contract() {
	scontrol show job "$1" 2>/dev/null |
		sed -n 's/^ *AdminComment=//p' | head -n 1
}

# Its state: requested, booked, declined, ...
booking() {
	contract "$1" | awk '{ print $2 }'
}

# granted JOB start|end: that end of the granted window; nothing without one.
granted() {
	local at
	at=$(contract "$1" | grep -oE " $2=[^ ]+") || return 1
	date -d "${at#*=}" +%s
}

decided() {
	case $(booking "$1") in
	''|requested) return 1 ;;
	esac
}

began() {
	[ -s "$out/begin.$1" ]
}

ended() {
	[ -s "$out/ran.$1" ]
}

# delay JOB START: milliseconds to the first command of the job's script.
delay() {
	local at
	at=$(<"$out/begin.$1") || return 1
	at=${at/./}
	echo $(((at - $2 * 1000000) / 1000))
}
