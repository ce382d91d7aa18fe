/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls what cannot wait between two pieces of the agent's other work. It knows
 * neither starts nor windows: the agent says what is called. */
#include "plugins/ctld/base/breath.h"

#include "plugins/ctld/base/section.h"

static void (*urgent)(void);

void rspb_breath_use(void (*fn)(void))
{
	urgent = fn;
}

void rspb_breathe(void)
{
	if (urgent && !rspb_section_inside())
		urgent();
}
