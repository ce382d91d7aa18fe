/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/post/journal.h"

#include <stdlib.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/post/journal_writer.h"

static bool on;		  /* there is a JournalFile */
static bool whole;	  /* the state is in the queue: changes count */
static bool full;	  /* there was no room, and it has been said */
static uint64_t left_out; /* since then */

/* Take a change down, or from now on none until the state is whole again. */
static void take_down(struct rspb_note *note)
{
	if (rspb_journal_writer_put(note))
		return;
	if (!full)
		rspb_log_error("JournalFile: %d MiB wait for the disk; entries "
			       "are left out until it has caught up",
			       RSPB_JOURNAL_WAITING_MAX >> 20);
	full = true;
	whole = false;
	left_out++;
}

static bool recording(void)
{
	if (on && !whole && full)
		left_out++;
	return on && whole;
}

void rspb_journal_configure(const struct rspb_config *config)
{
	bool wanted = config->journal_file[0];

	whole = false;
	if (wanted && !rspb_journal_writer_start()) {
		on = false;
		return;
	}
	if (on && !wanted)
		rspb_journal_writer_put(rspb_note_close());
	on = wanted;
}

void rspb_journal_reset(void)
{
	whole = false;
}

/* RET the names of all nodes; NULL: not now, the table is another one. */
static char *node_names(uint64_t table)
{
	struct rspb_section section;
	char *names = NULL;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "journal"))
		return NULL;
	if (rspb_node_fingerprint() == table)
		names = rspb_node_all_names();
	rspb_section_leave(&section);
	return names;
}

/* The whole state, from which on changes count. */
static void begin_anew(const struct rspb_config *config,
		       const struct rspb_ledger *ledger, uint64_t table)
{
	struct rspb_policy policy;
	struct rspb_note *note;

	rspb_settings_policy(config, &policy);
	note = rspb_note_machine(ledger, config, &policy, node_names(table));
	if (!note)
		return;
	note->lost = left_out;
	whole = rspb_journal_writer_put(note);
	if (!whole)
		return;
	full = false;
	left_out = 0;
}

void rspb_journal_look(const struct rspb_config *config,
		       const struct rspb_ledger *ledger, uint64_t table)
{
	size_t bytes;

	if (!on)
		return;
	bytes = rspb_journal_writer_wake();
	if (ledger && bytes <= RSPB_JOURNAL_WAITING_MAX / 2 &&
	    (!whole || time(NULL) >= rspb_journal_writer_wants()))
		begin_anew(config, ledger, table);
}

void rspb_journal_record(const struct rspb_record *record)
{
	if (record->kind != RSPB_REC_ADVANCE && recording())
		take_down(rspb_note_record(record));
}

void rspb_journal_purge(int64_t before)
{
	if (recording())
		take_down(rspb_note_purge(before));
}

void rspb_journal_batch(const struct rspb_ledger *basis, uint64_t without,
			int64_t now, struct rspb_booking *const *decisions,
			size_t n)
{
	if (recording())
		take_down(rspb_note_batch(basis, without, now, decisions, n));
}

/* rescue: NULL for growth. */
static void take_plan(const struct rspb_ledger *ledger,
		      const struct rspb_ledger *plan,
		      const struct rspb_rescue *rescue, int64_t before,
		      int64_t now)
{
	const struct rspb_booking **list = NULL;
	int64_t n;

	if (!recording())
		return;
	n = rspb_ledger_changes(ledger, plan, &list);
	take_down(n < 0 ? NULL
			: rspb_note_plan(plan, rescue, before, now, list,
					 (size_t) n));
	free(list);
}

void rspb_journal_rescue(const struct rspb_ledger *ledger,
			 const struct rspb_ledger *plan,
			 const struct rspb_rescue *rescue, int64_t now)
{
	take_plan(ledger, plan, rescue, 0, now);
}

void rspb_journal_growth(const struct rspb_ledger *ledger,
			 const struct rspb_ledger *plan, int64_t before,
			 int64_t now)
{
	take_plan(ledger, plan, NULL, before, now);
}

void rspb_journal_refuse(uint64_t id, const char *reason)
{
	if (recording())
		take_down(rspb_note_refuse(id, reason));
}

void rspb_journal_stop(void)
{
	on = whole = full = false;
	left_out = 0;
	rspb_journal_writer_stop();
}
