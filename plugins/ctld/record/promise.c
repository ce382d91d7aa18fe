/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of what was promised to each job and reservation, as the journal has it. Others compare
 * it with Slurm's records. */
#include "plugins/ctld/record/promise.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/hash.h"
#include "common/wire/flags.h"
#include "common/wire/json.h"
#include "plugins/ctld/record/state.h"

static void clear(struct rspb_promise *promise)
{
	free(promise->name);
	free(promise->users);
	free(promise->accounts);
	free(promise->partition);
	free(promise->features);
	free(promise->needs);
	free(promise->nodes);
	free(promise->contract);
}

/* The key of a reservation has a bit that no job's key has, then Slurm's number, then 30 bits
 * of a hash of the name. */
enum { RESV_BIT = 62, NAME_BITS = 30 };

uint64_t rspb_promise_resv(uint32_t number, const char *name)
{
	uint64_t hash = rspb_hash(RSPB_HASH_START, name, strlen(name));

	return UINT64_C(1) << RESV_BIT | (uint64_t) number << NAME_BITS | hash >> (64 - NAME_BITS);
}

static bool is_resv(const struct rspb_promise *promise)
{
	return promise->key >> RESV_BIT;
}

uint32_t rspb_promise_number(const struct rspb_promise *promise)
{
	return is_resv(promise) ? (uint32_t) (promise->key >> NAME_BITS) : 0;
}

/* The table belongs to one thread at a time: the writer's while it reads the file, and then the
 * agent's. No lock guards it. */
void rspb_promises_reset(void)
{
	for (size_t i = 0; i < rspb_promises->n; i++)
		clear(&rspb_promises->items[i]);
	free(rspb_promises->items);
	memset(rspb_promises, 0, sizeof(*rspb_promises));
}

size_t rspb_promises_count(void)
{
	return rspb_promises->n;
}

const struct rspb_promise *rspb_promise_at(size_t i)
{
	return &rspb_promises->items[i];
}

/* RET the place of the first key that is not below this one. The table is sorted, so that the
 * keys of one reservation's number are together. */
static size_t place_of(uint64_t key)
{
	size_t low = 0, high = rspb_promises->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rspb_promises->items[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct rspb_promise *row_of(uint64_t key)
{
	size_t at = place_of(key);

	return at < rspb_promises->n && rspb_promises->items[at].key == key
		       ? &rspb_promises->items[at]
		       : NULL;
}

const struct rspb_promise *rspb_promise_find(uint64_t key)
{
	return row_of(key);
}

const struct rspb_promise *rspb_promise_find_resv(uint32_t number)
{
	uint64_t first = UINT64_C(1) << RESV_BIT | (uint64_t) number << NAME_BITS;
	const struct rspb_promise *best = NULL, *next = rspb_promises->items;

	for (next += place_of(first);
	     next < rspb_promises->items + rspb_promises->n && rspb_promise_number(next) == number;
	     next++)
		/* Slurm uses numbers again, so several names may have had this one. The one
		 * that is not over counts. */
		if (!best || best->ended > next->ended ||
		    (best->ended == next->ended && best->at <= next->at))
			best = next;
	return best;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* An empty text means the same as none: Slurm has both. */
static const char *named(const char *features)
{
	return features && *features ? features : NULL;
}

void rspb_promise_ask(struct rspb_promise *promise, const char *features)
{
	promise->features = (char *) named(features);
}

bool rspb_promise_asks(const struct rspb_promise *promise, const char *features)
{
	return same_text(named(promise->features), named(features));
}

const char *rspb_promise_nodes(const struct rspb_promise *promise, const char *on)
{
	return promise->nodes ? promise->nodes : on;
}

/* The state is read from the contract's text; states from RSPB_DECLINED on are final. */
bool rspb_promise_over(const struct rspb_promise *promise)
{
	if (promise->ended)
		return true;
	for (int state = RSPB_DECLINED; state < RSPB_N_STATES; state++)
		if (rspb_contract_says(promise->contract, state))
			return true;
	return false;
}

/* The time is not compared, so that a repeated decision costs no line in the journal. */
bool rspb_promise_stands(const struct rspb_promise *promise)
{
	const struct rspb_promise *old = row_of(promise->key);

	return old && old->leader == promise->leader && old->user == promise->user &&
	       old->submitted == promise->submitted && old->ended == promise->ended &&
	       old->limit == promise->limit && old->tasks == promise->tasks &&
	       old->cpus == promise->cpus && same_text(old->name, promise->name) &&
	       same_text(old->users, promise->users) &&
	       same_text(old->accounts, promise->accounts) &&
	       same_text(old->partition, promise->partition) &&
	       same_text(old->features, promise->features) &&
	       same_text(old->needs, promise->needs) && same_text(old->nodes, promise->nodes) &&
	       same_text(old->contract, promise->contract);
}

/* RET a hash of a contract, which the journal can hold as a number. The text of a reservation does
 * not name its nodes, so they do not count there. */
static uint64_t hash_of(const struct rspb_promise *promise, const char *text)
{
	const char *on = is_resv(promise) ? strstr(text, " on=") : NULL;
	size_t length = on ? (size_t) (on - text) : strlen(text);
	uint64_t hash = rspb_hash(RSPB_HASH_START, text, length);

	if (on)
		on = strchr(on + 1, ' ');
	if (on)
		hash = rspb_hash(hash, on, strlen(on));
	return hash >> 1;
}

bool rspb_promise_replaced(const struct rspb_promise *promise, const char *text)
{
	return promise->former && text && promise->former == hash_of(promise, text);
}

/* A limit that changes alone does not replace the contract. */
static uint64_t former_of(const struct rspb_promise *promise, const struct rspb_promise *old)
{
	if (promise->former)
		return promise->former;
	return !strcmp(promise->contract, old->contract) ? old->former
							 : hash_of(old, old->contract);
}

static bool copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return !*to == !from;
}

/* RET false: out of memory. */
static bool copy_texts(struct rspb_promise *to, const struct rspb_promise *from)
{
	bool good = copy_text(&to->name, from->name);

	good &= copy_text(&to->users, from->users);
	good &= copy_text(&to->accounts, from->accounts);
	good &= copy_text(&to->partition, from->partition);
	good &= copy_text(&to->features, from->features);
	good &= copy_text(&to->needs, from->needs);
	good &= copy_text(&to->nodes, from->nodes);
	return copy_text(&to->contract, from->contract) && good;
}

int rspb_promise_put(const struct rspb_promise *promise)
{
	size_t at = place_of(promise->key);
	struct rspb_promise copy = *promise;
	bool old = at < rspb_promises->n && rspb_promises->items[at].key == promise->key;

	/* All copies are made first, since the caller's texts may be those of the old row. A
	 * failure leaves the old row as it was. */
	if (!copy_texts(&copy, promise) ||
	    (!old && rspb_array_grow(&rspb_promises->items, &rspb_promises->room,
				     rspb_promises->n + 1, sizeof(*rspb_promises->items)))) {
		clear(&copy);
		return -1;
	}
	if (old) {
		copy.former = former_of(promise, &rspb_promises->items[at]);
		clear(&rspb_promises->items[at]);
	} else {
		/* New jobs have the highest numbers, so few rows follow: those of reservations. */
		memmove(rspb_promises->items + at + 1, rspb_promises->items + at,
			(rspb_promises->n - at) * sizeof(*rspb_promises->items));
		rspb_promises->n++;
	}
	rspb_promises->items[at] = copy;
	return 0;
}

void rspb_promise_drop(uint64_t key)
{
	struct rspb_promise *old = row_of(key);

	if (!old)
		return;
	clear(old);
	rspb_promises->n--;
	memmove(old, old + 1,
		(size_t) (rspb_promises->items + rspb_promises->n - old) * sizeof(*old));
}

void rspb_promises_doubt(void)
{
	for (size_t i = 0; i < rspb_promises->n; i++)
		rspb_promises->items[i].doubted = true;
}

/* --- as text ---------------------------------------------------------------- */

static struct json_object *with_int(struct json_object *object, const char *key, int64_t value)
{
	return rspb_json_with(object, key, json_object_new_int64(value));
}

/* Leave out a number that is 0, which means that the job has none. */
static struct json_object *with_some(struct json_object *object, const char *key, int64_t value)
{
	return value ? with_int(object, key, value) : object;
}

static struct json_object *with_text(struct json_object *object, const char *key, const char *text)
{
	return text ? rspb_json_with(object, key, json_object_new_string(text)) : object;
}

struct json_object *rspb_promise_write(const struct rspb_promise *promise)
{
	struct json_object *o = json_object_new_object();
	bool resv = is_resv(promise);

	o = with_int(o, resv ? "reservation" : "job",
		     resv ? rspb_promise_number(promise) : (int64_t) promise->key);
	if (resv) {
		o = with_text(o, "name", promise->name ? promise->name : "");
		o = with_text(o, "users", promise->users);
		o = with_text(o, "accounts", promise->accounts);
		o = with_text(o, "partition", promise->partition);
	} else {
		o = with_int(o, "leader", promise->leader);
		o = with_int(o, "user", promise->user);
		o = with_int(o, "submitted", promise->submitted);
		o = with_some(o, "limit", promise->limit);
		o = with_some(o, "tasks", promise->tasks);
		o = with_some(o, "cpus", promise->cpus);
	}
	o = with_text(o, "features", promise->features);
	o = with_text(o, "needs", promise->needs);
	o = with_text(o, "nodes", promise->nodes);
	if (promise->ended)
		o = rspb_json_with(o, "ended", json_object_new_boolean(true));
	if (promise->doubted)
		o = rspb_json_with(o, "doubted", json_object_new_boolean(true));
	o = with_some(o, "former", (int64_t) promise->former);
	return rspb_json_with(o, "contract", json_object_new_string(promise->contract));
}

/* RET false: no such number, or one that no valid line has. The line then counts as none. */
static bool read_int(struct json_object *object, const char *key, int64_t most, int64_t *out)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, json_type_int))
		return false;
	*out = json_object_get_int64(value);
	return *out >= 0 && *out <= most;
}

/* RET a text that belongs to the object; NULL: there is none. */
static char *read_text(struct json_object *object, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return (char *) json_object_get_string(value);
}

static int64_t read_some(struct json_object *object, const char *key, int64_t most)
{
	int64_t value;

	return read_int(object, key, most, &value) ? value : 0;
}

/* RET whether it has all that a job's has. */
static bool read_job(struct json_object *object, struct rspb_promise *out)
{
	int64_t job, leader, user;

	if (!read_int(object, "job", UINT32_MAX, &job) ||
	    !read_int(object, "leader", UINT32_MAX, &leader) ||
	    !read_int(object, "user", UINT32_MAX, &user) ||
	    !read_int(object, "submitted", INT64_MAX, &out->submitted))
		return false;
	out->key = (uint64_t) job;
	out->leader = (uint32_t) leader;
	out->user = (uint32_t) user;
	out->limit = read_some(object, "limit", INT64_MAX);
	out->tasks = (uint32_t) read_some(object, "tasks", UINT32_MAX);
	out->cpus = (uint32_t) read_some(object, "cpus", UINT32_MAX);
	return true;
}

bool rspb_promise_read(struct json_object *object, struct rspb_promise *out)
{
	int64_t number;

	memset(out, 0, sizeof(*out));
	out->contract = read_text(object, "contract");
	if (!out->contract)
		return false;
	out->features = read_text(object, "features");
	out->needs = read_text(object, "needs");
	out->nodes = read_text(object, "nodes");
	out->ended = rspb_json_bool(object, "ended");
	out->doubted = rspb_json_bool(object, "doubted");
	out->former = (uint64_t) read_some(object, "former", INT64_MAX);
	if (!read_int(object, "reservation", UINT32_MAX, &number))
		return read_job(object, out);
	out->name = read_text(object, "name");
	if (out->name)
		out->key = rspb_promise_resv((uint32_t) number, out->name);
	out->users = read_text(object, "users");
	out->accounts = read_text(object, "accounts");
	out->partition = read_text(object, "partition");
	return out->name;
}

void rspb_needs_print(const struct rspb_needs *needs, char text[RSPB_NEEDS_TEXT])
{
	snprintf(text, RSPB_NEEDS_TEXT,
		 "%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64
		 " job=%s node=%s task=%s",
		 needs->tasks, needs->cpus, needs->cpus_task, needs->cpus_node, needs->memory,
		 needs->job, needs->node, needs->task);
}

/* Read one member up to the next blank, and go on after it. RET false: there is another one, or
 * it is too long. */
static bool member(const char **text, const char *name, char out[RSPB_NEEDS_GRES])
{
	size_t key = strlen(name), len;

	if (strncmp(*text, name, key) != 0)
		return false;
	len = strcspn(*text + key, " ");
	if (len >= RSPB_NEEDS_GRES)
		return false;
	memcpy(out, *text + key, len);
	out[len] = '\0';
	*text += key + len;
	return true;
}

bool rspb_needs_parse(const char *text, struct rspb_needs *out)
{
	int at = 0;

	*out = (struct rspb_needs){ .tasks = 0 };
	if (sscanf(text, "%" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu64 "%n",
		   &out->tasks, &out->cpus, &out->cpus_task, &out->cpus_node, &out->memory,
		   &at) != 5)
		return false;
	text += at;
	return member(&text, " job=", out->job) && member(&text, " node=", out->node) &&
	       member(&text, " task=", out->task);
}
