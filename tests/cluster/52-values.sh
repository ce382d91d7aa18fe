# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Every allowed value of each key of rspb.conf, the lowest and the highest of its numbers,
# in force one after another: a request through each door gets an answer, and slurmctld
# is the same process as before. Takes 300 s.
cluster_up --nodes 4 --wide || exit 1
PATH=$cluster/rspb/bin:$PATH
cp "$cluster/etc/rspb.conf" "$folder/base.conf"
pid=$(ctld_pid)

# KEY VALUE...: values separated by blanks; "" is an empty one. A semicolon separates
# another key that the value needs.
values() {
	cat <<'TEXT'
Algorithm live rb rspb co-rspb co-rsbf li-ff li-pe-best li-pe-worst li-du-best li-du-worst
Algorithm li-pedu-best li-pedu-worst pe-worst-load pe-worst-steps pe-worst-calm
Algorithm pe-worst-headroom ff-headroom lazy-worst lazy-best co-rspb-headroom
Order arrival priority deadline laxity minimum smallest price;ChargePercent=100 fair
When ff pe-best pe-worst du-best du-worst pedu-best pedu-worst pe-steps pe-worst-calm fixed
Where lowest best worst gap least-load
Degrade none benefit share-out minimum lazy
Yield none surplus part whole
BatchInterval 50ms 1s 2s
Mode book observe
Allow yes no
Horizon 1m 14d 3650d
SeriesHorizon 1m 3650d
MinNotice 0s 1h 365d
FirmNotice 0s 10m 3650d;OutageNotice=3650d
OutageNotice 10m 1h 3650d
Bookable 0% 1%/1m 50%/4h 90%/365d
ReserveAhead 0s 5m 365d
MaxNodes 0 1 1000000 1% 25%:4 100%
MaxDuration 0s 1s 3650d
MaxNodeHours 0 1 1000000000
MaxWaitingPerUser 0 1 1000000
MaxAheadPerUser 0s 1s 3650d
MaxSeriesAheadPerUser 0s 1s 3650d
MaxWaitingPerAccount 0 1 1000000
MaxAheadPerAccount 0s 1s 3650d
AheadFrom 0s 1s 365d
MaxBookedPercent 1% 50% 100%
StartHours "" Mon-Fri/09:00-17:00
RequestHours "" Mon-Sun/00:00-24:00
ExtendWithin 0s 1s 365d
OnDecline hold cancel ordinary
Overrun end best-effort
CleanUp auto 0s 10m
Prepare auto 0s 10m
ReleaseEarly yes no
Unstartable release hold
StartWithin 1s 5m 365d
NoShow forget count bar bar:1s bar:365d
LateCancel 0s 5m 365d
ChargePercent 0 100 100000
ChargeUnused yes no
GroupBookings no coordinators members any
DedicatedShare 0% 50% 100% 50%,gpu:10%
Colocate no yes no,gpu:yes
Speed 10% 100% 1000% 100%,gpu:200%
Unit node part auto
ShareMode weight ceiling hard
ShareStateDir /run/slurm-rspb
AllowAccounts "" nobody
AllowGroups "" nogroup
AllowQos "" none
ReqResv yes no
ListenAddress "" 127.0.0.1
NoticeProgram "" /bin/true
Remind 0s 1h 365d
HoldFor 0s 1h 1d
Journal yes no
JournalKeep 0s 1s 365d
DebugLocks yes no
Audit yes no
ReportHost node any
ListenPort 0
TEXT
}
# Keys of rspb.conf(5) that the list above lacks.
missing() {
	comm -23 <(sed -n 's/^\.BR \([A-Z][A-Za-z]*\) =.*/\1/p' \
		"$RSPB_TOP/doc/man/rspb.conf.5" | sort -u) \
		<(values | cut -d' ' -f1 | sort)
}
none_missing() {
	[ -z "$(missing)" ] || { missing; return 1; }
}
check "each key of the manual is tried" none_missing

# door COMMAND...: it may be granted or refused, and says which. A command that waits for
# ever, is killed or says nothing has no answer.
door() {
	local rc=0
	"$@" >"$out/said" 2>&1 </dev/null || rc=$?
	[ "$rc" -lt 124 ] || [ "$rc" -eq 255 ] || { echo "$*: status $rc"; return 1; }
	[ -s "$out/said" ] || { echo "$*: no answer"; return 1; }
}
# doors: one request through each, and what it leaves behind.
doors() {
	local begin job
	begin=$(slurm_time $((EPOCHSECONDS + 1800)))
	book_by() {
		door as $user_a timeout 20 sbatch --book -o /dev/null --time=1 \
			--begin="$begin" "$@" --wrap true
	}
	book_by -N1 --benefit=linear:50% || return 1
	job=$(sed -n 's/Submitted batch job //p' "$out/said")
	book_by -n1 --mem=10 || return 1
	book_by -p shared --cpu-share=30% -N1 || return 1
	book_by -N1 --deadline=now+3hours : -N1 || return 1
	door as $user_a timeout 20 rspb slots -N1 -t 10 || return 1
	door as $user_a timeout 20 rspb request -N1 -t 10 --begin="$begin" \
		--for-users=$user_b || return 1
	door as $user_a timeout 20 rspb list || return 1
	if [ -n "$job" ]; then
		door as $user_a timeout 20 rspb modify "$job" --time=2 || return 1
		door as $user_a timeout 20 rspb show "$job" || return 1
	fi
	door timeout 20 scontrol create reservation reservationname=value duration=2 \
		starttime="$begin" users=$user_b flags=any_nodes \
		burstbuffer=rspb:nodes=1 || return 1
	scontrol delete reservationname=value >/dev/null 2>&1
	scancel -u $user_a >/dev/null 2>&1
	door timeout 20 rspb list || return 1
}
# in_force KEY VALUE: the doors answer under it, and slurmctld goes on.
in_force() {
	{
		grep -v "^$1=" "$folder/base.conf"
		printf '%s=%s\n' "$1" "${2//;/$'\n'}"
	} >"$cluster/etc/rspb.conf"
	rspb-sim conf "$cluster/etc/rspb.conf" >"$out/conf" 2>&1 || {
		cat "$out/conf"
		return 1
	}
	reconfigure || { tail -n 3 "$cluster/log/slurmctld.log"; return 1; }
	doors || return 1
	[ "$(ctld_pid)" = "$pid" ] && kill -0 "$pid" || { echo "slurmctld has ended"; return 1; }
}

while read -r key list; do
	note "$key"
	for value in $list; do
		[ "$value" != '""' ] || value=
		check "every door answers with $key=$value" in_force "$key" "$value"
	done
done < <(values)
