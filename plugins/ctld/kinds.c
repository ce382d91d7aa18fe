/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of kinds, and what their modules do at regular times. It has no logic of theirs. Only
 * the agent calls these functions. */
#include "plugins/ctld/kinds.h"

#include <stddef.h>

#include "plugins/ctld/kinds/group.h"
#include "plugins/ctld/kinds/job.h"
#include "plugins/ctld/kinds/message.h"
#include "plugins/ctld/kinds/usage.h"
#include "plugins/ctld/kinds/watch.h"

const struct rspb_kind *const rspb_kinds[] = {
	&rspb_kind_job, &rspb_kind_shares, &rspb_kind_group, &rspb_kind_operator, NULL,
};

const struct rspb_source *const rspb_sources[] = {
	&rspb_source_jobs,
	&rspb_source_operators,
	NULL,
};

void rspb_kinds_look_at_jobs(const struct rspb_config *config, int64_t now)
{
	rspb_jobs_look(config, now);
}

void rspb_kinds_look_at_resvs(const struct rspb_config *config, int64_t now)
{
	rspb_jobs_look_at_resvs(config, now);
	rspb_operator_watch(config, now);
}

void rspb_kinds_each_second(int64_t now_ms)
{
	rspb_jobs_flush(now_ms / 1000);
	rspb_usage_flush(now_ms);
}

void rspb_kinds_each_minute(const struct rspb_config *config)
{
	rspb_message_renew(config);
}
