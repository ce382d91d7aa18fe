/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "plugins/compat/node.h"
#include "plugins/compat/slurm.h"
#include "src/common/slurm_protocol_api.h"

int rspb_node_send(const char *names, const char *socket, const char *data,
		   struct rspb_err *err)
{
	char *left = xstrdup(names), *path = xstrdup(socket);
	int rc = slurm_forward_data(&left, path, (uint32_t) strlen(data), data);

	/* Of several nodes, Slurm leaves the names of those that failed. */
	if (rc)
		rspb_fail(err, "%s on %s: %s", socket, left,
			  slurm_strerror(rc));
	xfree(left);
	xfree(path);
	return rc ? -1 : 0;
}
