/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/fuzz.h"

#include "plugins/spank/node.h"

enum { USER = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rspb_share_env grant = { 0 }, again;
	struct rspb_err err = { "" };
	char text[RSPB_SHARE_TEXT];

	MUST(rspb_message_read(USER, USER + 1, data, size, &grant, &err) < 0);
	if (rspb_message_read(USER, USER, data, size, &grant, &err) < 0) {
		fuzz_check_sentence(err.text);
		MUST(!grant.job);
		return 0;
	}
	MUST(grant.job && grant.generation);
	MUST(grant.share > 0 && grant.share <= RSPB_SHARE_NODE);
	MUST(!grant.ceiling || grant.ceiling >= grant.share);
	MUST(rspb_share_env_print(&grant, text, sizeof(text)) < sizeof(text));
	MUST(!rspb_share_env_parse(text, &again, &err));
	MUST(again.share == grant.share && again.job == grant.job);
	return 0;
}
