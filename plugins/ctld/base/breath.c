/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/base/breath.h"

#include <stdbool.h>
#include <stddef.h>

#include "plugins/ctld/base/section.h"

static void (*urgent)(void);

void rspb_breath_use(void (*fn)(void))
{
	urgent = fn;
}

void rspb_breathe(void)
{
	static bool busy;

	if (!urgent || busy || rspb_section_inside())
		return;
	busy = true;
	urgent();
	busy = false;
}
