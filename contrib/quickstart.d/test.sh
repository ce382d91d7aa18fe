# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# test: everything that can be tested here, from a full build on.

test_passed=0
test_failed=0
test_skipped=0

# test_count LOG BUILD: adds up what automake's test driver reports; what is skipped
# tells why in the last line but one of its own log.
test_count() {
	local key n folder=$2
	while read -r key n; do
		case $key in
		PASS|XFAIL) test_passed=$((test_passed + n)) ;;
		FAIL|XPASS|ERROR) test_failed=$((test_failed + n)) ;;
		SKIP) test_skipped=$((test_skipped + n)) ;;
		esac
	done < <(sed -n 's/^# \([A-Z]*\): *\([0-9]*\)$/\1 \2/p' "$1")
	sed -n 's/^SKIP: //p' "$1" | while read -r key; do
		say "# skipped: $key: $(tail -n 2 "$folder/$key.log" | head -n 1)"
	done
}

# The tests of a build that failed, by the log of its make check.
test_failures() {
	sed -n 's/^\(FAIL\|ERROR\): \([^ ]*\)$/\2/p' "$1" | sort -u
}

# Each failure is named once more before the count, with what its check saw, because a log of
# CI keeps the end of it.
test_complaints=''
test_flaky=0
test_complain() {
	test_complaints+="# $*"$'\n'
	say "# $*"
}

# Print the last line of a test before its verdict.
test_last() {
	grep -v '^FAIL ' "$1" | tail -n 1
}

# test_again LOG BUILD COMMAND...: programs that failed beside others run once more, one by
# one (rules of the house do not: a second time they say the same). One that passes then is
# flaky. A failure of more than two of them counts.
test_again() {
	local name log=$1 folder=$2
	for name in $(test_failures "$log"); do
		cp "$folder/$name.log" "$folder/$name.first"
		if [[ $name == tests/rules/* ]] ||
		   ! "${@:3}" TESTS="$name" >>"$log.again" 2>&1 </dev/null; then
			test_complain "failed: $name: $(test_last "$folder/$name.log")"
			continue
		fi
		test_flaky=$((test_flaky + 1))
		test_complain "flaky, passed when tried again: $name:" \
			"$(test_last "$folder/$name.first")"
		[ $test_flaky -gt 2 ] || {
			test_failed=$((test_failed - 1))
			test_passed=$((test_passed + 1))
		}
	done
}

# test_step TEXT LOG BUILD COMMAND...: a step that runs tests of a build, which are counted;
# a failure of the step itself is one.
test_step() {
	local rc=0 before=$test_failed
	: >"$2"
	step "$1" "$2" "${@:4}" || rc=1
	test_count "$2" "$3"
	[ $rc -ne 0 ] || return 0
	[ $test_failed -gt "$before" ] || {
		test_failed=$((test_failed + 1))
		test_complain "failed: $1: $2"
		return
	}
	test_again "$2" "${@:3}"
}

# test_make TARGET: check, or check-house.
test_make() {
	test_step "make $1" "$build/$1.log" "$build/quickstart" build_make "$1"
}

# test_skip WHAT WHY
test_skip() {
	say "# skipped: $1: $2"
	test_skipped=$((test_skipped + 1))
}

# Slurm's sources in the other Debians, for tests/rules/releases: more of those that
# RSPB_SLURM_SOURCES names. A host that cannot fetch one tests without it, and says so.
test_sources() {
	local suite folder
	[ -z "${RSPB_RELEASE:-}" ] || return 0
	: >"$build/sources.log"
	for suite in bookworm trixie forky; do
		[ "$suite" != "$(. /etc/os-release && say "${VERSION_CODENAME:-}")" ] || continue
		folder=$build/source-$suite
		if source_suite $suite "$folder" "$build/sources.log"; then
			RSPB_SLURM_SOURCES=${RSPB_SLURM_SOURCES:+$RSPB_SLURM_SOURCES:}$folder/slurm
		else
			test_skip "the source of Slurm in Debian $suite" "it cannot be fetched"
		fi
	done
	export RSPB_SLURM_SOURCES
}

# test_beside LOG COMMAND...: the lines of a test command as they come; its last one is
# its count, which is added to ours. RET 124: time_limited has stopped it, which is no
# failure.
test_beside() {
	local last rc log=$1
	shift
	set -m
	("$@" 2>&1 | tee "$log" | sed -u '$d'
		exit "${PIPESTATUS[0]}") &
	step_pid=$!
	set +m
	wait $step_pid
	rc=$?
	step_pid=
	last=$(tail -n 1 "$log")
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]
	then
		test_passed=$((test_passed + BASH_REMATCH[1]))
		test_failed=$((test_failed + BASH_REMATCH[2]))
		test_skipped=$((test_skipped + BASH_REMATCH[3]))
	else
		say "$last"
	fi
	while IFS= read -r last; do
		test_complain "$last"
	done < <(sed -n '/^# failed, all in all:$/,$ { s/^not ok/failed:/p; s/^  # /  /p }' "$log" |
		head -n 60)
	[ $rc -ne 124 ] || return 124
	[ $rc -eq 0 ] || [ "${BASH_REMATCH[2]:-0}" -gt 0 ] || {
		test_failed=$((test_failed + 1))
		test_complain "failed: $1 ends with status $rc: $log"
	}
}

# axe-core, which judges the calendar for accessibility, is no Debian package. A host with npm
# fetches it; its archive must have this sum.
axe_version=4.14.1
axe_sum=e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745
test_axe() {
	local folder=$build/axe-core log=$build/axe-core.log
	[ -z "${RSPB_AXE:-}" ] || return 0
	if [ ! -e "$folder/axe.min.js" ]; then
		mkdir -p "$folder"
		command -v npm >/dev/null && (cd "$folder" &&
			npm pack --silent axe-core@$axe_version >/dev/null &&
			echo "$axe_sum  axe-core-$axe_version.tgz" | sha256sum -c --quiet &&
			tar -xzf axe-core-$axe_version.tgz --strip-components=1 \
				package/axe.min.js) >"$log" 2>&1 || {
			rm -rf "$folder"
			return 0
		}
	fi
	export RSPB_AXE=$folder/axe.min.js
}

# test_clusters NAME [SUITE...]
test_clusters() {
	RSPB_PORTS=$ports RSPB_LOG_DIR=$build/$1-logs test_beside "$build/$1.log" \
		"$top/tests/cluster/run" "${@:2}"
}

# The simulated cluster by the seeds of the day, each of which is a check, for ten minutes
# (RSPB_SIMULATED_MINUTES; 0: none).
test_simulated() {
	local minutes=${RSPB_SIMULATED_MINUTES:-10}
	[ "$minutes" -gt 0 ] || return 0
	test_beside "$build/simulated.log" "$top/tests/simulated/run" --hours 12 \
		--for "$(awk -v m="$minutes" 'BEGIN { print m / 60 }')"
}

# time_left MINUTES WHAT: whether WHAT, which takes so long, ends within RSPB_MINUTES of the
# beginning. If not, it is skipped.
time_left() {
	[ -z "${RSPB_MINUTES:-}" ] || [ $((SECONDS / 60 + $1)) -le "$RSPB_MINUTES" ] && return
	test_skip "$2" "they would not end within $RSPB_MINUTES minutes (RSPB_MINUTES)"
	return 1
}

# time_limited COMMAND...: stopped RSPB_MINUTES after the beginning, with status 124.
time_limited() {
	local rest=0	# no limit
	if [ -n "${RSPB_MINUTES:-}" ]; then
		rest=$((RSPB_MINUTES * 60 - SECONDS))
		[ $rest -gt 0 ] || return 124
	fi
	timeout --foreground --kill-after=300 $rest "$@"
}

# The Debian of another release, with the packages of a test. If the host may not mount, or
# if the archive is out of reach or in the middle of a change, nothing is tested on that
# release, and the reason is printed.
test_root() {
	local log=$build/release-$1.log rc why
	: >"$log"
	step "making a Debian with Slurm $1" "$log" time_limited env RSPB_PREPARE=yes \
		"$top/contrib/quickstart" test --release "$1"
	rc=$?
	[ $rc -ne 0 ] || return 0
	why=$(grep -vE '^(quickstart: .*; all of it: .*)?$' "$log" | tail -n 1)
	[ $rc -ne 124 ] || why="no time left (RSPB_MINUTES)"
	test_skip "suites on Slurm $1" "its Debian cannot be made here: $why"
	return 1
}

# test_on NAME SUITE...: on that release of Slurm.
test_on() {
	test_root "$1" || return 0
	say "on Slurm $1: ${*:2}"
	test_beside "$build/release-$1.log" time_limited "$top/contrib/quickstart" test \
		--release "$1" --ports "$ports" --only "$(IFS=,; echo "${*:2}")"
	[ $? -ne 124 ] || test_skip "suites on Slurm $1" \
		"stopped after $RSPB_MINUTES minutes (RSPB_MINUTES)"
}

# The day, by which a share is chosen; RSPB_DAY=N for another one.
test_day() {
	say "${RSPB_DAY:-$(($(date +%s) / 86400))}"
}

# A seventh of the suites on another release, by the day: all of them within a week. Of
# the releases that RSPB_RELEASES names one week's is one whose source can be had. With
# RSPB_SUITES=all all of them on each.
test_release() {
	local suites name there=() day
	day=$(test_day)
	for name in $RSPB_RELEASES; do
		if source_named "$name" >/dev/null; then
			there+=("$name")
		else
			test_skip "suites on Slurm $name" "its source cannot be had"
		fi
	done
	[ ${#there[@]} -gt 0 ] || return 0
	mapfile -t suites < <(cd "$top/tests/cluster" && printf '%s\n' [0-9]*.sh |
		sed 's/\.sh$//' | awk -v share=$((day % 7)) -v all="${RSPB_SUITES:-}" \
		'all == "all" || NR % 7 == share')
	[ "${RSPB_SUITES:-}" = all ] || there=("${there[$((day / 7 % ${#there[@]}))]}")
	for name in "${there[@]}"; do
		test_on "$name" "${suites[@]}"
	done
}

# README's other command, in a process of its own: one check, by its exit code.
test_demo() {
	local log=$build/demo.log
	: >"$log"
	if step "demo" "$log" "$top/contrib/quickstart" demo --ports "$ports"; then
		test_passed=$((test_passed + 1))
	else
		test_complain "failed: demo: $(grep -m 1 'NOT as expected' "$log" ||
			tail -n 1 "$log")"
		test_failed=$((test_failed + 1))
	fi
}

test_interrupted() {
	trap '' INT TERM HUP
	[ -z "$step_pid" ] || kill -TERM -- "-$step_pid" 2>/dev/null
	wait
	exit 130
}

command_test() {
	trap test_interrupted INT TERM HUP
	if [ -n "${RSPB_PREPARE:-}" ]; then
		mkdir -p "$build" && packages_install "$build/packages.log" "${packages_test[@]}"
		exit
	fi
	build_all "${packages_test[@]}"
	test_axe
	# make check builds it, too
	export SIMULATED=$build/quickstart/tests/simulated/simulated
	[[ $only != *-simulated* ]] || step "building the simulation" "$build/quickstart.log" \
		build_make "${SIMULATED#"$build/quickstart/"}" || exit 1
	[ -n "$only" ] || {
		test_make check
		test_sources
		test_make check-house
	}
	# shellcheck disable=SC2086
	test_clusters cluster ${only//,/ }
	[ -n "$only" ] || test_demo
	if [ -z "$only" ] && [ -z "${RSPB_RELEASE:-}" ]; then
		test_simulated
		[ -z "${RSPB_SANITIZERS:-}" ] || ! time_left 15 "sanitizers" || test_sanitized
		[ -z "${RSPB_RELEASES:-}" ] || ! time_left 17 "suites on another Slurm" ||
			test_release
	fi
	printf %s "$test_complaints"
	say "$test_passed passed, $test_failed failed, $test_skipped skipped"
	[ $test_failed -eq 0 ]
}
