# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What users do in a suite, and what they see; read by lib.sh.

# --- acting as users --------------------------------------------------------

# book USER START [sbatch options]: a booked job of one minute; its id.
book() {
	local user=$1 start=$2
	shift 2
	job "$user" 1 --book --begin="$(slurm_time "$start")" --time=1 "$@"
}

# A whole second, some seconds ahead.
ahead() {
	echo $((EPOCHSECONDS + $1))
}

sleep_until() {
	local left=$(($1 - EPOCHSECONDS))
	[ $left -le 0 ] || sleep $left
}

# --- what they see ----------------------------------------------------------

is_booking() {
	[ "$(booking "$1")" = "$2" ]
}

# contract_says JOB PATTERN
contract_says() {
	contract "$1" | grep -E -- "$2" || { contract "$1"; return 1; }
}

# never_logged FILE TEXT...: no line of a log of the cluster has all of these texts. The sources
# have each of them (tests/rules/never-logged), or this could not fail.
never_logged() {
	local log=$cluster/log/$1 lines text
	[ -s "$log" ] || { echo "$log is empty"; return 1; }
	lines=$(cat "$log")
	for text in "${@:2}"; do
		lines=$(grep -aF -- "$text" <<<"$lines")
	done
	[ -z "$lines" ] || { head -n 3 <<<"$lines"; return 1; }
}

# job_shows JOB PATTERN: as Slurm has it, in detail.
job_shows() {
	scontrol -d -o show job "$1" | grep -E "$2" || { scontrol -d -o show job "$1"; return 1; }
}

# booked JOB...: all are, within the time a decision may take.
booked() {
	local j
	[ $# -gt 0 ] || return 1
	for j in "$@"; do
		[ -n "$j" ] || { echo "it was not submitted"; return 1; }
		wait_for 10 decided "$j"
		is_booking "$j" booked || is_booking "$j" active ||
			is_booking "$j" completed || {
			scontrol show job "$j"
			return 1
		}
	done
}

declined() {
	[ -n "$1" ] || { echo "it was not submitted"; return 1; }
	wait_for 10 decided "$1"
	is_booking "$1" declined || { scontrol show job "$1"; return 1; }
}

job_state() {
	field "$1" JobState
}

is_state() {
	[ "$(job_state "$1")" = "$2" ]
}

# regular OPTIONS...: a job of ten minutes of the second user; its id.
regular() {
	job $user_b 600 --time=10 "$@"
}

# running JOB...: each runs and was never begun again.
running() {
	local j
	for j in "$@"; do
		is_state "$j" RUNNING && [ "$(field "$j" Restarts)" = 0 ] ||
			{ scontrol show job "$j"; return 1; }
	done
}

# gone JOB: slurmctld, which answers, says that it has ended, or knows none such.
gone() {
	ctld_answers || return 1
	case $(job_state "$1") in
	'') ;;
	CANCELLED|COMPLETED|FAILED|TIMEOUT) ;;
	*) return 1 ;;
	esac
}

# starts_at JOB START [LIMIT_MS]: never early, nor late but on a busy machine.
starts_at() {
	local ms limit=${3:-500} left=$(($2 - EPOCHSECONDS + 8)) load=100
	local start_from start_began=${EPOCHREALTIME/./}
	[ $left -ge 1 ] || left=1 # long ago
	load_read; start_from=("$cpu_waits" "$disk_waits" "$stolen")
	wait_for $left began "$1" || {
		echo "job $1 did not start"
		scontrol show job "$1"
		return 1
	}
	ms=$(delay "$1" "$2")
	echo "$ms" >>"$out/delays"
	[ "$ms" -lt 0 ] || [ "$ms" -ge "$limit" ] || return 0
	[ $left -eq 1 ] || load=$(load_since "${start_from[@]}" \
		$((${EPOCHREALTIME/./} - start_began + 1)))
	echo "job $1 started $ms ms after its second, busy for $load %" |
		tee -a "$folder/slow"
	[ "$ms" -ge 0 ] && [ "$ms" -lt $((limit * RSPB_PATIENCE)) ] &&
		{ [ "${RSPB_QUIET:-yes}" != yes ] || [ "$load" -ge 25 ]; }
}

# Which reservations of ours there are, but for the waiting room.
our_reservations() {
	scontrol -o show reservation 2>/dev/null |
		sed -n 's/^ReservationName=\([^ ]*\).*/\1/p' |
		grep '^rspb_[0-9]'
}

# A slurmctld that does not answer has none to show.
no_reservations() {
	ctld_answers && [ -z "$(our_reservations)" ]
}

no_jobs() {
	local jobs
	jobs=$(squeue -h) && [ -z "$jobs" ]
}

# nothing_left: no booking, no job, not even one that completes still.
nothing_left() {
	wait_for 10 ctld_answers || { echo "slurmctld does not answer"; return 1; }
	wait_for 20 no_reservations && wait_for 30 no_jobs ||
		{ our_reservations; squeue; return 1; }
}

# refused WHAT COMMAND...: fails as sbatch does, and its first line tells WHAT.
refused() {
	local what=$1 said rc
	shift
	said=$("$@" 2>&1 >/dev/null)
	rc=$?
	# sbatch itself ends with 255 when an option's plugin says no
	[ $rc -eq 1 ] || [ $rc -eq 255 ] || { echo "status $rc"; return 1; }
	grep -v 'Batch job submission failed' <<<"$said" | grep -qE -- "$what" ||
		{ echo "it said: $said"; return 1; }
	[ "${#said}" -lt 1000 ] || { echo "${#said} characters"; return 1; }
}

# has_accounting: what tests/cluster/accounting.sh needs.
has_accounting() {
	local program
	for program in mariadbd mariadb-install-db my_print_defaults slurmdbd \
		sacctmgr; do
		command -v $program >/dev/null && continue
		skip_suite "no $program here (Debian: apt install" \
			"mariadb-server-core mariadb-client-core slurmdbd)"
	done
}

# told_booked JOB: at once, with as few processes between as can be.
told_booked() {
	local n
	for ((n = 0; n < 1500; n++)); do
		case $(scontrol -o show job "$1") in
		*'AdminComment=rspb: booked'*) return 0 ;;
		esac
		sleep 0.01
	done
	return 1
}
# Slurm's scheduler has looked at it, and says why it waits.
looked_at() {
	case $(field "$1" Reason) in
	None|Priority) return 1 ;;
	esac
}
# there RESERVATION
there() {
	scontrol show reservation "$1" >/dev/null 2>&1
}
not_there() {
	ctld_answers && ! there "$1"
}
# waits_in JOB RESERVATION
waits_in() {
	[ "$(squeue -h -j "$1" -o %v)" = "$2" ] || { squeue -o '%i %v'; return 1; }
}
# counts_as ID TRES...: what Slurm counts and bills.
counts_as() {
	local tres want
	tres=$(scontrol -o show job "$1" | grep -oE ' (Alloc)?TRES=[^ ]*' | tail -n 1)
	echo "$1:$tres"
	for want in "${@:2}"; do
		[[ ,${tres#*TRES=}, == *,"$want",* ]] || return 1
	done
}
