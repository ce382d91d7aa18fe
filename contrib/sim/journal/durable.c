/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the lines that only a durable journal has: none of them is decided again. */
#include "common/wire/flags.h"
#include "contrib/sim/journal/journal.h"

enum { KNOWN = 1 };

int journal_head(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	int64_t version;

	if (sim_int(record, "version", 1, INT32_MAX, &version, err))
		return -1;
	if (version > KNOWN)
		return sim_bad(record, "version", err,
			       "%lld is newer than this rspb-sim; allowed is "
			       "up to %d",
			       (long long) version, KNOWN);
	journal->heads++;
	return 0;
}

int journal_promise(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct json_object *value = sim_need(record, "contract", err);
	struct rspb_contract contract;

	if (!value)
		return -1;
	if (!json_object_is_type(value, json_type_string) ||
	    rspb_contract_parse(json_object_get_string(value), &contract, err))
		return sim_bad(record, "contract", err, "%.60s is not a contract", sim_text(value));
	journal->promises[contract.state]++;
	return 0;
}

int journal_kept(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	(void) journal;
	(void) record;
	(void) err;
	return 0;
}
