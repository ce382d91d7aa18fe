/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/job_resv.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/resv.h"

void rspb_job_resv_name(uint64_t id, uint32_t part, uint32_t n_parts, char *buf,
			size_t size)
{
	if (n_parts > 1)
		snprintf(buf, size, RSPB_BOOKING_PREFIX "%" PRIu64 "_%u", id,
			 part);
	else
		snprintf(buf, size, RSPB_BOOKING_PREFIX "%" PRIu64, id);
}

bool rspb_job_resv_is(const char *name, uint64_t *id)
{
	static const size_t len = sizeof(RSPB_BOOKING_PREFIX) - 1;

	if (strncmp(name, RSPB_BOOKING_PREFIX, len) ||
	    !isdigit((unsigned char) name[len]))
		return false;
	*id = strtoull(name + len, NULL, 10);
	return true;
}

void rspb_job_resv_release(uint64_t id, uint32_t n_parts)
{
	char name[RSPB_RESV_NAME];
	struct rspb_err err;
	uint32_t i;

	for (i = 0; i < n_parts; i++) {
		rspb_job_resv_name(id, i, n_parts, name, sizeof(name));
		if (rspb_resv_delete(name, &err))
			rspb_log_verbose("%s", err.text);
	}
}
