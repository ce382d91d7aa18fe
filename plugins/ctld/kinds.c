/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of kinds, and the look at their reservations. It has no logic of theirs. */
#include "plugins/ctld/kinds.h"

#include <stddef.h>

#include "plugins/ctld/kinds/job.h"
#include "plugins/ctld/kinds/operator.h"
#include "plugins/ctld/kinds/watch.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/observe/following.h"

const struct rspb_kind *const rspb_kinds[] = {
	&rspb_kind_job, &rspb_kind_shares, &rspb_kind_group, &rspb_kind_operator, NULL,
};

const struct rspb_source *const rspb_sources[] = {
	&rspb_source_jobs,
	&rspb_source_operators,
	NULL,
};

void rspb_kinds_look_at_resvs(const struct rspb_config *config, int64_t now)
{
	rspb_room_keep(now);
	rspb_edit_watch(config, now);
	rspb_operator_watch(config, now);
}
