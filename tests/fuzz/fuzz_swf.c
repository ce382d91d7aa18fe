/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace of any bytes: what is kept of it is in order and within bounds. */
#include "tests/fuzz/fuzz.h"

#include "contrib/sim/replay/swf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rspb_err err = { "" };
	struct sim_swf swf;
	FILE *in;

	if (!size)
		return 0;
	in = fmemopen((void *) (uintptr_t) data, size, "r");
	MUST(in);
	if (sim_swf_parse(&swf, in, "fuzz", 0, &err)) {
		fuzz_check_sentence(err.text);
		fclose(in);
		return 0;
	}
	MUST(swf.n > 0 && swf.nodes > 0);
	for (size_t i = 0; i < swf.n; i++) {
		MUST(swf.jobs[i].submit >= 0 && swf.jobs[i].duration > 0);
		MUST(swf.jobs[i].nodes > 0 && swf.jobs[i].nodes <= swf.nodes);
		MUST(!i || swf.jobs[i - 1].submit <= swf.jobs[i].submit);
	}
	sim_swf_fini(&swf);
	fclose(in);
	return 0;
}
