/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/kinds.h"

#include <stddef.h>

#include "plugins/ctld/jobs/job.h"
#include "plugins/ctld/operators/group.h"
#include "plugins/ctld/operators/operator.h"
#include "plugins/ctld/shares/shares.h"

const struct rspb_kind *const rspb_kinds[] = {
	&rspb_kind_job,
	&rspb_kind_shares,
	&rspb_kind_group,
	&rspb_kind_operator,
	NULL,
};
