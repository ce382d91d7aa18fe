/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rspb.conf of a run, and what may happen in it, as its seed or its scenario says. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulated/scenario.h"
#include "tests/simulated/world.h"

#define ONE_OF(list) (list)[sim_below(sizeof(list) / sizeof((list)[0]))]

enum { LINES = 64, LINE = 160 };

static char lines[LINES][LINE];
static int n_lines;

/* RET the seconds of 90s, 10m, 8h or 14d. */
static int64_t seconds(const char *text)
{
	char *unit;
	int64_t number = strtoll(text, &unit, 10);

	return number * (*unit == 'd' ? 86400 : *unit == 'h' ? 3600 : *unit == 'm' ? 60 : 1);
}

/* Note what the checks have to know of a line. */
static void learn(struct sim_settings *s, const char *key, const char *is)
{
	if (!strcmp(key, "ReserveAhead"))
		s->reserve_ahead = seconds(is);
	else if (!strcmp(key, "MinNotice"))
		s->min_notice = seconds(is);
	else if (!strcmp(key, "Horizon"))
		s->horizon = seconds(is);
	else if (!strcmp(key, "MaxBookedPercent"))
		s->booked_percent = (uint32_t) strtoul(is, NULL, 10);
	else if (!strcmp(key, "MaxNodes"))
		s->max_nodes = strchr(is, '%') ? 0 : (uint32_t) strtoul(is, NULL, 10);
	else if (!strcmp(key, "slurm.Preempt"))
		s->preempts = !strcmp(is, "yes");
	else if (!strcmp(key, "slurm.PowerSaving"))
		s->power_saving = !strcmp(is, "yes");
	else if (!strcmp(key, "GroupBookings"))
		s->groups |= !strcmp(is, "any");
	else if (!strcmp(key, "NoShow"))
		s->groups |= s->no_show = !strcmp(is, "count");
	else if (!strcmp(key, "MaxDuration"))
		s->max_duration = seconds(is);
	else if (!strcmp(key, "MaxAheadPerUser"))
		s->max_ahead = seconds(is);
	else if (!strcmp(key, "MaxSeriesAheadPerUser"))
		s->max_series_ahead = seconds(is);
	else if (!strcmp(key, "MaxAheadPerAccount"))
		s->account_ahead = seconds(is);
	else if (!strcmp(key, "MaxWaitingPerAccount"))
		s->account_waiting = (uint32_t) strtoul(is, NULL, 10);
	else if (!strcmp(key, "MaxNodeHours"))
		s->node_hours = (uint32_t) strtoul(is, NULL, 10);
	else if (!strcmp(key, "MaxWaitingPerUser"))
		s->max_waiting = (uint32_t) strtoul(is, NULL, 10);
	else if (!strcmp(key, "ChargePercent"))
		s->charge_percent = (uint32_t) strtoul(is, NULL, 10);
	else if (!strcmp(key, "ChargeUnused"))
		s->charge_unused = !strcmp(is, "yes");
	else if (!strcmp(key, "Remind"))
		s->remind = seconds(is);
	else if (!strcmp(key, "slurm.Parts"))
		s->parts = !strcmp(is, "yes");
	else if (!strcmp(key, "slurm.Partitions"))
		s->partitions = !strcmp(is, "yes");
	else if (!strcmp(key, "slurm.OverSubscribe"))
		s->small_over = !strcmp(is, "YES")	   ? SIM_YES
				: !strcmp(is, "FORCE")	   ? SIM_FORCE
				: !strcmp(is, "EXCLUSIVE") ? SIM_EXCLUSIVE
							   : SIM_NO;
	else if (!strcmp(key, "slurm.PriorityTier"))
		s->small_first = strtol(is, NULL, 10) > 1;
	else if (!strcmp(key, "slurm.MaxCPUsPerNode"))
		s->small_cpus = (uint32_t) strtoul(is, NULL, 10);
	else if (!strcmp(key, "slurm.Priorities"))
		s->priorities = !strcmp(is, "yes");
	else if (!strcmp(key, "slurm.Weights"))
		s->weights = !strcmp(is, "yes");
	else if (!strcmp(key, "slurm.Switches"))
		s->switches = !strcmp(is, "yes");
	else if (!strcmp(key, "slurm.Backfill"))
		s->backfill = !strcmp(is, "yes");
	else if (!strcmp(key, "slurm.NodeList"))
		s->node_list = !strcmp(is, "yes");
	else if (!strcmp(key, "Algorithm"))
		s->first_start = !strcmp(is, "rb");
	else if (!strcmp(key, "Overrun"))
		s->overrun_ends = !strcmp(is, "end");
	else if (!strcmp(key, "Unstartable"))
		s->keeps_stuck = !strcmp(is, "hold");
	else if (!strcmp(key, "ReleaseEarly"))
		s->release_early = !strcmp(is, "yes");
}

bool sim_settings_line(const char *line)
{
	char key[LINE];
	char *is;

	if (n_lines == LINES || strlen(line) >= LINE)
		return false;
	snprintf(key, sizeof(key), "%s", line);
	is = strchr(key, '=');
	if (!is)
		return false;
	*is = '\0';
	if (!n_lines)
		sim_run.settings = (struct sim_settings){
			.reserve_ahead = 300,
			.horizon = 14 * 86400,
			.booked_percent = 100,
			.release_early = true,
			.charge_unused = true,
		};
	learn(&sim_run.settings, key, is + 1);
	snprintf(lines[n_lines++], LINE, "%s", line);
	return true;
}

bool sim_settings_change(const char *line)
{
	size_t len = strcspn(line, "=") + 1;

	for (int i = 0; i < n_lines; i++)
		if (!strncmp(lines[i], line, len)) {
			snprintf(lines[i], LINE, "%s", line);
			return true;
		}
	return false;
}

static void set(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void set(const char *fmt, ...)
{
	char line[LINE];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	if (!sim_settings_line(line)) {
		fprintf(stderr, "%s: too many lines for rspb.conf\n", line);
		exit(2);
	}
}

void sim_settings_choose(void)
{
	static const int aheads[] = { 120, 300, 300, 3600, 0 };
	static const int notices[] = { 0, 0, 0, 300 };
	static const int horizons[] = { 14 * 86400, 14 * 86400, 8 * 3600 };
	static const int firm[] = { 600, 600, 60, 3600 };
	static const int percents[] = { 100, 100, 50, 30 };
	static const int most[] = { 0, 0, 8 };
	static const char *const algorithms[] = { "live", "live", "live", "rb" };
	int firm_notice = ONE_OF(firm), max_nodes = ONE_OF(most);
	static const int waiting[] = { 1000, 1000, 1000, 6 };
	static const char *const aheads_user[] = { "100d", "100d", "12m" };
	static const char *const durations[] = { "1d", "1d", "45m" };
	static const char *const declines[] = { "hold", "hold", "cancel", "ordinary" };
	static const char *const overruns[] = { "best-effort", "best-effort", "end" };
	static const char *const clean[] = { "auto", "auto", "0s", "20s" };
	static const int reminds[] = { 0, 600, 60 };
	static const char *const over[] = { "EXCLUSIVE", "YES", "FORCE" };
	/* Every second seed has a partition small of its own sort. */
	int small = sim_run.seed % 2 ? 0 : 1 + (int) (sim_run.seed / 2 % 5);
	bool small_parts = small > 1;

	set("NoShow=%s", sim_below(3) ? "forget" : "count");
	set("MaxWaitingPerUser=%d", ONE_OF(waiting));
	set("MaxAheadPerUser=%s", ONE_OF(aheads_user));
	set("MaxSeriesAheadPerUser=%s", sim_below(2) ? "100d" : "6m");
	set("MaxAheadPerAccount=%s", sim_below(4) ? "0s" : "30m");
	set("MaxWaitingPerAccount=%d", sim_below(4) ? 0 : 12);
	set("MaxNodeHours=%d", sim_below(4) ? 0 : 4);
	set("MaxDuration=%s", ONE_OF(durations));
	set("OnDecline=%s", ONE_OF(declines));
	set("Overrun=%s", ONE_OF(overruns));
	set("CleanUp=%s", ONE_OF(clean));
	set("Unstartable=%s", sim_below(3) ? "release" : "hold");
	set("ChargePercent=%d", sim_below(3) ? 100 : 0);
	set("ChargeUnused=%s", sim_below(2) ? "yes" : "no");
	set("GroupBookings=%s", sim_below(2) ? "any" : "no");
	set("NoticeProgram=/bin/true");
	set("HoldFor=%s", sim_below(3) ? "10m" : "0s");
	set("Remind=%ds", ONE_OF(reminds));
	set("Algorithm=%s", ONE_OF(algorithms));
	set("ReserveAhead=%ds", ONE_OF(aheads));
	set("MinNotice=%ds", ONE_OF(notices));
	set("Horizon=%ds", ONE_OF(horizons));
	set("FirmNotice=%ds", firm_notice);
	set("OutageNotice=%ds", firm_notice > 3600 ? firm_notice : 3600);
	set("MaxBookedPercent=%d%%", ONE_OF(percents));
	set("ReleaseEarly=%s", sim_below(4) ? "yes" : "no");
	if (max_nodes)
		set("MaxNodes=%d", max_nodes);
	else
		set("MaxNodes=100%%");
	set("slurm.Preempt=%s", sim_below(3) ? "no" : "yes");
	set("slurm.PowerSaving=%s", sim_below(3) ? "no" : "yes");
	set("slurm.Parts=%s", sim_below(3) && !small_parts ? "no" : "yes");
	set("slurm.Partitions=%s", sim_below(2) && !small ? "no" : "yes");
	set("slurm.Weights=%s", sim_below(2) ? "no" : "yes");
	set("slurm.Switches=%s", sim_below(3) ? "no" : "yes");
	set("slurm.Backfill=%s", sim_run.seed % 4 == 1 ? "yes" : "no");
	set("slurm.NodeList=%s", sim_run.seed % 4 == 3 ? "yes" : "no");
	set("slurm.Priorities=%s", sim_run.seed % 3 == 2 ? "yes" : "no");
	if (sim_run.seed % 16 == 7)
		set("Degrade=lazy");
	if (small == 1 || small == 2)
		set("slurm.PriorityTier=2");
	if (small == 2)
		set("slurm.MaxCPUsPerNode=4");
	if (small > 2)
		set("slurm.OverSubscribe=%s", over[small - 3]);
	sim_run.settings.shares = !sim_run.settings.parts && sim_below(2);
	sim_run.settings.clock_steps = !sim_below(4);
	sim_run.settings.disk_fails = !sim_below(3);
}

void sim_settings_print(FILE *file, const char *prefix)
{
	for (int i = 0; i < n_lines; i++)
		fprintf(file, "%s%s\n", prefix, lines[i]);
}

void sim_settings_write(void)
{
	FILE *file = fopen("conf/rspb.conf", "w");

	if (!file) {
		perror("conf/rspb.conf");
		exit(2);
	}
	for (int i = 0; i < n_lines; i++)
		if (strncmp(lines[i], "slurm.", 6))
			fprintf(file, "%s\n", lines[i]);
	if (fclose(file)) {
		perror("conf/rspb.conf");
		exit(2);
	}
}
