/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rspb.conf of a run, and what may happen in it, as its seed says. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/simulated/world.h"

#define ONE_OF(list) (list)[sim_below(sizeof(list) / sizeof((list)[0]))]

void sim_settings_choose(void)
{
	static const int64_t aheads[] = { 120, 300, 300, 3600, 0 };
	static const int64_t notices[] = { 0, 0, 0, 300 };
	static const int64_t horizons[] = { 14 * 86400, 14 * 86400, 8 * 3600 };
	static const int64_t firm[] = { 600, 600, 60, 3600 };
	static const uint32_t percents[] = { 100, 100, 50, 30 };
	static const uint32_t most[] = { 0, 0, 8 };
	static const char *const algorithms[] = { "live", "live", "live", "rb" };

	sim_run.settings = (struct sim_settings){
		.reserve_ahead = ONE_OF(aheads),
		.min_notice = ONE_OF(notices),
		.horizon = ONE_OF(horizons),
		.firm_notice = ONE_OF(firm),
		.booked_percent = ONE_OF(percents),
		.max_nodes = ONE_OF(most),
		.release_early = sim_below(4) != 0,
		.algorithm = ONE_OF(algorithms),
		.clock_steps = !sim_below(4),
		.disk_fails = !sim_below(3),
	};
}

void sim_settings_write(void)
{
	const struct sim_settings *s = &sim_run.settings;
	FILE *file = fopen("conf/rspb.conf", "w");

	if (!file) {
		perror("conf/rspb.conf");
		exit(2);
	}
	fprintf(file, "MaxWaitingPerUser=1000\nMaxAheadPerUser=100d\n");
	fprintf(file, "Algorithm=%s\nReserveAhead=%" PRId64 "s\nMinNotice=%" PRId64 "s\n",
		s->algorithm, s->reserve_ahead, s->min_notice);
	fprintf(file, "Horizon=%" PRId64 "s\nFirmNotice=%" PRId64 "s\nOutageNotice=%" PRId64 "s\n",
		s->horizon, s->firm_notice, s->firm_notice > 3600 ? s->firm_notice : 3600);
	fprintf(file, "MaxBookedPercent=%u%%\nReleaseEarly=%s\n", s->booked_percent,
		s->release_early ? "yes" : "no");
	if (s->max_nodes)
		fprintf(file, "MaxNodes=%u\n", s->max_nodes);
	else
		fprintf(file, "MaxNodes=100%%\n");
	if (fclose(file)) {
		perror("conf/rspb.conf");
		exit(2);
	}
}
