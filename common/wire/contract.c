/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract line of common/wire/flags.h: printed, and read back exactly. */
#include "common/wire/flags.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/text.h"

static const char head[] = "rspb: ";

bool rspb_contract_says(const char *text, enum rspb_state state)
{
	const char *name = rspb_state_name(state);
	size_t n = strlen(name);

	if (!text || strncmp(text, head, sizeof(head) - 1))
		return false;
	text += sizeof(head) - 1;
	return !strncmp(text, name, n) && (!text[n] || text[n] == ' ');
}

static void add_share(struct rspb_text *out, const char *key, int64_t share,
		      int64_t least)
{
	if (!share)
		return;
	rspb_text_add(out, " %s=", key);
	rspb_text_add_percent(out, share);
	if (!least)
		return;
	rspb_text_add(out, ":");
	rspb_text_add_percent(out, least);
}

static void add_time(struct rspb_text *out, const char *key, int64_t seconds)
{
	if (!seconds)
		return;
	rspb_text_add(out, " %s=", key);
	rspb_text_add_time(out, seconds);
}

static void add_benefit(struct rspb_text *out, const struct rspb_flags *flags)
{
	char text[RSPB_BENEFIT_TEXT];

	if (!flags->has_benefit)
		return;
	rspb_benefit_print(&flags->benefit, text, sizeof(text));
	rspb_text_add(out, " asked=%s", text);
}

/* Nodes as a number, a share as a percentage. */
static void add_promise(struct rspb_text *out, const struct rspb_contract *c)
{
	if (c->promise && c->share_granted)
		add_share(out, "promised", c->promise, 0);
	else if (c->promise)
		rspb_text_add(out, " promised=%" PRId64, c->promise);
}

static void add_count(struct rspb_text *out, const char *key, uint32_t count)
{
	if (count)
		rspb_text_add(out, " %s=%" PRIu32, key, count);
}

size_t rspb_contract_print(const struct rspb_contract *c, char *buf,
			   size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);

	rspb_text_add(&out, "%s%s", head, rspb_state_name(c->state));
	add_time(&out, "start", c->start);
	add_time(&out, "end", c->end);
	if (c->nodes_asked || c->nodes_granted)
		rspb_text_add(&out, " nodes=%" PRIu32 "/%" PRIu32,
			      c->nodes_granted, c->nodes_asked);
	add_share(&out, "share", c->share_granted, 0);
	add_promise(&out, c);
	if (c->benefit.den) {
		rspb_text_add(&out, " benefit=");
		rspb_ratio_print(c->benefit, &out);
	}
	add_benefit(&out, &c->flags);
	add_share(&out, "cpu-share", c->flags.share, c->flags.share_min);
	if (c->flags.asap)
		rspb_text_add(&out, " book=asap");
	add_time(&out, "ready", c->ready);
	add_time(&out, "deadline", c->deadline);
	if (c->duration)
		rspb_text_add(&out, " duration=%" PRId64 "s", c->duration);
	add_count(&out, "least", c->nodes_least);
	add_count(&out, "tasks", c->tasks);
	add_count(&out, "cpus", c->cpus);
	if (c->use[0])
		rspb_text_add(&out, " %s", c->use);
	if (c->reason[0])
		rspb_text_add(&out, " reason=%s", c->reason);
	return out.len;
}

/* One word of the line: its value, how long it is, where it goes. */
typedef int (*read_fn)(const char *text, size_t len, struct rspb_contract *out,
		       struct rspb_err *err);

static int read_start(const char *text, size_t len, struct rspb_contract *out,
		      struct rspb_err *err)
{
	return rspb_text_time(text, len, &out->start, err);
}

static int read_end(const char *text, size_t len, struct rspb_contract *out,
		    struct rspb_err *err)
{
	return rspb_text_time(text, len, &out->end, err);
}

static int read_ready(const char *text, size_t len, struct rspb_contract *out,
		      struct rspb_err *err)
{
	return rspb_text_time(text, len, &out->ready, err);
}

static int read_deadline(const char *text, size_t len,
			 struct rspb_contract *out, struct rspb_err *err)
{
	return rspb_text_time(text, len, &out->deadline, err);
}

static int read_nodes(const char *text, size_t len, struct rspb_contract *out,
		      struct rspb_err *err)
{
	const char *slash = memchr(text, '/', len);
	size_t n = slash ? (size_t) (slash - text) : len;
	int64_t granted, asked;

	if (!slash)
		return rspb_fail(err, "'/' is missing; allowed is "
				      "GRANTED/ASKED");
	if (rspb_text_whole(text, n, 0, UINT32_MAX, &granted, err) < 0 ||
	    rspb_text_whole(slash + 1, len - n - 1, 0, UINT32_MAX, &asked,
			    err) < 0)
		return -1;
	out->nodes_granted = (uint32_t) granted;
	out->nodes_asked = (uint32_t) asked;
	return 0;
}

static int read_share(const char *text, size_t len, struct rspb_contract *out,
		      struct rspb_err *err)
{
	return rspb_text_percent(text, len, 1, INT32_MAX, &out->share_granted,
				 err);
}

/* It stands behind the share, so that is known. */
static int read_promised(const char *text, size_t len,
			 struct rspb_contract *out, struct rspb_err *err)
{
	if (out->share_granted)
		return rspb_text_percent(text, len, 1, INT32_MAX, &out->promise,
					 err);
	return rspb_text_whole(text, len, 1, UINT32_MAX, &out->promise, err);
}

static int read_count(const char *text, size_t len, uint32_t *out,
		      struct rspb_err *err)
{
	int64_t count;

	if (rspb_text_whole(text, len, 1, UINT32_MAX, &count, err) < 0)
		return -1;
	*out = (uint32_t) count;
	return 0;
}

static int read_least(const char *text, size_t len, struct rspb_contract *out,
		      struct rspb_err *err)
{
	return read_count(text, len, &out->nodes_least, err);
}

static int read_tasks(const char *text, size_t len, struct rspb_contract *out,
		      struct rspb_err *err)
{
	return read_count(text, len, &out->tasks, err);
}

static int read_cpus(const char *text, size_t len, struct rspb_contract *out,
		     struct rspb_err *err)
{
	return read_count(text, len, &out->cpus, err);
}

static int read_benefit(const char *text, size_t len, struct rspb_contract *out,
			struct rspb_err *err)
{
	return rspb_ratio_parse(text, len, &out->benefit, err);
}

/* A flag's value goes the way it came. */
static int read_flag(const char *name, const char *text, size_t len,
		     struct rspb_contract *out, struct rspb_err *err)
{
	char value[RSPB_BENEFIT_TEXT];

	if (len >= sizeof(value))
		return rspb_fail(err, "the value is too long");
	memcpy(value, text, len);
	value[len] = '\0';
	for (const struct rspb_flag *f = rspb_flag_table; f->name; f++)
		if (!strcmp(f->name, name))
			return f->set(&out->flags, value, err);
	return rspb_fail(err, "no such flag");
}

static int read_asked(const char *text, size_t len, struct rspb_contract *out,
		      struct rspb_err *err)
{
	return read_flag("benefit", text, len, out, err);
}

static int read_cpu_share(const char *text, size_t len,
			  struct rspb_contract *out, struct rspb_err *err)
{
	return read_flag("cpu-share", text, len, out, err);
}

static int read_book(const char *text, size_t len, struct rspb_contract *out,
		     struct rspb_err *err)
{
	return read_flag("book", text, len, out, err);
}

static int read_duration(const char *text, size_t len,
			 struct rspb_contract *out, struct rspb_err *err)
{
	if (!len || text[len - 1] != 's')
		return rspb_fail(err, "'s' is missing; allowed is SECONDSs");
	return rspb_text_whole(text, len - 1, 1, INT64_MAX - 1, &out->duration,
			       err);
}

/* What was used is for people: it is kept as it came. */
static int keep_use(const char *key, const char *text, size_t len,
		    struct rspb_contract *out, struct rspb_err *err)
{
	size_t used = strlen(out->use);
	struct rspb_text use = rspb_text_over(out->use + used,
					      sizeof(out->use) - used);

	rspb_text_add(&use, "%s%s=%.*s", used ? " " : "", key, (int) len, text);
	if (used + use.len >= sizeof(out->use))
		return rspb_fail(err, "too long; allowed are %zu characters",
				 sizeof(out->use) - 1);
	return 0;
}

/* clang-format off */
#define KEEP(name, key)							\
	static int keep_##name(const char *text, size_t len,		\
			       struct rspb_contract *out,		\
			       struct rspb_err *err)			\
	{								\
		return keep_use(key, text, len, out, err);		\
	}
/* clang-format on */
KEEP(enforced, "enforced")
KEEP(ceiling, "ceiling")
KEEP(used, "used")
KEEP(time, "cpu-time")
KEEP(throttled, "throttled")
KEEP(reported, "reported")
KEEP(nodes, "by-node")

static int read_reason(const char *text, size_t len, struct rspb_contract *out,
		       struct rspb_err *err)
{
	if (len >= sizeof(out->reason))
		return rspb_fail(err, "too long; allowed are %zu characters",
				 sizeof(out->reason) - 1);
	memcpy(out->reason, text, len);
	out->reason[len] = '\0';
	return 0;
}

/* The words that may follow the state, in the order in which they stand. */
static const struct word {
	const char *key;
	read_fn read;
} words[] = {
	{ "start", read_start },       { "end", read_end },
	{ "nodes", read_nodes },       { "share", read_share },
	{ "promised", read_promised }, { "benefit", read_benefit },
	{ "asked", read_asked },       { "cpu-share", read_cpu_share },
	{ "book", read_book },	       { "ready", read_ready },
	{ "deadline", read_deadline }, { "duration", read_duration },
	{ "least", read_least },       { "tasks", read_tasks },
	{ "cpus", read_cpus },	       { "enforced", keep_enforced },
	{ "ceiling", keep_ceiling },   { "used", keep_used },
	{ "cpu-time", keep_time },     { "throttled", keep_throttled },
	{ "reported", keep_reported }, { "by-node", keep_nodes },
	{ "reason", read_reason },
};
enum { N_WORDS = sizeof(words) / sizeof(words[0]) };

static int parse_state(const char **text, struct rspb_contract *out,
		       struct rspb_err *err)
{
	size_t len = strcspn(*text, " ");
	struct rspb_quote name;

	rspb_text_quote(&name, *text, len);
	if (rspb_state_parse(name.text, &out->state) < 0)
		return rspb_fail(err, "'%s' is not a state of a booking",
				 name.text);
	*text += len;
	return 0;
}

/* Read the word at *text, which must be one behind row *from of the table. */
static int parse_word(const char **text, uint32_t *from,
		      struct rspb_contract *out, struct rspb_err *err)
{
	size_t len = strcspn(*text, " "), key = strcspn(*text, "=");
	struct rspb_quote quote;

	for (uint32_t i = *from; key < len && i < N_WORDS; i++) {
		const char *value = *text + key + 1;

		if (strlen(words[i].key) != key ||
		    strncmp(words[i].key, *text, key))
			continue;
		/* The last word is free text and goes on to the end. */
		if (i == N_WORDS - 1)
			len = strlen(*text);
		if (words[i].read(value, len - key - 1, out, err) < 0)
			return rspb_fail_at(err, "%s", words[i].key);
		*from = i + 1;
		*text += len;
		return 0;
	}
	return rspb_fail(err,
			 "'%s' is not a word of a contract, or not in "
			 "its place",
			 rspb_text_quote(&quote, *text, len));
}

int rspb_contract_parse(const char *text, struct rspb_contract *out,
			struct rspb_err *err)
{
	struct rspb_contract parsed = { .flags = { .book = true } };
	uint32_t from = 0;

	if (strncmp(text, head, sizeof(head) - 1))
		return rspb_fail(err, "not a contract; it begins with '%s'",
				 head);
	if (!rspb_text_printable(text, strnlen(text, RSPB_CONTRACT_TEXT)) ||
	    strnlen(text, RSPB_CONTRACT_TEXT) == RSPB_CONTRACT_TEXT)
		return rspb_fail(err,
				 "contract: control characters, or longer "
				 "than %d",
				 RSPB_CONTRACT_TEXT - 1);
	text += sizeof(head) - 1;
	if (parse_state(&text, &parsed, err) < 0)
		return rspb_fail_at(err, "contract");
	while (*text == ' ') {
		text++;
		if (parse_word(&text, &from, &parsed, err) < 0)
			return rspb_fail_at(err, "contract");
	}
	*out = parsed;
	return 0;
}
