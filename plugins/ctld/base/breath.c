/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls what cannot wait between two pieces of the agent's other work. It knows
 * neither starts nor windows: the agent says what is called. */
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
