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
#include "common/base/text.h"
#include "common/wire/flags.h"
#include "common/wire/json.h"
#include "plugins/ctld/record/state.h"

enum { OF_JOB = 1, OF_RESV = 2, OF_BOTH = 3 };

/* The members of a promise beside its key and time, in the order of its line. A member without a
 * value is left out of the line, unless it is needed. */
static const struct member {
	const char *key;
	enum { NUMBER32, NUMBER, YES_NO, TEXT } kind;
	size_t offset;
	uint8_t of;
	bool needed; /* a line without it is no promise */
} members[] = {
#define MEMBER(name, kind, of, needed)                                                             \
	{                                                                                          \
#name, kind, offsetof(struct rspb_promise, name), of, needed                       \
	}
	MEMBER(name, TEXT, OF_RESV, true),	 MEMBER(users, TEXT, OF_RESV, false),
	MEMBER(accounts, TEXT, OF_RESV, false),	 MEMBER(partition, TEXT, OF_RESV, false),
	MEMBER(leader, NUMBER32, OF_JOB, true),	 MEMBER(user, NUMBER32, OF_JOB, true),
	MEMBER(submitted, NUMBER, OF_JOB, true), MEMBER(limit, NUMBER, OF_JOB, false),
	MEMBER(tasks, NUMBER32, OF_JOB, false),	 MEMBER(cpus, NUMBER32, OF_JOB, false),
	MEMBER(features, TEXT, OF_BOTH, false),	 MEMBER(needs, TEXT, OF_BOTH, false),
	MEMBER(nodes, TEXT, OF_BOTH, false),	 MEMBER(ended, YES_NO, OF_BOTH, false),
	MEMBER(doubted, YES_NO, OF_BOTH, false), MEMBER(former, NUMBER, OF_BOTH, false),
	MEMBER(contract, TEXT, OF_BOTH, true),
};
enum { N_MEMBERS = sizeof(members) / sizeof(members[0]) };

/* RET the member, if it is a text; NULL: it is not. */
static char **text_of(const struct member *member, const struct rspb_promise *promise)
{
	return member->kind == TEXT ? (char **) ((char *) promise + member->offset) : NULL;
}

/* RET the value of a member that is no text. */
static int64_t number_of(const struct member *member, const struct rspb_promise *promise)
{
	const void *at = (const char *) promise + member->offset;

	return member->kind == NUMBER32 ? *(const uint32_t *) at
	       : member->kind == NUMBER ? *(const int64_t *) at
					: *(const bool *) at;
}

static void clear(struct rspb_promise *promise)
{
	for (size_t i = 0; i < N_MEMBERS; i++)
		if (members[i].kind == TEXT)
			free(*text_of(&members[i], promise));
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
	return rspb_array_place(&key, rspb_promises->items, rspb_promises->n,
				sizeof(*rspb_promises->items), rspb_array_by_u64);
}

static struct rspb_promise *row_of(uint64_t key)
{
	return rspb_array_find(&key, rspb_promises->items, rspb_promises->n,
			       sizeof(*rspb_promises->items), rspb_array_by_u64);
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

/* RET whether a member was found out by the journal itself. */
static bool is_own(const struct member *member)
{
	return member->offset == offsetof(struct rspb_promise, doubted) ||
	       member->offset == offsetof(struct rspb_promise, former);
}

/* The time is not compared, so that a repeated decision costs no line in the journal. */
bool rspb_promise_stands(const struct rspb_promise *promise)
{
	const struct rspb_promise *old = row_of(promise->key);

	for (const struct member *m = members; old && m < members + N_MEMBERS; m++)
		if (m->kind == TEXT ? !same_text(*text_of(m, old), *text_of(m, promise))
				    : !is_own(m) && number_of(m, old) != number_of(m, promise))
			return false;
	return old;
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

/* Replace the texts by copies. RET false: out of memory; what is not copied is NULL. */
static bool copy_texts(struct rspb_promise *promise)
{
	bool good = true;

	for (size_t i = 0; i < N_MEMBERS; i++) {
		char **text = text_of(&members[i], promise);

		if (!text || !*text)
			continue;
		*text = strdup(*text);
		good &= *text != NULL;
	}
	return good;
}

int rspb_promise_put(const struct rspb_promise *promise)
{
	struct rspb_promise copy = *promise, *old = row_of(promise->key);

	/* All copies are made first, since the caller's texts may be those of the old row. A
	 * failure leaves the old row as it was. */
	if (!copy_texts(&copy)) {
		clear(&copy);
		return -1;
	}
	if (old) {
		copy.former = former_of(promise, old);
		clear(old);
		*old = copy;
		return 0;
	}
	/* New jobs have the highest numbers, so few rows follow: those of reservations. */
	if (rspb_array_insert(&rspb_promises->items, &rspb_promises->room, &rspb_promises->n,
			      place_of(copy.key), &copy, sizeof(copy)))
		return 0;
	clear(&copy);
	return -1;
}

void rspb_promise_drop(uint64_t key)
{
	struct rspb_promise *old = row_of(key);

	if (!old)
		return;
	clear(old);
	rspb_array_remove(rspb_promises->items, &rspb_promises->n, old, sizeof(*old));
}

void rspb_promises_doubt(void)
{
	for (size_t i = 0; i < rspb_promises->n; i++)
		rspb_promises->items[i].doubted = true;
}

/* --- as text ---------------------------------------------------------------- */

/* RET a member as JSON; NULL: out of memory. */
static struct json_object *write_member(const struct member *member,
					const struct rspb_promise *promise)
{
	if (member->kind == TEXT)
		return json_object_new_string(rspb_text_kept(*text_of(member, promise)));
	return member->kind == YES_NO ? json_object_new_boolean(number_of(member, promise))
				      : json_object_new_int64(number_of(member, promise));
}

struct json_object *rspb_promise_write(const struct rspb_promise *promise)
{
	struct json_object *o = json_object_new_object();
	bool resv = is_resv(promise);

	o = rspb_json_with_int(o, resv ? "reservation" : "job",
			       resv ? rspb_promise_number(promise) : (int64_t) promise->key);
	for (const struct member *m = members; m < members + N_MEMBERS; m++) {
		bool given = m->kind == TEXT ? *text_of(m, promise) != NULL : number_of(m, promise);

		if (m->of & (resv ? OF_RESV : OF_JOB) && (given || m->needed))
			o = rspb_json_with(o, m->key, write_member(m, promise));
	}
	return o;
}

/* RET false: no such number, or one that no valid line has. The line then counts as none. */
static bool read_int(struct json_object *value, int64_t most, int64_t *out)
{
	*out = json_object_get_int64(value);
	return json_object_is_type(value, json_type_int) && *out >= 0 && *out <= most;
}

/* Read a member; a text stays that of the object. RET false: there is none. */
static bool read_member(struct json_object *object, const struct member *member,
			struct rspb_promise *out)
{
	struct json_object *value = rspb_json_get(object, member->key);
	char *at = (char *) out + member->offset;
	int64_t number;

	if (member->kind == TEXT) {
		if (!json_object_is_type(value, json_type_string))
			return false;
		*(const char **) at = json_object_get_string(value);
	} else if (member->kind == YES_NO) {
		*(bool *) at = json_object_get_boolean(value);
	} else {
		if (!read_int(value, member->kind == NUMBER32 ? UINT32_MAX : INT64_MAX, &number))
			return false;
		if (member->kind == NUMBER32)
			*(uint32_t *) at = (uint32_t) number;
		else
			*(int64_t *) at = number;
	}
	return true;
}

bool rspb_promise_read(struct json_object *object, struct rspb_promise *out)
{
	int64_t number;
	bool resv = read_int(rspb_json_get(object, "reservation"), UINT32_MAX, &number);

	memset(out, 0, sizeof(*out));
	if (!resv && !read_int(rspb_json_get(object, "job"), UINT32_MAX, &number))
		return false;
	for (const struct member *m = members; m < members + N_MEMBERS; m++)
		if (m->of & (resv ? OF_RESV : OF_JOB) && !read_member(object, m, out) && m->needed)
			return false;
	out->key = resv ? rspb_promise_resv((uint32_t) number, out->name) : (uint64_t) number;
	return true;
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
