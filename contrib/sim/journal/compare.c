/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a decision the same, and how does it differ for a person? */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/wire/json.h"
#include "contrib/sim/journal/journal.h"

/* Before this, numbers are a simulator's time. */
enum { CALENDAR = 1000000000 };

static void add_when(struct rspb_text *text, int64_t time)
{
	if (time >= CALENDAR)
		rspb_text_add_time(text, time);
	else
		rspb_text_add(text, "%" PRId64, time);
}

static void add_nodes(struct rspb_text *text, const struct journal *journal,
		      const struct rspb_nodeset *set)
{
	char ranges[400];
	uint32_t n = rspb_nodeset_next(set, 0);

	if (!journal->names) {
		rspb_nodeset_print(set, ranges, sizeof(ranges));
		rspb_text_add(text, "%s", ranges);
		return;
	}
	for (bool more = false; n < set->width; n = rspb_nodeset_next(set, n + 1), more = true)
		rspb_text_add(text, "%s%s", more ? "," : "", journal->names[n]);
}

/* "booked 100-160 on n1,n2, benefit 1", "declined: no nodes". */
static void add_decision(struct rspb_text *text, const struct journal *journal,
			 const struct rspb_booking *b)
{
	rspb_text_add(text, "%s", rspb_state_name(b->state));
	if (!b->n_grants) {
		rspb_text_add(text, "%s%s", b->why ? ": " : "", rspb_booking_why(b));
		return;
	}
	rspb_text_add(text, " ");
	add_when(text, b->start);
	rspb_text_add(text, "-");
	add_when(text, b->end);
	for (uint32_t i = 0; i < b->n_grants; i++) {
		rspb_text_add(text, "%s", i ? " and " : " on ");
		add_nodes(text, journal, b->grants[i].nodes);
		if (b->grants[i].share)
			rspb_text_add(text, " share %" PRId64, b->grants[i].share);
	}
	rspb_text_add(text, ", benefit %.4g", rspb_ratio_double(b->benefit));
}

void journal_differs(struct journal *journal, struct contender *contender,
		     const struct sim_record *record, const char *fmt, ...)
{
	const struct sim_options *options = &journal->options;
	va_list ap;

	contender->different++;
	/* The answer of every policy to every request is for a program. */
	if (journal->n_contenders > 1 || options->json || options->csv)
		return;
	fprintf(journal->out, "line %zu: ", record->line);
	va_start(ap, fmt);
	vfprintf(journal->out, fmt, ap);
	va_end(ap);
	putc('\n', journal->out);
}

bool journal_same_decision(const struct rspb_booking *ours, const struct rspb_booking *theirs)
{
	struct rspb_booking said = *ours;
	char *a, *b;
	bool same;

	said.why = theirs->why;
	said.decided_at = theirs->decided_at;
	a = rspb_json_line(rspb_json_write(rspb_json_booking, &said));
	b = rspb_json_line(rspb_json_write(rspb_json_booking, theirs));
	same = a && b && !strcmp(a, b);
	free(a);
	free(b);
	return same;
}

void journal_compare(struct journal *journal, struct contender *contender,
		     const struct sim_record *record, const struct rspb_booking *theirs,
		     const struct rspb_booking *ours)
{
	char was[1000], is[1000];
	struct rspb_text text = rspb_text_over(was, sizeof(was));

	if (journal_same_decision(ours, theirs))
		return;
	add_decision(&text, journal, theirs);
	text = rspb_text_over(is, sizeof(is));
	add_decision(&text, journal, ours);
	/* The whole booking may differ where nobody would look. */
	journal_differs(journal, contender, record,
			"job %" PRIu64 ": recorded %s; decided otherwise: %s%s",
			theirs->request->id & ~(UINT64_C(1) << 62), was, is,
			strcmp(was, is) ? "" : " (the request differs)");
}
