/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/request/quota.h"

int64_t rspb_quota_use(const struct rspb_quota *quota, const struct rspb_nodeset *nodes,
		       const uint32_t *cpus)
{
	int64_t sum = quota->use + quota->per_node * rspb_nodeset_count(nodes);

	if (!quota->per_cpu)
		return sum;
	RSPB_NODESET_EACH (n, nodes)
		sum += quota->per_cpu * (cpus ? cpus[n] : 1);
	return sum;
}
