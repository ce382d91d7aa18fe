/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls a function for urgent work between two pieces of the agent's other work. The agent sets
 * this function, so nothing here knows about starts. */
#include "plugins/ctld/base/breath.h"

#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/state.h"

void rspb_breath_use(void (*fn)(void))
{
	rspb_base->urgent = fn;
}

void rspb_breathe(void)
{
	/* Urgent work takes locks of its own, and slurmctld's locks are not recursive. A caller
	 * that holds them reaches the next yield point after its section. */
	if (rspb_base->urgent && !rspb_section_inside())
		rspb_base->urgent();
}
