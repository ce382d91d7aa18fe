/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes what a replay needs beyond promises, in a bounded queue. Nobody waits for it,
 * and no promise depends on it. */
#include "plugins/ctld/record/replay.h"

#include <stdlib.h>

#include "plugins/compat/node.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/record/state.h"
#include "plugins/ctld/record/writer.h"

static bool recording(void)
{
	return rspb_record->replay_on && rspb_record->replay_file;
}

/* Pass a note on. A note that is lost makes later changes useless, so nothing is noted until
 * rspb_replay_look() has written the whole state again. */
static void take_down(struct rspb_note *note)
{
	if (!rspb_writer_note(note, rspb_record->replay_file))
		rspb_record->replay_file = 0;
}

void rspb_replay_configure(const struct rspb_config *config)
{
	/* Other settings decide otherwise, and are part of the machine line: it is written
	 * again. */
	rspb_record->replay_on = config->journal && config->journal_keep;
	rspb_record->replay_file = 0;
	rspb_writer_keep(config->journal_keep);
}

void rspb_replay_reset(void)
{
	rspb_record->replay_file = 0;
}

/* RET the names of all nodes; NULL: not now. The ledger counts nodes by number, so names of
 * another node table would be wrong. */
static char *node_names(uint64_t table)
{
	struct rspb_section section;
	char *names = NULL;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "journal"))
		return NULL;
	if (rspb_node_fingerprint() == table)
		names = rspb_report_all_names();
	rspb_section_leave(&section);
	return names;
}

void rspb_replay_look(const struct rspb_config *config, const struct rspb_ledger *ledger,
		      uint64_t table)
{
	struct rspb_writer_state writer;
	struct rspb_policy policy;
	char *names;

	if (!rspb_record->replay_on)
		return;
	/* Notes wake nobody when they are made, because that happens under locks. Here the
	 * writer is told. */
	rspb_writer_write();
	rspb_writer_look(&writer);
	/* A machine is large, and might be dropped at once from a queue that is half full. */
	if (!ledger || !writer.file || writer.file == rspb_record->replay_file ||
	    writer.notes > RSPB_WRITER_NOTES / 2)
		return;
	names = node_names(table);
	if (!names)
		return;
	rspb_settings_policy(config, &policy);
	/* The file counts as complete from here on. take_down() takes that back if the machine
	 * finds no room. */
	rspb_record->replay_file = writer.file;
	take_down(rspb_note_machine(ledger, config, &policy, names));
}

void rspb_replay_record(const struct rspb_record *record)
{
	if (record->kind != RSPB_REC_ADVANCE && recording())
		take_down(rspb_note_record(record));
}

void rspb_replay_purge(int64_t before)
{
	if (recording())
		take_down(rspb_note_purge(before));
}

void rspb_replay_batch(const struct rspb_ledger *basis, uint64_t without, int64_t now,
		       struct rspb_booking *const *decisions, size_t n)
{
	if (recording())
		take_down(rspb_note_batch(basis, without, now, decisions, n));
}

/* Note a plan that was made without a request; rescue is NULL for growth. Only bookings that
 * the plan changes are noted. */
static void take_plan(const struct rspb_ledger *ledger, const struct rspb_ledger *plan,
		      const struct rspb_rescue *rescue, int64_t before, int64_t now)
{
	const struct rspb_booking **list = NULL;
	int64_t n;

	if (!recording())
		return;
	n = rspb_ledger_changes(ledger, plan, &list);
	take_down(n < 0 ? NULL : rspb_note_plan(plan, rescue, before, now, list, (size_t) n));
	free(list);
}

void rspb_replay_rescue(const struct rspb_ledger *ledger, const struct rspb_ledger *plan,
			const struct rspb_rescue *rescue, int64_t now)
{
	take_plan(ledger, plan, rescue, 0, now);
}

void rspb_replay_growth(const struct rspb_ledger *ledger, const struct rspb_ledger *plan,
			int64_t before, int64_t now)
{
	take_plan(ledger, plan, NULL, before, now);
}

void rspb_replay_refuse(uint64_t id, const char *reason)
{
	if (recording())
		take_down(rspb_note_refuse(id, reason));
}
