/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/fuzz.h"

#include "common/wire/flags.h"
#include "plugins/ctld/kinds/use_table.h"

/* Whatever a report says, the words made of it can stand in a record. */
static void check_words(const struct rspb_use_report *report)
{
	struct rspb_contract contract = { .terms = { .book = true } }, back;
	static char text[2 * RSPB_CONTRACT_TEXT];
	struct rspb_use_table table = { 0 };
	char node[RSPB_USE_NODE];

	for (size_t i = 0; i < report->n; i++) {
		snprintf(node, sizeof(node), "%.*s%zu", RSPB_USE_NODE - 4, report->node, i % 20);
		MUST(!rspb_use_add(&table, node, &report->uses[i]));
		MUST(rspb_use_knows(&table, node));
	}
	MUST(rspb_use_words(&table, 21, contract.use, sizeof(contract.use)) < sizeof(contract.use));
	MUST(rspb_contract_print(&contract, text, sizeof(text)) < RSPB_CONTRACT_TEXT);
	MUST(!rspb_contract_parse(text, &back, NULL));
	MUST(!strcmp(back.use, contract.use));
	rspb_use_table_fini(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rspb_use_report report, again;
	char *text = fuzz_text(data, size);
	char line[RSPB_USE_LINE];
	struct rspb_err err = { "" };

	if (rspb_use_report_parse(text, &report, &err) < 0) {
		fuzz_check_sentence(err.text);
		free(text);
		return 0;
	}
	MUST(report.n && report.n <= RSPB_USE_JOBS && report.node[0]);
	for (size_t i = 0; i < report.n; i++) {
		MUST(rspb_use_line(&report.uses[i], line, sizeof(line)) < sizeof(line));
		MUST(!rspb_use_parse(line, strlen(line), &again.uses[i], &err));
		MUST(again.uses[i].used_ms == report.uses[i].used_ms &&
		     again.uses[i].job == report.uses[i].job);
	}
	check_words(&report);
	free(text);
	return 0;
}
