/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/fuzz.h"

#include "common/wire/flags.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	char one[2 * RSPB_CONTRACT_TEXT], two[2 * RSPB_CONTRACT_TEXT];
	struct rspb_contract contract, again;
	struct rspb_err err = { "" };

	if (rspb_contract_parse(text, &contract, &err) < 0) {
		fuzz_check_sentence(err.text);
	} else {
		MUST(rspb_contract_print(&contract, one, sizeof(one)) < sizeof(one));
		MUST(!rspb_contract_parse(one, &again, &err));
		rspb_contract_print(&again, two, sizeof(two));
		MUST(!strcmp(one, two));
	}
	free(text);
	return 0;
}
