/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a message into a question, strictly. Permissions are checked later. */
#include "plugins/ctld/serve/inquiry.h"

#include <json-c/json.h>
#include <string.h>

#include "common/base/text.h"
#include "common/request/request.h"
#include "common/wire/json.h"
#include "plugins/wire/strict.h"

/* The deepest message is a list or an object in an object; deeper ones are refused while they are
 * parsed. */
enum { DEPTH = 4 };

enum kind { NUMBER, COUNT, YES_NO, TEXT, JOBS, EXPECT };

/* A member that a message can have, and where its value goes. Unknown members are errors: a client
 * that is newer than slurmctld must not have a condition ignored. */
struct member {
	const char *key;
	enum kind kind;
	size_t offset;
	int64_t low, high; /* of numbers; high of texts: their room */
};

#define MEMBER_OF(key, kind, member, low, high)                                                    \
	{                                                                                          \
		key, kind, offsetof(struct rspb_inquiry, member), low, high                        \
	}
#define MEMBER(key, kind, low, high) MEMBER_OF(#key, kind, key, low, high)
#define TERM(key, kind, low, high)   MEMBER_OF(#key, kind, terms.key, low, high)

static const struct member members[] = {
	MEMBER(tag, TEXT, 0, RSPB_ASK_TAG),
	MEMBER(version, NUMBER, 0, INT32_MAX),
	MEMBER(job, NUMBER, 1, UINT32_MAX),
	MEMBER(first, NUMBER, 0, INT32_MAX),
	TERM(nodes, COUNT, 1, INT32_MAX),
	TERM(duration, NUMBER, 1, INT32_MAX),
	MEMBER_OF("begin", NUMBER, terms.ready, 1, INT64_MAX / 4),
	MEMBER_OF("until", NUMBER, terms.deadline, 1, INT64_MAX / 4),
	MEMBER(most, NUMBER, 1, 1000),
	MEMBER(days, NUMBER, 1, 366),
	MEMBER_OF("share", NUMBER, terms.share, 1, RSPB_SHARE_WHOLE),
	MEMBER(exact, YES_NO, 0, 0),
	MEMBER(hold, NUMBER, 1, INT32_MAX),
	MEMBER(jobs, JOBS, 1, UINT32_MAX),
	MEMBER(expect, EXPECT, 1, INT64_MAX / 4),
	MEMBER(seen, NUMBER, 1, INT64_MAX / 4),
	MEMBER(moved, NUMBER, -INT32_MAX, INT32_MAX),
	MEMBER(uid, NUMBER, 1, UINT32_MAX - 2),
	MEMBER(partition, TEXT, 0, RSPB_ASK_NAME),
	TERM(nodes_least, COUNT, 1, INT32_MAX),
	MEMBER_OF("share_least", NUMBER, terms.share_min, 1, RSPB_SHARE_WHOLE),
	TERM(tasks, COUNT, 1, INT32_MAX),
	TERM(cpus_task, COUNT, 1, UINT16_MAX / 2),
	TERM(cpus, COUNT, 1, INT32_MAX),
	TERM(cores, COUNT, 1, UINT16_MAX),
	TERM(mem, COUNT, 1, INT32_MAX),
	TERM(mem_cpu, COUNT, 1, INT32_MAX),
	TERM(gres, TEXT, 0, RSPB_ASK_NAME),
	TERM(gpus, TEXT, 0, RSPB_ASK_TAG),
	TERM(gpus_node, TEXT, 0, RSPB_ASK_TAG),
	TERM(gpus_task, TEXT, 0, RSPB_ASK_TAG),
	TERM(asap, YES_NO, 0, 0),
	MEMBER(features, TEXT, 0, RSPB_ASK_NAME),
	MEMBER(account, TEXT, 0, RSPB_ASK_TAG),
	MEMBER(qos, TEXT, 0, RSPB_ASK_TAG),
	TERM(nodelist, TEXT, 0, RSPB_ASK_LIST_TEXT),
	TERM(exclude, TEXT, 0, RSPB_ASK_LIST_TEXT),
	TERM(licenses, TEXT, 0, RSPB_ASK_NAME),
	MEMBER(reservation, TEXT, 0, RSPB_ASK_NAME),
	MEMBER(users, TEXT, 0, RSPB_ASK_LIST_TEXT),
	MEMBER(accounts, TEXT, 0, RSPB_ASK_LIST_TEXT),
	MEMBER(mail, TEXT, 0, RSPB_ASK_TAG),
	MEMBER(all, YES_NO, 0, 0),
	MEMBER(ended, YES_NO, 0, 0),
};

/* The members of which a message has one; see check(). */
#define WHICH "job|reservation"

/* The members that each kind of question needs and may have, besides those that all have, and the
 * flags of sbatch that it may have. */
static const struct {
	const char *name, *needs, *may;
	uint8_t flags;
} ops[RSPB_N_ASKS] = {
	[RSPB_ASK_PING] = { "ping", "", "" },
	[RSPB_ASK_LIST] = { "list", "", "first,all,ended" },
	[RSPB_ASK_SHOW] = { "show", WHICH, "job,reservation" },
	[RSPB_ASK_CALENDAR] = { "calendar", "", "first,seen" },
	[RSPB_ASK_SLOTS] = { "slots", "duration",
			     "nodes,duration,begin,until,most,partition,cpus,mem,gpus,licenses,"
			     "nodelist,features" },
	[RSPB_ASK_RESERVE] = { "reserve", "nodes,duration",
			       "nodes,nodes_least,duration,begin,until,asap,cores,mem,gres,"
			       "partition,features,users,accounts,mail",
			       RSPB_TERM_RESERVE },
	[RSPB_ASK_MODIFY] = { "modify", WHICH,
			      "job,jobs,reservation,nodes,duration,begin,until,moved,share,exact,"
			      "hold,features,tasks,cpus_task,mem,mem_cpu,gres,gpus,gpus_node,"
			      "gpus_task,uid,expect" },
	[RSPB_ASK_OFFERS] = { "offers", "",
			      "job,reservation,nodes,nodes_least,duration,begin,until,asap,share,"
			      "share_least,tasks,cpus_task,mem,mem_cpu,gres,gpus,gpus_node,"
			      "gpus_task,partition,features,account,qos,nodelist,exclude,licenses",
			      RSPB_TERM_OFFERS },
	[RSPB_ASK_STATS] = { "stats", "", "days" },
	[RSPB_ASK_SETTINGS] = { "settings", "", "" },
	[RSPB_ASK_LIMITS] = { "limits", "", "account,partition,qos" },
	[RSPB_ASK_RELEASE] = { "release", WHICH, "job,reservation" },
};

static int set_number(const struct member *member, json_object *value, int64_t *to,
		      struct rspb_err *err)
{
	int64_t number = json_object_get_int64(value);

	if (!json_object_is_type(value, json_type_int) || number < member->low ||
	    number > member->high)
		return rspb_fail(err, "%s: allowed are whole numbers from %lld to %lld",
				 member->key, (long long) member->low, (long long) member->high);
	*to = number;
	return 0;
}

/* A text with a NUL inside would be cut by every later function, so the lengths are compared. */
static int set_text(const struct member *member, json_object *value, void *at, struct rspb_err *err)
{
	size_t len = (size_t) json_object_get_string_len(value);
	const char *text = json_object_get_string(value);

	if (!json_object_is_type(value, json_type_string) || len >= (size_t) member->high ||
	    strlen(text) != len || !rspb_text_printable(text, len))
		return rspb_fail(
			err,
			"%s: allowed are texts of less than %lld bytes, without control characters",
			member->key, (long long) member->high);
	memcpy(at, text, len + 1);
	return 0;
}

/* Read a list of job ids. A job that is given twice would be planned twice on the same ledger. RET
 * 0, or -1 with err. */
static int set_jobs(const struct member *member, json_object *value, struct rspb_inquiry_jobs *jobs,
		    struct rspb_err *err)
{
	size_t n = 0;

	if (json_object_is_type(value, json_type_array))
		n = json_object_array_length(value);
	if (!n || n > RSPB_ASK_JOBS)
		return rspb_fail(err, "%s: allowed are 1 to %d numbers in a list", member->key,
				 RSPB_ASK_JOBS);
	for (jobs->n = 0; jobs->n < n; jobs->n++) {
		int64_t id;

		if (set_number(member, json_object_array_get_idx(value, jobs->n), &id, err))
			return -1;
		for (uint32_t i = 0; i < jobs->n; i++)
			if (jobs->ids[i] == id)
				return rspb_fail(err, "%s: %lld is given twice", member->key,
						 (long long) id);
		jobs->ids[jobs->n] = (uint32_t) id;
	}
	return 0;
}

/* Read the values that a booking is expected to have; a member that is missing is not compared. */
static int set_expect(const struct member *member, json_object *value,
		      struct rspb_inquiry_expect *expect, struct rspb_err *err)
{
	if (!json_object_is_type(value, json_type_object))
		return rspb_fail(err, "%s: allowed is an object", member->key);
	expect->said = true;
	json_object_object_foreach(value, key, of)
	{
		struct rspb_quote quote;
		int64_t *to = !strcmp(key, "start")   ? &expect->start
			      : !strcmp(key, "end")   ? &expect->end
			      : !strcmp(key, "nodes") ? &expect->nodes
						      : NULL;

		if (!to)
			return rspb_fail(err, "%s has no member %s", member->key,
					 rspb_text_quote(&quote, key, strlen(key)));
		if (set_number(member, of, to, err))
			return -1;
	}
	return 0;
}

static int set(const struct member *member, json_object *value, struct rspb_inquiry *out,
	       struct rspb_err *err)
{
	void *at = (char *) out + member->offset;
	int64_t count = 0;

	switch (member->kind) {
	case NUMBER:
		return set_number(member, value, at, err);
	case COUNT:
		if (set_number(member, value, &count, err))
			return -1;
		*(uint32_t *) at = (uint32_t) count;
		return 0;
	case TEXT:
		return set_text(member, value, at, err);
	case JOBS:
		return set_jobs(member, value, at, err);
	case EXPECT:
		return set_expect(member, value, at, err);
	case YES_NO:
		break;
	}
	if (!json_object_is_type(value, json_type_boolean))
		return rspb_fail(err, "%s: allowed are true and false", member->key);
	*(bool *) at = json_object_get_boolean(value);
	return 0;
}

static const struct member *member_of(const char *key)
{
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (!strcmp(members[i].key, key))
			return &members[i];
	return NULL;
}

/* Set a member that is a flag of sbatch. Whether its text can be read is said with the answer, as
 * the message itself is well-formed. */
static int set_flag(const struct rspb_term *term, json_object *value, struct rspb_inquiry *out,
		    struct rspb_err *err)
{
	char key[RSPB_TERM_KEY], text[RSPB_FLAG_TEXT_MAX + 1];
	const struct member member = { .key = rspb_term_key(term, key),
				       .low = term->low,
				       .high = rspb_term_is_number(term) ? term->high
									 : (int64_t) sizeof(text) };

	if (rspb_term_is_number(term))
		return set_number(&member, value, (void *) ((char *) &out->terms + term->offset),
				  err);
	if (set_text(&member, value, text, err))
		return -1;
	if (text[0] && !out->wrong.text[0])
		rspb_flag_set(&out->terms, term->name, text, &out->wrong);
	return 0;
}

/* Read the tag first, so that a refusal of the rest repeats it. A client with several open requests
 * could not assign the answer otherwise. */
static int read_tag(json_object *object, struct rspb_inquiry *out, struct rspb_err *err)
{
	json_object *value = NULL;

	return json_object_object_get_ex(object, "tag", &value)
		       ? set(member_of("tag"), value, out, err)
		       : 0;
}

static int read_op(json_object *object, struct rspb_inquiry *out, struct rspb_err *err)
{
	json_object *value = NULL;
	struct rspb_quote quote;
	const char *name;

	if (!json_object_object_get_ex(object, "op", &value) ||
	    !json_object_is_type(value, json_type_string))
		return rspb_fail(err, "op is missing or not text");
	name = json_object_get_string(value);
	for (size_t i = 0; i < RSPB_N_ASKS; i++) {
		if (strcmp(ops[i].name, name))
			continue;
		out->op = (enum rspb_inquiry_op) i;
		return 0;
	}
	return rspb_fail(err, "op %s is unknown to this slurmctld",
			 rspb_text_quote(&quote, name, strlen(name)));
}

/* Members that all messages have. */
static bool common(const char *key)
{
	return !strcmp(key, "version") || !strcmp(key, "tag") || !strcmp(key, "op");
}

/* Read all members but the tag and the kind of question. Members of other kinds are errors, so that
 * a mistyped condition is never ignored. */
static int read_members(json_object *object, struct rspb_inquiry *out, struct rspb_err *err)
{
	const char *may = ops[out->op].may;

	json_object_object_foreach(object, key, value)
	{
		const struct rspb_term *term = rspb_term_find(key, strlen(key));
		struct rspb_quote quote;

		if (!strcmp(key, "op"))
			continue;
		if (term && (term->where & ops[out->op].flags) && !strchr(key, '-')) {
			if (set_flag(term, value, out, err))
				return -1;
			continue;
		}
		if (!common(key) && !rspb_text_listed(may, key))
			return rspb_fail(err, "%s has no member %s", ops[out->op].name,
					 rspb_text_quote(&quote, key, strlen(key)));
		if (set(member_of(key), value, out, err))
			return -1;
		/* An empty text is a request for no features, which differs from a missing
		 * member. */
		out->has_features |= !strcmp(key, "features");
	}
	return 0;
}

/* Check the members together. A member is valid on its own by now, and allowed for this kind of
 * question. RET 0, or -1 with err. */
static int check(json_object *object, const struct rspb_inquiry *query, struct rspb_err *err)
{
	const char *needs = ops[query->op].needs;

	if (query->version != RSPB_PROTOCOL)
		return rspb_fail(
			err,
			"the client uses version %lld of the protocol, and this slurmctld uses "
			"version %d",
			(long long) query->version, RSPB_PROTOCOL);
	if (query->jobs.n &&
	    (query->job || query->reservation[0] || query->terms.ready || query->terms.deadline ||
	     query->exact || query->hold || query->expect.said))
		return rspb_fail(
			err,
			"with jobs only nodes, duration, features, share, moved and the amounts "
			"of each node are allowed");
	if (query->moved && !query->jobs.n)
		return rspb_fail(err, "moved is for several jobs; begin is for one");
	if (!strcmp(needs, WHICH))
		return !query->jobs.n && !query->job == !query->reservation[0]
			       ? rspb_fail(err, "%s needs either job or reservation",
					   ops[query->op].name)
			       : 0;
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (rspb_text_listed(needs, members[i].key) &&
		    !json_object_object_get_ex(object, members[i].key, NULL))
			return rspb_fail(err, "%s needs %s", ops[query->op].name, members[i].key);
	/* The question is about a job that exists, or about a request that does not. */
	if (query->op == RSPB_ASK_OFFERS &&
	    !!query->job + !!query->reservation[0] +
			    (query->terms.duration || *rspb_json_text(object, "work")) !=
		    1)
		return rspb_fail(err, "offers needs job or reservation, or else duration or work");
	return 0;
}

static json_object *parse(const char *text, size_t len)
{
	json_tokener *tokener = json_tokener_new_ex(DEPTH);
	json_object *object = NULL;

	if (!tokener || !len || len >= INT32_MAX)
		goto out;
	/* With the NUL behind it: a number at the end is whole then. */
	object = rspb_strict_parse(tokener, text, len + 1, 0);
	if (object && (!json_object_is_type(object, json_type_object) ||
		       json_tokener_get_parse_end(tokener) < len)) {
		json_object_put(object);
		object = NULL;
	}
out:
	if (tokener)
		json_tokener_free(tokener);
	return object;
}

int rspb_inquiry_read(const char *text, size_t len, struct rspb_inquiry *out, struct rspb_err *err)
{
	json_object *object = parse(text, len);
	int rc;

	*out = (struct rspb_inquiry){ .op = RSPB_ASK_PING };
	if (!object)
		return rspb_fail(err, "the message is not one JSON object");
	rc = read_tag(object, out, err);
	if (!rc)
		rc = read_op(object, out, err);
	if (!rc)
		rc = read_members(object, out, err);
	if (!rc)
		rc = check(object, out, err);
	json_object_put(object);
	return rc;
}
