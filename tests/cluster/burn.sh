# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Jobs that fight for one CPU, and what each of them got: for suites, which
# source this when their cluster is up. What was measured is in shares.log.
window=12
with=()		# in the environment of their sbatch
cp "$RSPB_TOP/tests/cluster/burn.pl" "$out" || exit 1

# burn_job USER PROCESSES [options]: its id. It waits for the file "go".
burn_job() {
	local user=$1 n=$2
	shift 2
	as "$user" "${with[@]}" sbatch --parsable -o "$out/burn.%j" "$@" \
		--wrap "taskset -c 0 perl $out/burn.pl $out/go $window $n"
}

used() {
	tail -n 1 "$out/burn.$1"
}

ready() {
	local j
	for j in "$@"; do
		[ -s "$out/burn.$j" ] || return 1
	done
}

# go: whoever is ready begins.
go() {
	echo $((EPOCHSECONDS + 2)) >"$out/go.new" && mv "$out/go.new" "$out/go"
}

all_gone() {
	local j
	for j in "$@"; do
		gone "$j" || return 1
	done
}

# burn JOB...: all at once, to their end.
burn() {
	wait_for 40 ready "$@"
	go
	wait_for $((window + 30)) all_gone "$@"
	rm "$out/go"
}

# near WHAT WANTED FOUND: within two points of 100.
near() {
	note "$1: $3, wanted $2" >>"$folder/shares.log"
	awk -v w="$2" -v f="$3" 'BEGIN { d = w - f; exit !(d * d <= 4) }' || {
		echo "$1: $3, wanted $2"
		return 1
	}
}

# parts "70 30" JOB...: what each got of what all got.
parts() {
	local wanted=$1 total=0 job i=1 rc=0
	shift
	total=$(for job in "$@"; do used "$job"; done |
		awk '{ s += $1 } END { print s }')
	for job in "$@"; do
		near "job $job" "$(cut -d' ' -f$i <<<"$wanted")" \
			"$(awk -v u="$(used "$job")" -v t="$total" \
				'BEGIN { print 100 * u / t }')" || rc=1
		i=$((i + 1))
	done
	return $rc
}
