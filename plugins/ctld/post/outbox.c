/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps letters until they are delivered, in the journal, too. letters.c writes them, and postman.c
 * sends them. */
#include "plugins/ctld/post/letters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/hash.h"
#include "common/wire/json.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/post/state.h"

/* POSTED_MOST: how many are handed to the postman at a time. Another user waits for these at
 * most, and what waits here can still be replaced; two keep the postman busy. Those of a
 * series wait for the next of it so many seconds, SERIES_MOST_S in all, and tell of so many
 * jobs, in so many bytes: a program gets the text as a variable, which the kernel limits to
 * 128 KiB. */
enum {
	MOST = 20000,
	IDS_A_SECOND = 100000,
	POSTED_MOST = 3,
	SERIES_S = 4,
	SERIES_MOST_S = 60,
	SERIES_JOBS = 400,
	SERIES_TEXT = 64 << 10
};

/* The journal is about to be read, maybe for the second time. Nothing but its lines counts. */
static void reset(void)
{
	for (size_t i = 0; i < rspb_outbox->n; i++)
		free(rspb_outbox->items[i].text);
	free(rspb_outbox->items);
	memset(rspb_outbox, 0, sizeof(*rspb_outbox));
}

static struct rspb_outbox_entry *entry_of(uint64_t id)
{
	for (size_t i = 0; i < rspb_outbox->n; i++)
		if (rspb_outbox->items[i].id == id)
			return &rspb_outbox->items[i];
	return NULL;
}

/* Forget what was told and only remembered, to make room: it is told twice rather than never. */
static void forget_told(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < rspb_outbox->n; i++)
		if (rspb_outbox->items[i].phase != RSPB_OUTBOX_DELIVERED)
			rspb_outbox->items[kept++] = rspb_outbox->items[i];
	rspb_outbox->n = kept;
}

/* RET a number for a new letter. It contains the time, so that it is never used again, even if the
 * journal was removed. */
static uint64_t next_id(int64_t now)
{
	uint64_t id = (uint64_t) now * IDS_A_SECOND;

	return id > rspb_outbox->last_id ? id : rspb_outbox->last_id + 1;
}

/* RET a new entry; NULL: out of memory, or MOST letters wait because a program hangs. The bound
 * keeps the journal from growing without limit. Pointers to other entries are invalid
 * afterwards. */
static struct rspb_outbox_entry *add(uint64_t id, uint32_t job, const char *event, int64_t keep)
{
	if (rspb_outbox->n == MOST)
		forget_told();
	if (rspb_outbox->n == MOST ||
	    rspb_array_grow(&rspb_outbox->items, &rspb_outbox->room, rspb_outbox->n + 1,
			    sizeof(*rspb_outbox->items))) {
		if (!rspb_outbox->full)
			rspb_log_error("%zu notices wait already; further ones are dropped",
				       rspb_outbox->n);
		rspb_outbox->full = true;
		return NULL;
	}
	if (id > rspb_outbox->last_id)
		rspb_outbox->last_id = id;
	rspb_outbox->items[rspb_outbox->n] = (struct rspb_outbox_entry){ .id = id,
									 .job = job,
									 .keep = keep };
	snprintf(rspb_outbox->items[rspb_outbox->n].event, RSPB_OUTBOX_EVENT, "%s", event);
	return &rspb_outbox->items[rspb_outbox->n++];
}

/* Note an entry as {"id":1,"job":7,"keep":0,"event":"reminder","letter":{...}}. Without a
 * letter it was delivered. The last line of an id counts. */
static void note(const struct rspb_outbox_entry *entry, int64_t now)
{
	struct json_object *o = json_object_new_object();

	o = rspb_json_with_int(o, "id", (int64_t) entry->id);
	o = rspb_json_with_int(o, "job", entry->job);
	if (entry->keep) {
		o = rspb_json_with_int(o, "keep", entry->keep);
		o = rspb_json_with(o, "event", json_object_new_string(entry->event));
	}
	if (entry->text)
		o = rspb_json_with(o, "letter", json_tokener_parse(entry->text));
	rspb_durable_note("letter", o, now);
}

/* Note that a letter need not be sent any more: it was delivered, or another one replaces it.
 * After a crash before that line is on the disk, the letter is sent again. */
static void delivered(struct rspb_outbox_entry *entry, int64_t now)
{
	free(entry->text);
	entry->text = NULL;
	entry->phase = RSPB_OUTBOX_DELIVERED;
	note(entry, now);
}

static bool is_mailed(struct json_object *letter)
{
	return json_object_object_get_ex(letter, "to", NULL);
}

/* Members that letters of a series have in common if they become one. */
static const char *const kinship[] = { "series", "event", "state", "to" };
enum { N_KINSHIP = sizeof(kinship) / sizeof(kinship[0]) };

/* RET a number that is the same for letters that may be joined. */
static uint64_t kin_of(struct json_object *letter)
{
	uint64_t hash = RSPB_HASH_START;

	for (int i = 0; i < N_KINSHIP; i++) {
		const char *text = rspb_json_text(letter, kinship[i]);

		hash = rspb_hash(hash, text, strlen(text) + 1);
	}
	return hash;
}

/* Note what is asked about a letter while it waits, so that thousands of them are not parsed for
 * each question. */
static void describe(struct rspb_outbox_entry *entry, struct json_object *letter)
{
	entry->uid = (uint32_t) rspb_json_int(letter, "uid");
	entry->several = json_object_object_get_ex(letter, "jobs", NULL);
	entry->mailed = is_mailed(letter);
	entry->kin = kin_of(letter);
	snprintf(entry->event, sizeof(entry->event), "%s", rspb_json_text(letter, "event"));
}

/* Whether everybody whom a waiting letter is to reach also gets the other one. The site's
 * program gets every letter, so only mail matters. */
static bool reaches_all(const struct rspb_outbox_entry *entry, struct json_object *letter)
{
	return is_mailed(letter) || !entry->mailed;
}

/* A letter that was handed to the postman cannot be taken back. */
static bool is_waiting(const struct rspb_outbox_entry *entry, uint32_t job)
{
	return entry->job == job && entry->phase == RSPB_OUTBOX_WRITTEN && entry->text;
}

/* Whether a letter, which may be that of a series, tells of a job. */
static bool tells_of(struct json_object *letter, uint32_t job)
{
	struct json_object *jobs;

	if (!json_object_object_get_ex(letter, "jobs", &jobs))
		return rspb_json_int(letter, "job") == job;
	for (size_t i = 0; i < json_object_array_length(jobs); i++)
		if (json_object_get_int64(json_object_array_get_idx(jobs, i)) == job)
			return true;
	return false;
}

bool rspb_outbox_waits(uint32_t job, const char *event)
{
	bool waits = false;

	for (size_t i = 0; i < rspb_outbox->n && !waits; i++) {
		const struct rspb_outbox_entry *entry = &rspb_outbox->items[i];
		struct json_object *letter;

		if (!is_waiting(entry, entry->several ? entry->job : job) ||
		    strcmp(entry->event, event) != 0)
			continue;
		/* The letter of a reservation names no job. */
		if (entry->job == job)
			return true;
		letter = json_tokener_parse(entry->text);
		waits = tells_of(letter, job);
		json_object_put(letter);
	}
	return waits;
}

void rspb_outbox_withdraw(uint32_t job, const char *event, int64_t now)
{
	for (size_t i = 0; i < rspb_outbox->n; i++)
		if (is_waiting(&rspb_outbox->items[i], job) && !rspb_outbox->items[i].several &&
		    !strcmp(rspb_outbox->items[i].event, event))
			delivered(&rspb_outbox->items[i], now);
}

/* --- of a series -------------------------------------------------------------- */

static bool is_same(struct json_object *a, struct json_object *b, const char *key)
{
	return !strcmp(rspb_json_text(a, key), rspb_json_text(b, key));
}

/* RET the list of jobs that a letter is about, made from its own job for the first time. */
static json_object *jobs_of(struct json_object *letter)
{
	json_object *jobs = NULL;

	if (!json_object_object_get_ex(letter, "jobs", &jobs)) {
		jobs = json_object_new_array();
		json_object_array_add(jobs, json_object_new_int64(rspb_json_int(letter, "job")));
		json_object_object_add(letter, "jobs", jobs);
	}
	return jobs;
}

/* Append the text of a letter to that of the series. Without memory the text of the one is
 * missing. */
static void join_text(json_object *all, json_object *one)
{
	const char *first = rspb_json_text(all, "text"), *next = rspb_json_text(one, "text");
	size_t size = strlen(first) + strlen(next) + 1;
	char *text = malloc(size);

	if (!text)
		return;
	snprintf(text, size, "%s%s", first, next);
	json_object_object_add(all, "text", json_object_new_string(text));
	free(text);
}

/* Add a letter to one that waits and tells the same of another job of its series. Hundreds of
 * jobs may be booked at once, and their owner wants one mail. RET whether both are one now. */
static bool join(struct rspb_outbox_entry *entry, json_object *letter, int64_t now)
{
	json_object *all = json_tokener_parse(entry->text), *jobs;
	char subject[256], *text;
	bool same = all;

	for (int i = 0; i < N_KINSHIP; i++)
		same = same && is_same(all, letter, kinship[i]);
	jobs = same ? jobs_of(all) : NULL;
	if (!jobs || json_object_array_length(jobs) >= SERIES_JOBS ||
	    strlen(rspb_json_text(all, "text")) > SERIES_TEXT) {
		json_object_put(all);
		return false;
	}
	/* A job that is moved twice is one job. */
	if (!tells_of(all, (uint32_t) rspb_json_int(letter, "job")))
		json_object_array_add(jobs, json_object_new_int64(rspb_json_int(letter, "job")));
	join_text(all, letter);
	snprintf(subject, sizeof(subject), "rspb: series %.64s: %zu jobs %s",
		 rspb_json_text(all, "series"), json_object_array_length(jobs),
		 rspb_json_text(all, "event"));
	json_object_object_add(all, "subject", json_object_new_string(subject));
	text = rspb_json_line(all);
	if (!text)
		return false;
	free(entry->text);
	entry->text = text;
	entry->several = true;
	/* The longer letter has a new line in the journal, and may not be sent before that is
	 * on the disk. */
	entry->number = 0;
	entry->from = now + SERIES_S < entry->last ? now + SERIES_S : entry->last;
	note(entry, now);
	return true;
}

/* Join a letter with the latest that takes it. Letters of the last slurmctld are left as they
 * are, because nothing waits for their series any more. */
static bool join_any(json_object *letter, int64_t now)
{
	uint32_t uid = (uint32_t) rspb_json_int(letter, "uid");
	uint64_t kin = kin_of(letter);

	for (size_t i = rspb_outbox->n; *rspb_json_text(letter, "series") && i-- > 0;) {
		struct rspb_outbox_entry *entry = &rspb_outbox->items[i];

		if (entry->uid == uid && entry->kin == kin && entry->last &&
		    entry->phase == RSPB_OUTBOX_WRITTEN && entry->text && join(entry, letter, now))
			return true;
	}
	return false;
}

/* Remember that a job was told of, for as long as the letter itself would be. The letter of its
 * series is known by the first job. */
static void remember(uint32_t job, const char *event, int64_t keep, int64_t now)
{
	struct rspb_outbox_entry *entry = keep ? add(next_id(now), job, event, keep) : NULL;

	if (entry)
		delivered(entry, now);
}

void rspb_outbox_put(json_object *letter, uint32_t job, bool replaces, int64_t keep, int64_t now)
{
	struct rspb_outbox_entry *entry;
	uint64_t id;

	for (size_t i = 0; i < rspb_outbox->n; i++)
		if (is_waiting(&rspb_outbox->items[i], job) && !rspb_outbox->items[i].several &&
		    (replaces || reaches_all(&rspb_outbox->items[i], letter)))
			delivered(&rspb_outbox->items[i], now);
	if (join_any(letter, now)) {
		remember(job, rspb_json_text(letter, "event"), keep, now);
		json_object_put(letter);
		return;
	}
	id = next_id(now);
	letter = rspb_json_with_int(letter, "id", (int64_t) id);
	entry = letter ? add(id, job, rspb_json_text(letter, "event"), keep) : NULL;
	if (entry) {
		describe(entry, letter);
		if (*rspb_json_text(letter, "series")) {
			entry->from = now + SERIES_S;
			entry->last = now + SERIES_MOST_S;
		}
		entry->text = rspb_json_line(letter);
		note(entry, now);
	} else {
		json_object_put(letter);
	}
}

/* A start that was moved has another `keep`, and is therefore reminded of again. */
bool rspb_outbox_has(uint32_t job, const char *event, int64_t keep)
{
	for (size_t i = 0; i < rspb_outbox->n; i++)
		if (rspb_outbox->items[i].job == job && rspb_outbox->items[i].keep == keep &&
		    !strcmp(rspb_outbox->items[i].event, event))
			return true;
	return false;
}

bool rspb_outbox_knows(uint32_t job, int64_t since)
{
	uint64_t first = (uint64_t) since * IDS_A_SECOND;

	for (size_t i = 0; i < rspb_outbox->n; i++)
		if (rspb_outbox->items[i].job == job && rspb_outbox->items[i].keep &&
		    rspb_outbox->items[i].id >= first)
			return true;
	return false;
}

bool rspb_outbox_look(int64_t now)
{
	size_t kept = 0;
	uint64_t id;
	bool any = false;

	/* The postman's threads cannot write to the journal; the agent does it for them. */
	while (rspb_postman_done(&id)) {
		struct rspb_outbox_entry *entry = entry_of(id);

		if (entry)
			delivered(entry, now);
	}
	for (size_t i = 0; i < rspb_outbox->n; i++) {
		const struct rspb_outbox_entry *entry = &rspb_outbox->items[i];

		/* Entries without text are kept as long as their event must not be told again. */
		if (entry->phase == RSPB_OUTBOX_DELIVERED && entry->keep <= now)
			continue;
		any |= entry->phase == RSPB_OUTBOX_WRITTEN;
		rspb_outbox->items[kept++] = *entry;
	}
	rspb_outbox->full &= kept == rspb_outbox->n;
	rspb_outbox->n = kept;
	return any;
}

/* RET the first letter of the next user who has one that may go; NULL: none. Users take turns,
 * so that a user with thousands of letters does not delay others. A letter is only sent when it
 * is on the disk: otherwise a crash could undo what it tells. */
static struct rspb_outbox_entry *next_to_post(int64_t now)
{
	struct rspb_outbox_entry *next = NULL;
	uint32_t least = 0;

	for (size_t i = 0; i < rspb_outbox->n; i++) {
		struct rspb_outbox_entry *entry = &rspb_outbox->items[i];
		uint32_t distance = entry->uid - rspb_outbox->last_uid - 1;

		/* If the clock was set back, the wait for others of a series would be endless
		 * without the upper bound. */
		if (entry->phase != RSPB_OUTBOX_WRITTEN || !entry->text ||
		    !rspb_durable_done(entry->number) ||
		    (entry->from > now && entry->from <= now + SERIES_S) ||
		    (next && distance >= least))
			continue;
		next = entry;
		least = distance;
	}
	return next;
}

void rspb_outbox_post(const char *program, const char *mail, int64_t now)
{
	/* All letters noted so far are on the disk with this number. While the disk fails it is
	 * 0, and they wait. */
	uint64_t number = rspb_durable_flush(now);
	struct rspb_outbox_entry *entry;
	size_t posted = 0;

	for (size_t i = 0; i < rspb_outbox->n; i++) {
		posted += rspb_outbox->items[i].phase == RSPB_OUTBOX_POSTED;
		if (rspb_outbox->items[i].phase == RSPB_OUTBOX_WRITTEN &&
		    !rspb_outbox->items[i].number)
			rspb_outbox->items[i].number = number;
	}
	while (posted < POSTED_MOST && (entry = next_to_post(now))) {
		/* Out of memory, or slurmctld is going down: the letter stays in the journal. */
		if (!rspb_postman_post(entry->id, entry->text, program, mail))
			return;
		entry->phase = RSPB_OUTBOX_POSTED;
		rspb_outbox->last_uid = entry->uid;
		posted++;
	}
}

/* --- in the journal ---------------------------------------------------------- */

/* Take a line of the journal. A letter of the last slurmctld is sent at once, and may be sent
 * twice if that one was killed before the delivery was noted. */
static void take_line(struct json_object *o, int64_t now)
{
	uint64_t id = (uint64_t) rspb_json_int(o, "id");
	struct rspb_outbox_entry *entry = entry_of(id);
	struct json_object *letter = NULL;

	(void) now;
	if (!entry)
		entry = add(id, (uint32_t) rspb_json_int(o, "job"), rspb_json_text(o, "event"),
			    rspb_json_int(o, "keep"));
	if (!entry)
		return;
	free(entry->text);
	entry->text = json_object_object_get_ex(o, "letter", &letter)
			      ? strdup(json_object_to_json_string(letter))
			      : NULL;
	if (letter)
		describe(entry, letter);
	entry->phase = entry->text ? RSPB_OUTBOX_WRITTEN : RSPB_OUTBOX_DELIVERED;
}

static void tell_all(int64_t now)
{
	for (size_t i = 0; i < rspb_outbox->n; i++)
		if (rspb_outbox->items[i].text || rspb_outbox->items[i].keep > now)
			note(&rspb_outbox->items[i], now);
}

const struct rspb_durable_kind rspb_letters_durable = {
	.name = "letter",
	.reset = reset,
	.take = take_line,
	.tell = tell_all,
};
