/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls a function for urgent work between two pieces of the agent's other work. The agent sets
 * this function, so nothing here knows about starts. */
#include "plugins/ctld/base/breath.h"

#include "plugins/ctld/base/section.h"

/* The agent sets it before its first round and clears it after its last one. No lock guards it. */
static void (*urgent)(void);

void rspb_breath_use(void (*fn)(void))
{
	urgent = fn;
}

void rspb_breathe(void)
{
	/* Urgent work takes locks of its own, and slurmctld's locks are not recursive. A caller
	 * that holds them reaches the next yield point after its section. */
	if (urgent && !rspb_section_inside())
		urgent();
}
