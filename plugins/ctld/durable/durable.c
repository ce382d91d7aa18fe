/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/durable/durable.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/wire/flags.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/save.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/durable/store.h"
#include "plugins/ctld/post/journal_line.h"
#include "plugins/ctld/stats/tally.h"

enum {
	FINAL_KEPT_S = 86400, /* what is over may come back in an old file */
	GROWN = 1 << 20,      /* bytes behind which a file is written anew */
	/* Where the disk fails and nobody waits for it, it is tried again behind
	 * so many times of what it took to fail. */
	AGAIN_TIMES = 9,
	AGAIN_LEAST_US = 50000,
	AGAIN_MOST_US = 5000000
};

static struct {
	bool on, begun;
	char refused[RSPB_ERR_TEXT]; /* why the file is left alone; "" */
	bool failing;		     /* and it has been said */
	struct rspb_store store;
	const struct rspb_durable_kind *const *others; /* NULL: none */
	char *lines; /* noted and not written */
	size_t length, room;
	bool short_of_memory; /* some could not be noted */
	int64_t shortest;     /* bytes of the file when it was written anew */
	/* When somebody of us had looked last; when Slurm's file was written
	 * that the last slurmctld has left. */
	int64_t left_at, state_at;
	int64_t told_at;
	int64_t again_us; /* of the clock that only goes forward */
} journal = { .on = true, .store = RSPB_STORE_NONE };

/* --- notes ------------------------------------------------------------------ */

static void add_line(char *line)
{
	size_t length = line ? strlen(line) : 0;

	if (!line || rspb_array_grow(&journal.lines, &journal.room,
				     journal.length + length, 1)) {
		journal.short_of_memory = true;
	} else {
		memcpy(journal.lines + journal.length, line, length);
		journal.length += length;
	}
	free(line);
}

void rspb_durable_note(const char *kind, struct json_object *value, int64_t now)
{
	if (!journal.on) {
		json_object_put(value);
		return;
	}
	add_line(rspb_line_of(now, kind, value));
}

void rspb_durable_promise(const struct rspb_promise *promise)
{
	if (rspb_promise_stands(promise))
		return;
	if (rspb_promise_put(promise))
		journal.short_of_memory = true;
	else
		/* Its texts may have been those of the one before. */
		rspb_durable_note("promise",
				  rspb_promise_write(
					  rspb_promise_find(promise->key)),
				  promise->at);
}

/* --- what the last one left --------------------------------------------------- */

static struct json_object *parse(const char *line, size_t length)
{
	struct json_tokener *tok = json_tokener_new();
	struct json_object *object = NULL;

	if (tok)
		object = json_tokener_parse_ex(tok, line, (int) length);
	json_tokener_free(tok);
	return object;
}

static void take_other(struct json_object *object, int64_t now)
{
	const struct rspb_durable_kind *const *kind = journal.others;
	struct json_object *value;

	for (; kind && *kind; kind++)
		if (json_object_object_get_ex(object, (*kind)->name, &value))
			(*kind)->take(value, now);
}

static void take(void *arg, const char *line, size_t length)
{
	struct json_object *object = parse(line, length), *value;
	struct rspb_promise promise;
	int64_t at = 0;

	if (json_object_object_get_ex(object, "at", &value))
		at = json_object_get_int64(value);
	if (at > journal.left_at)
		journal.left_at = at;
	if (json_object_object_get_ex(object, "promise", &value) &&
	    rspb_promise_read(value, &promise)) {
		promise.at = at;
		if (rspb_promise_put(&promise))
			journal.short_of_memory = true;
	} else {
		take_other(object, *(const int64_t *) arg);
	}
	json_object_put(object);
}

static void tell_found(const struct rspb_store_found *found, const char *path)
{
	if (found->torn_bytes)
		rspb_log_error("%s: its last %" PRId64 " bytes are torn and "
			       "left out: slurmctld died while it wrote them, "
			       "before anybody was told",
			       path, found->torn_bytes);
	if (found->broken)
		rspb_log_error("%s: %zu lines, the first at byte %" PRId64
			       ", are broken and left out: of what they were "
			       "about, what Slurm knows counts",
			       path, found->broken, found->broken_at);
	rspb_log_info("%s: %zu lines, %zu promises", path, found->lines,
		      rspb_promises_count());
}

static void read_file(int64_t now)
{
	struct rspb_store_found found = { .any = false };
	const struct rspb_durable_kind *const *kind = journal.others;
	char path[PATH_MAX];
	struct rspb_err err;

	for (; kind && *kind; kind++)
		if ((*kind)->reset)
			(*kind)->reset();
	if (!rspb_ctld_in_state("rspb.journal", path, sizeof(path))) {
		snprintf(journal.refused, sizeof(journal.refused),
			 "rspb.journal: its path is too long");
	} else if (rspb_store_load(&journal.store, path, take, &now, &found,
				   &err)) {
		snprintf(journal.refused, sizeof(journal.refused), "%s",
			 err.text);
		rspb_promises_reset();
	}
	if (!journal.begun)
		return;
	if (journal.refused[0])
		rspb_log_error("%s; nothing new is booked", journal.refused);
	else if (found.any)
		tell_found(&found, path);
}

void rspb_durable_open(const struct rspb_durable_kind *const *others,
		       int64_t now)
{
	rspb_durable_close();
	journal.others = others;
	rspb_save_mend();
	journal.state_at = rspb_save_left_at();
	read_file(now);
}

void rspb_durable_begin(int64_t now)
{
	if (journal.begun)
		return;
	journal.begun = true;
	journal.refused[0] = '\0';
	rspb_promises_reset();
	read_file(now);
}

void rspb_durable_close(void)
{
	bool on = journal.on;

	rspb_store_close(&journal.store);
	rspb_promises_reset();
	free(journal.lines);
	memset(&journal, 0, sizeof(journal));
	journal.store.fd = -1;
	journal.on = on;
}

void rspb_durable_configure(bool on)
{
	char old[PATH_MAX + 8];

	/* What it says will be out of date when it is read again. */
	if (!on && journal.store.path[0] && !journal.refused[0]) {
		rspb_store_close(&journal.store);
		snprintf(old, sizeof(old), "%s.old", journal.store.path);
		if (!rename(journal.store.path, old))
			rspb_log_info("Journal=no: the journal is %s now", old);
		journal.length = 0;
	}
	journal.on = on;
}

bool rspb_durable_lost(int64_t within)
{
	return journal.state_at < journal.left_at + within;
}

uint32_t rspb_durable_last_job(void)
{
	for (size_t i = rspb_promises_count(); i-- > 0;)
		if (rspb_promise_at(i)->key < RSPB_PROMISE_RESV)
			return (uint32_t) rspb_promise_at(i)->key;
	return 0;
}

void rspb_durable_redo(bool (*redo)(const struct rspb_promise *promise,
				    const struct rspb_config *config,
				    int64_t now),
		       const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	size_t i = 0;

	while (i < rspb_promises_count() &&
	       rspb_section_enter(&section, RSPB_LOCK_WRITE, "redo")) {
		do {
			uint64_t key = rspb_promise_at(i)->key;

			section.items++;
			if (redo(rspb_promise_at(i), config, now))
				rspb_promise_drop(key);
			else
				i++;
		} while (i < rspb_promises_count() &&
			 !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
}

/* --- to the disk --------------------------------------------------------------- */

static bool is_over(const struct rspb_promise *promise)
{
	if (promise->ended)
		return true;
	for (int state = RSPB_DECLINED; state < RSPB_N_STATES; state++)
		if (rspb_contract_says(promise->contract, state))
			return true;
	return false;
}

/* A new file, of what counts. */
static int write_anew(int64_t now, struct rspb_err *err)
{
	const struct rspb_durable_kind *const *kind;
	size_t i = 0;

	journal.length = 0;
	journal.short_of_memory = false;
	while (i < rspb_promises_count()) {
		const struct rspb_promise *promise = rspb_promise_at(i);

		if (promise->at < now - FINAL_KEPT_S && is_over(promise)) {
			rspb_promise_drop(promise->key);
			continue;
		}
		rspb_durable_note("promise", rspb_promise_write(promise),
				  promise->at);
		i++;
	}
	for (kind = journal.others; kind && *kind; kind++)
		(*kind)->tell(now);
	/* One that is killed before it has looked at all has seen nothing. */
	rspb_durable_note("alive", json_object_new_object(), journal.left_at);
	if (journal.short_of_memory)
		return rspb_fail(err, "rspb.journal: out of memory");
	if (rspb_store_replace(&journal.store, journal.lines, journal.length,
			       now, err))
		return -1;
	journal.shortest = journal.store.size;
	return 0;
}

static int write_lines(int64_t now, struct rspb_err *err)
{
	if (journal.store.fd >= 0 && !journal.short_of_memory &&
	    !rspb_store_append(&journal.store, journal.lines, journal.length,
			       err))
		return 0;
	return write_anew(now, err);
}

static void tell_failing(bool failing, const struct rspb_err *err)
{
	if (failing && !journal.failing)
		rspb_log_error("%s; nothing new is booked until the journal "
			       "can be written",
			       err->text);
	if (!failing && journal.failing)
		rspb_log_info("%s: it can be written again",
			      journal.store.path);
	journal.failing = failing;
}

/* RET when what has just failed is to be tried again. */
static int64_t try_again(int64_t began)
{
	int64_t ended = rspb_section_clock_us();
	int64_t pause = (ended - began) * AGAIN_TIMES;

	if (pause < AGAIN_LEAST_US)
		pause = AGAIN_LEAST_US;
	return ended + (pause < AGAIN_MOST_US ? pause : AGAIN_MOST_US);
}

bool rspb_durable_behind(void)
{
	return journal.failing;
}

int rspb_durable_sync(int64_t now, struct rspb_err *err)
{
	struct rspb_err own;
	int64_t began = rspb_section_clock_us(), took;

	if (!journal.on || (!journal.length && journal.store.fd >= 0 &&
			    !journal.short_of_memory))
		return 0;
	if (journal.refused[0])
		return rspb_fail(err, "%s", journal.refused);
	if (!err && journal.failing && began < journal.again_us)
		return -1;
	if (write_lines(now, &own)) {
		tell_failing(true, &own);
		journal.again_us = try_again(began);
		/* All of it is in the table, for the next file. */
		journal.length = 0;
		rspb_store_close(&journal.store);
		return rspb_fail(err, "%s", own.text);
	}
	tell_failing(false, NULL);
	took = rspb_section_clock_us() - began;
	rspb_log_debug("journal: %zu bytes synced in %" PRId64 " us",
		       journal.length, took);
	journal.length = 0;
	rspb_lengths_add(&rspb_tally_syncs, took);
	return 0;
}

void rspb_durable_keep_house(int64_t now)
{
	struct rspb_lengths_sum syncs;

	if (journal.store.fd >= 0 &&
	    journal.store.size > 2 * journal.shortest + GROWN)
		rspb_store_close(&journal.store);
	journal.left_at = now;
	rspb_durable_note("alive", json_object_new_object(), now);
	rspb_durable_sync(now, NULL);
	if (now < journal.told_at + 3600)
		return;
	rspb_lengths_read(&rspb_tally_syncs, &syncs);
	if (journal.told_at && syncs.n)
		rspb_log_info("journal: %" PRIu64 " times synced since the "
			      "start, in %" PRId64 " us on average, at most "
			      "%" PRId64 " us",
			      syncs.n, syncs.sum_us / (int64_t) syncs.n,
			      syncs.longest_us);
	journal.told_at = now;
}
