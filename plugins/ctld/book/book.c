/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds the one ledger: every change goes through rspb_book_apply(), and other
 * threads read it under the mutex. It decides nothing and asks Slurm nothing. */
#include "plugins/ctld/book/book.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/calendar/profile.h"
#include "common/policy/policy.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/book/state.h"

/* The answers that plugins get without the mutex. */
enum { UNREAD, NOTHING, SOMETHING };

void rspb_book_listen(const struct rspb_book_listener *to)
{
	rspb_book->listener = to;
}

/* With the mutex, after each change. The loop usually ends at the first booking that holds
 * nodes. */
static void note_booked(void)
{
	int what = rspb_book->ledger ? NOTHING : UNREAD;

	for (size_t i = 0; what == NOTHING && i < rspb_ledger_count(rspb_book->ledger); i++)
		if (rspb_booking_held(rspb_ledger_at(rspb_book->ledger, i)))
			what = SOMETHING;
	atomic_store_explicit(&rspb_book->booked, what, memory_order_relaxed);
}

bool rspb_book_idle(void)
{
	return atomic_load_explicit(&rspb_book->booked, memory_order_relaxed) != SOMETHING;
}

bool rspb_book_unread(void)
{
	return atomic_load_explicit(&rspb_book->booked, memory_order_relaxed) == UNREAD;
}

bool rspb_book_colocates(void)
{
	return atomic_load_explicit(&rspb_book->colocates, memory_order_relaxed);
}

/* Everything derived from the old ledger is replaced in one critical section, so that readers
 * see either ledger as a whole. The old ledger is destroyed afterwards, without the mutex. */
void rspb_book_reset(struct rspb_ledger *ledger, uint8_t *dedicated, uint64_t table)
{
	struct rspb_ledger *old;
	int64_t *next = NULL;

	if (ledger)
		/* Without this memory regular jobs are placed less tightly, and get no parts of
		 * booked nodes. */
		next = calloc(rspb_ledger_nodes(ledger) + 1, sizeof(*next));
	pthread_mutex_lock(&rspb_book->mutex);
	old = rspb_book->ledger;
	rspb_book->ledger = ledger;
	free(rspb_book->dedicated);
	rspb_book->dedicated = dedicated;
	atomic_store_explicit(&rspb_book->colocates, dedicated, memory_order_relaxed);
	rspb_book->version++;
	rspb_book->table = table;
	free(rspb_book->next);
	rspb_book->next = next;
	rspb_book->next_good = false;
	rspb_licenses_reset(ledger);
	rspb_profile_destroy(rspb_book->view.profile);
	rspb_book->view.profile = NULL;
	note_booked();
	pthread_mutex_unlock(&rspb_book->mutex);
	if (rspb_book->listener)
		rspb_book->listener->reset();
	rspb_ledger_destroy(old);
	/* The last basis counts nodes by the old numbers, so nobody may plan on it any more. */
	if (!ledger)
		rspb_published_set(NULL, NULL, 0);
}

/* No mutex: the thread that may call this is the only one that changes the ledger. */
const struct rspb_ledger *rspb_book_ledger(void)
{
	return rspb_book->ledger;
}

void rspb_book_lend(struct rspb_nodeset *lent, bool early)
{
	struct rspb_nodeset *old = lent;

	pthread_mutex_lock(&rspb_book->mutex);
	/* job_submit may lend before the agent has read anything. After that the agent's word
	 * counts. */
	if (!early || (!rspb_book->ledger && !rspb_book->lent)) {
		old = rspb_book->lent;
		rspb_book->lent = lent;
		atomic_store_explicit(&rspb_book->lends, lent, memory_order_relaxed);
	}
	pthread_mutex_unlock(&rspb_book->mutex);
	rspb_nodeset_destroy(old);
}

const struct rspb_nodeset *rspb_book_lent(void)
{
	return rspb_book->lent;
}

bool rspb_book_lent_of(struct rspb_nodeset *set)
{
	bool some;

	pthread_mutex_lock(&rspb_book->mutex);
	/* The node table may have changed since, and the agent has not made a new set yet. */
	some = rspb_book->lent && rspb_book->lent->width == set->width;
	if (some)
		rspb_nodeset_and(set, rspb_book->lent);
	pthread_mutex_unlock(&rspb_book->mutex);
	return some;
}

bool rspb_book_lends(void)
{
	return atomic_load_explicit(&rspb_book->lends, memory_order_relaxed);
}

const uint8_t *rspb_book_dedicated(void)
{
	return rspb_book->dedicated;
}

uint64_t rspb_book_table(void)
{
	return rspb_book->table;
}

/* The table's number changes under the mutex, but only this thread changes it. */
bool rspb_book_fits(void)
{
	return rspb_node_fingerprint() == rspb_book->table;
}

uint64_t rspb_book_version(void)
{
	return rspb_book->version;
}

uint64_t rspb_book_freed(void)
{
	return rspb_book->freed;
}

int rspb_book_apply(const struct rspb_record *record, struct rspb_err *err)
{
	int rc;

	/* Between a reset and the next ledger nothing can be booked. Callers report this as an
	 * error. */
	if (!rspb_book->ledger)
		return rspb_fail(err, "slurmctld has not read its bookings yet");
	pthread_mutex_lock(&rspb_book->mutex);
	/* Licenses are counted by what the bookings are before and after the record. If the
	 * ledger refuses it, the second step counts the same again. */
	rspb_licenses_forget(rspb_book->ledger, record);
	rc = rspb_ledger_apply(rspb_book->ledger, record, err);
	rspb_licenses_learn(rspb_book->ledger, record);
	if (!rc) {
		rspb_book->version++;
		/* Watchers that found no room plan again when this number grows. */
		rspb_book->freed += record->kind == RSPB_REC_EVENT &&
				    record->event != RSPB_EV_START;
		rspb_book->next_good = false;
		note_booked();
	}
	pthread_mutex_unlock(&rspb_book->mutex);
	/* The listener copies the record for the journal's replay, without the mutex, but maybe
	 * under Slurm's locks. */
	if (!rc && rspb_book->listener)
		rspb_book->listener->record(record);
	return rc;
}

static int apply_booking(enum rspb_record_kind kind, const struct rspb_booking *booking,
			 int64_t now, struct rspb_err *err)
{
	struct rspb_record record = {
		.kind = kind,
		.time = now,
		.id = booking->request->id,
		.booking = booking,
	};

	return rspb_book_apply(&record, err);
}

int rspb_book_enter(const struct rspb_booking *booking, int64_t now, struct rspb_err *err)
{
	return apply_booking(RSPB_REC_BOOK, booking, now, err);
}

int rspb_book_change(const struct rspb_booking *booking, int64_t now, struct rspb_err *err)
{
	return apply_booking(RSPB_REC_CHANGE, booking, now, err);
}

int rspb_book_event(uint64_t id, enum rspb_event event, int64_t now, const char *reason,
		    struct rspb_err *err)
{
	struct rspb_record record = {
		.kind = RSPB_REC_EVENT,
		.time = now,
		.id = id,
		.event = event,
		.reason = reason,
	};

	return rspb_book_apply(&record, err);
}

/* The version stays, since no booking has changed. */
void rspb_book_advance(int64_t now)
{
	struct rspb_record advance = { .kind = RSPB_REC_ADVANCE, .time = now };
	int rc;

	if (!rspb_book->ledger || rspb_ledger_now(rspb_book->ledger) >= now)
		return;
	pthread_mutex_lock(&rspb_book->mutex);
	rc = rspb_ledger_apply(rspb_book->ledger, &advance, NULL);
	pthread_mutex_unlock(&rspb_book->mutex);
	/* The replay has to advance at the same place among the changes. */
	if (!rc && rspb_book->listener)
		rspb_book->listener->purge(now);
}

void rspb_book_purge(int64_t before)
{
	struct rspb_record advance = { .kind = RSPB_REC_ADVANCE, .time = before };
	size_t n;

	if (!rspb_book->ledger || rspb_ledger_now(rspb_book->ledger) > before)
		return;
	pthread_mutex_lock(&rspb_book->mutex);
	/* Forget the past, or the calendar would grow for ever; keep what is later, in case the
	 * clock is set back. */
	rspb_ledger_apply(rspb_book->ledger, &advance, NULL);
	n = rspb_ledger_purge(rspb_book->ledger, before);
	pthread_mutex_unlock(&rspb_book->mutex);
	if (n && rspb_book->listener)
		rspb_book->listener->purge(before);
}

/* With the mutex: whether the ledger is of the node table of that fingerprint, as wide as a set. */
static bool knows(uint32_t width, uint64_t table)
{
	return rspb_book->ledger && rspb_ledger_nodes(rspb_book->ledger) == width &&
	       rspb_book->table == table;
}

bool rspb_book_booked(int64_t start, int64_t end, struct rspb_nodeset *set)
{
	uint64_t table = rspb_node_fingerprint();
	bool known;

	pthread_mutex_lock(&rspb_book->mutex);
	/* Nodes that were renumbered cannot be told apart, so all of them count as booked until
	 * the agent has made another ledger. Without a ledger the caller is told that nothing
	 * is known. */
	known = rspb_book->ledger;
	if (knows(set->width, table))
		rspb_view_booked(rspb_book->ledger, rspb_book->version, start, end, set);
	else if (known)
		rspb_nodeset_fill(set);
	pthread_mutex_unlock(&rspb_book->mutex);
	return known;
}

bool rspb_book_first(int64_t from, int64_t seconds, uint32_t nodes, const struct rspb_nodeset *of,
		     int64_t *start)
{
	uint64_t table = rspb_node_fingerprint();
	bool found;

	pthread_mutex_lock(&rspb_book->mutex);
	found = knows(of->width, table) && rspb_view_first(rspb_book->ledger, rspb_book->version,
							   from, seconds, nodes, of, start);
	pthread_mutex_unlock(&rspb_book->mutex);
	return found;
}

/* With the mutex. Nodes on which nothing but shares is booked, and where the settings let
 * regular jobs run beside these. */
static void shared_of(int64_t start, int64_t end, struct rspb_nodeset *set,
		      struct rspb_nodeset *whole)
{
	const struct rspb_beside to = { whole, set, whole };

	rspb_nodeset_clear(set);
	rspb_beside_sort(rspb_book->ledger, start, end, &to);
	rspb_nodeset_minus(set, whole);
	RSPB_NODESET_EACH (n, set)
		if (!rspb_book->dedicated[n])
			rspb_nodeset_remove(set, n);
}

bool rspb_book_beside(int64_t start, int64_t end, struct rspb_nodeset *set, uint8_t *dedicated)
{
	/* Allocated before the mutex is taken, under which nothing should wait. */
	struct rspb_nodeset *whole = rspb_nodeset_create(set->width);
	uint64_t table = rspb_node_fingerprint();
	bool known;

	pthread_mutex_lock(&rspb_book->mutex);
	known = whole && rspb_book->dedicated && knows(set->width, table);
	if (known) {
		memcpy(dedicated, rspb_book->dedicated, set->width);
		shared_of(start, end, set, whole);
	}
	pthread_mutex_unlock(&rspb_book->mutex);
	rspb_nodeset_destroy(whole);
	return known;
}

static void note_start(const struct rspb_booking *booking, int64_t *next)
{
	for (uint32_t i = 0; i < booking->n_grants; i++)
		RSPB_NODESET_EACH (n, booking->grants[i].nodes)
			if (next[n] > booking->start)
				next[n] = booking->start;
}

/* With the mutex: find for each node the first booking after `from`. The answer stays the same
 * until the next of these begins, so it is kept: schedulers ask for one job after the other. */
static void next_build(int64_t from, uint32_t width)
{
	for (uint32_t n = 0; n < width; n++)
		rspb_book->next[n] = RSPB_TIME_MAX;
	rspb_book->next_from = from;
	rspb_book->next_until = RSPB_TIME_MAX;
	for (size_t i = 0; i < rspb_ledger_count(rspb_book->ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(rspb_book->ledger, i);

		if (b->start <= from || !rspb_booking_held(b))
			continue;
		/* Bookings come in the order of their starts. */
		if (rspb_book->next_until == RSPB_TIME_MAX)
			rspb_book->next_until = b->start;
		note_start(b, rspb_book->next);
	}
	rspb_book->next_good = true;
}

/* With the mutex: when the next booking begins on each node behind a time. */
static void next_look(int64_t from, uint32_t width, int64_t *next)
{
	if (!(rspb_book->next_good && from >= rspb_book->next_from && from < rspb_book->next_until))
		next_build(from, width);
	memcpy(next, rspb_book->next, width * sizeof(*next));
}

bool rspb_book_parts(int64_t start, int64_t end, struct rspb_parts *parts)
{
	uint64_t table = rspb_node_fingerprint();
	bool known;

	pthread_mutex_lock(&rspb_book->mutex);
	/* The cheap conditions come first: most clusters lend no parts. */
	known = rspb_book->lent && rspb_book->next && knows(parts->nodes->width, table) &&
		rspb_view_shares(rspb_book->ledger, rspb_book->version) &&
		rspb_beside_parts(rspb_book->ledger, start, end, parts);
	if (known) {
		next_look(start, parts->nodes->width, parts->next);
		rspb_beside_due(rspb_book->ledger, start, parts->next);
	}
	pthread_mutex_unlock(&rspb_book->mutex);
	return known;
}

bool rspb_book_next_start(int64_t from, const struct rspb_nodeset *chosen,
			  struct rspb_nodeset *open, int64_t *next_start, uint32_t *ranks)
{
	struct rspb_marks marks = { 0 };
	uint64_t table = rspb_node_fingerprint();
	uint32_t width = open->width;
	bool known;

	pthread_mutex_lock(&rspb_book->mutex);
	known = rspb_book->next && knows(width, table);
	if (known) {
		next_look(from, width, next_start);
		marks = rspb_ledger_marks(rspb_book->ledger);
	}
	for (uint32_t n = 0; known && n < width; n++)
		/* Copied under the mutex, since the marks belong to the ledger. */
		ranks[n] = marks.weights ? marks.weights[n] : 0;
	/* Nodes on other leaves would spread the job over the network. */
	if (marks.leaves)
		known = rspb_leaves_near(marks.leaves, chosen, open);
	pthread_mutex_unlock(&rspb_book->mutex);
	return known;
}

bool rspb_book_state(uint64_t id, enum rspb_state *state, uint32_t *user)
{
	const struct rspb_booking *b;

	pthread_mutex_lock(&rspb_book->mutex);
	b = rspb_book->ledger ? rspb_ledger_find(rspb_book->ledger, id) : NULL;
	if (b) {
		*state = b->state;
		*user = b->request->user;
	}
	pthread_mutex_unlock(&rspb_book->mutex);
	return b;
}

int64_t rspb_book_license(uint64_t key, int64_t start, int64_t end)
{
	int64_t most;

	pthread_mutex_lock(&rspb_book->mutex);
	most = rspb_licenses->returned == rspb_licenses->seen ? rspb_licenses_peak(key, start, end)
							      : INT64_MAX;
	pthread_mutex_unlock(&rspb_book->mutex);
	return most;
}

void rspb_book_return(uint64_t id)
{
	const struct rspb_booking *b;

	pthread_mutex_lock(&rspb_book->mutex);
	b = rspb_book->ledger ? rspb_ledger_find(rspb_book->ledger, id) : NULL;
	rspb_licenses->returned += b && b->state == RSPB_ACTIVE;
	pthread_mutex_unlock(&rspb_book->mutex);
}

uint32_t rspb_book_returned(void)
{
	uint32_t n;

	pthread_mutex_lock(&rspb_book->mutex);
	n = rspb_licenses->returned;
	pthread_mutex_unlock(&rspb_book->mutex);
	return n;
}

void rspb_book_returned_seen(uint32_t n)
{
	pthread_mutex_lock(&rspb_book->mutex);
	rspb_licenses->seen = n;
	pthread_mutex_unlock(&rspb_book->mutex);
}

bool rspb_book_imminent(int64_t now, int64_t ahead)
{
	bool found = false;

	pthread_mutex_lock(&rspb_book->mutex);
	for (size_t i = 0; !found && rspb_book->ledger && i < rspb_ledger_count(rspb_book->ledger);
	     i++) {
		const struct rspb_booking *b = rspb_ledger_at(rspb_book->ledger, i);

		/* Later bookings begin even later. */
		if (b->start > now + ahead)
			break;
		found = b->start >= now - ahead && b->state == RSPB_BOOKED;
	}
	pthread_mutex_unlock(&rspb_book->mutex);
	return found;
}
