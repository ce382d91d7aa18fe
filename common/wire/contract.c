/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of common/wire/flags.h as a line: printed, and read exactly. */
#include <inttypes.h>
#include <string.h>

#include "common/base/text.h"
#include "common/wire/flags.h"

/* --- the terms from before an offer, as a word of a contract --- */

/* All members of the structure are int64_t, so it is handled as an array of numbers. */
enum { N_WAS = sizeof(struct rspb_was) / sizeof(int64_t) };

/* Print the numbers in the order of the structure, with ":" between them. RET the length, as
 * snprintf does. */
static size_t print_was(const struct rspb_was *was, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);
	int64_t numbers[N_WAS];

	/* A copy avoids reading the structure through a pointer of another type. */
	memcpy(numbers, was, sizeof(numbers));
	rspb_text_add(&out, "%" PRId64, numbers[0]);
	for (size_t i = 1; i < N_WAS; i++)
		rspb_text_add(&out, ":%" PRId64, numbers[i]);
	return out.len;
}

/* Read these numbers again. RET 0, or -1 with err and *out unchanged. */
static int parse_was(const char *text, size_t len, struct rspb_was *out, struct rspb_err *err)
{
	int64_t numbers[N_WAS];
	const char *const end = text + len;

	for (size_t i = 0; i < N_WAS; i++) {
		const char *colon = memchr(text, ':', (size_t) (end - text));
		/* The last number takes the rest, so a text with more numbers is refused by the
		 * reader of numbers. */
		const char *to = i + 1 < N_WAS && colon ? colon : end;

		if (rspb_text_whole(text, (size_t) (to - text), 0, INT64_MAX, &numbers[i], err) < 0)
			return -1;
		text = to + (to < end);
	}
	memcpy(out, numbers, sizeof(numbers));
	return 0;
}

/* --- the contract --- */

static const char head[] = "rspb: ";

/* Scans look at the contracts of all jobs, so this compares the first words and parses nothing. */
bool rspb_contract_says(const char *text, enum rspb_state state)
{
	const char *name = rspb_state_name(state);
	size_t n = strlen(name);

	if (!text || strncmp(text, head, sizeof(head) - 1))
		return false;
	text += sizeof(head) - 1;
	/* The name must end here: a state may begin with the name of another one. */
	return !strncmp(text, name, n) && (!text[n] || text[n] == ' ');
}

/* How a word is printed and read. Both directions use the same table, so their order cannot
 * differ. */
enum kind {
	TIME,
	SECONDS,
	BINDING, /* provisional, as long as the next word is there */
	NODES,	 /* granted and asked */
	COUNT,
	SHARE,
	PROMISE, /* nodes as a number, a share as a percentage */
	RATIO,
	ASKED,	   /* --benefit; these go the way they came, as flags */
	TIMELY,	   /* --benefit-time */
	CPU_SHARE, /* with its minimum */
	STAGE_IN,  /* with its deviation */
	WORK,	   /* --work */
	PREFER,	   /* --prefer-qos */
	WAS,	   /* its numbers, in their order */
	BOOK,
	SERIES,
	ZONE,
	TEXT,
	USE /* for people: kept as it came, all of its words in one text */
};

/* The words that may follow the state, in their order. A word is given if one of the first `size`
 * bytes of its member is not 0. With 0 bytes it is printed with the word before it. The order must
 * not change: contracts of earlier releases are read with it. */
static const struct word {
	const char *key;
	enum kind kind;
	size_t offset, size, room;
} words[] = {
#define WORD(key, kind, member, size)                                                              \
	{                                                                                          \
		key, kind, offsetof(struct rspb_contract, member), size,                           \
			sizeof(((struct rspb_contract *) NULL)->member)                            \
	}
	WORD("start", TIME, start, 8),
	WORD("end", TIME, end, 8),
	WORD("binding", BINDING, firm_from, 8),
	WORD("firm-from", TIME, firm_from, 8),
	WORD("nodes", NODES, nodes_asked, 8),
	WORD("leaves", COUNT, leaves, 4),
	WORD("distance", COUNT, distance, 4),
	WORD("cores", COUNT, cores, 4),
	WORD("odd", TEXT, odd, 1),
	WORD("mem", COUNT, mem, 4),
	WORD("gres", TEXT, gres, 1),
	WORD("share", SHARE, share_granted, 8),
	WORD("promised", PROMISE, promise, 8),
	WORD("had", PROMISE, had, 8),
	WORD("outage", TIME, outage, 8),
	WORD("benefit", RATIO, benefit, 16),
	WORD("asked", ASKED, flags.has_benefit, 1),
	WORD("benefit-time", TIMELY, flags.has_benefit_time, 1),
	WORD("cpu-share", CPU_SHARE, flags.share, 8),
	WORD("book", BOOK, flags.asap, 2), /* or offers, the next member */
	WORD("firm", SECONDS, flags.firm, 8),
	WORD("remind", SECONDS, flags.remind, 8),
	WORD("held", TIME, held, 8),
	WORD("series", SERIES, flags.series, 1),
	WORD("zone", ZONE, flags.zone, 1),
	WORD("stage-in", STAGE_IN, flags.stage_in, 8),
	WORD("time-sigma", SECONDS, flags.time_sigma, 8),
	WORD("work", WORK, flags.work, sizeof(struct rspb_moldable)),
	WORD("prefer-qos", PREFER, flags.prefer, 4),
	WORD("price", SHARE, flags.price, 8),
	WORD("partitions", TEXT, partitions, 1),
	WORD("untried", COUNT, untried, 4),
	WORD("was", WAS, was, 8),
	WORD("ready", TIME, ready, 8),
	WORD("deadline", TIME, deadline, 8),
	WORD("duration", SECONDS, duration, 8),
	WORD("speed", COUNT, speed, 4), /* in per cent */
	WORD("standard", SECONDS, standard, 8),
	WORD("least", COUNT, nodes_least, 4),
	WORD("tasks", COUNT, tasks, 4),
	WORD("cpus", COUNT, cpus, 4),
	WORD("charged", SECONDS, charged, 8),
	WORD("owner", COUNT, owner, 4),
	WORD("mail", COUNT, flags.mail, 4),
	WORD("on", TEXT, on, 1),
	WORD("enforced", USE, use, 1),
	WORD("ceiling", USE, use, 0),
	WORD("used", USE, use, 0),
	WORD("cpu-time", USE, use, 0),
	WORD("throttled", USE, use, 0),
	WORD("reported", USE, use, 0),
	WORD("by-node", USE, use, 0),
	WORD("reason", TEXT, reason, 1),
};
enum { N_WORDS = sizeof(words) / sizeof(words[0]) };

/* Tell whether a word has a value. Unset members are 0 in memory, and two adjacent members can be
 * tested at once. */
static bool given(const struct word *word, const struct rspb_contract *c)
{
	static const char none[sizeof(struct rspb_moldable)];

	return memcmp((const char *) c + word->offset, none, word->size) != 0;
}

/* Add a share, and after ":" its least share if there is one. */
static void add_share(struct rspb_text *out, int64_t share, int64_t least)
{
	rspb_text_add_percent(out, share);
	if (!least)
		return;
	rspb_text_add(out, ":");
	rspb_text_add_percent(out, least);
}

/* Print a value that is more than a number. */
static void print_record(enum kind kind, const void *at, char *text, size_t size)
{
	if (kind == BINDING)
		strcpy(text, "provisional");
	else if (kind == WORK)
		rspb_moldable_print(at, text, size);
	else if (kind == PREFER)
		rspb_prefer_print(at, text, size);
	else
		print_was(at, text, size);
}

static void add_value(struct rspb_text *out, const struct word *word, const struct rspb_contract *c)
{
	const void *at = (const char *) c + word->offset;
	/* The kind decides which type the member has; this pointer is used for 64-bit members
	 * only. */
	const int64_t *number = at;
	char text[RSPB_BENEFIT_TEXT];

	switch (word->kind) {
	case TIME:
		rspb_text_add_time(out, *number);
		break;
	case SECONDS:
		rspb_text_add(out, "%" PRId64 "s", *number);
		break;
	case NODES:
		rspb_text_add(out, "%" PRIu32 "/%" PRIu32, c->nodes_granted, c->nodes_asked);
		break;
	case COUNT:
		rspb_text_add(out, "%" PRIu32, *(const uint32_t *) at);
		break;
	case PROMISE:
		/* A promise is in nodes or in a share, depending on what was granted. */
		if (!c->share_granted) {
			rspb_text_add(out, "%" PRId64, *number);
			break;
		} /* fall through */
	case SHARE:
		rspb_text_add_percent(out, *number);
		break;
	case RATIO:
		rspb_ratio_print(c->benefit, out);
		break;
	case ASKED:
	case TIMELY:
		rspb_benefit_print(word->kind == ASKED ? &c->flags.benefit : &c->flags.benefit_time,
				   text, sizeof(text));
		rspb_text_add(out, "%s", text);
		break;
	case CPU_SHARE:
		add_share(out, c->flags.share, c->flags.share_min);
		break;
	case STAGE_IN:
		rspb_text_add(out, "%" PRId64 "s", c->flags.stage_in);
		if (c->flags.stage_sigma)
			rspb_text_add(out, "+-%" PRId64 "s", c->flags.stage_sigma);
		break;
	case BINDING:
	case WORK:
	case PREFER:
	case WAS:
		print_record(word->kind, at, text, sizeof(text));
		rspb_text_add(out, "%s", text);
		break;
	case BOOK:
		rspb_text_add(out, c->flags.asap ? "asap" : "offers");
		break;
	default:
		rspb_text_add(out, "%s", (const char *) at);
	}
}

/* The same contract has the same text always. Recovery after a crash relies on that: it compares
 * the text of a job with the text in the journal. */
size_t rspb_contract_print(const struct rspb_contract *c, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);

	rspb_text_add(&out, "%s%s", head, rspb_state_name(c->state));
	for (const struct word *w = words; w < words + N_WORDS; w++) {
		if (!given(w, c))
			continue;
		/* The record of use begins with the first key. */
		rspb_text_add(&out, w->kind == USE ? " " : " %s=", w->key);
		add_value(&out, w, c);
	}
	return out.len;
}

/* Read GRANTED/ASKED, the word with two numbers. Nothing granted is 0 and is valid. */
static int read_nodes(const char *text, size_t len, struct rspb_contract *out, struct rspb_err *err)
{
	const char *slash = memchr(text, '/', len);
	size_t n = slash ? (size_t) (slash - text) : len;
	int64_t granted, asked;

	if (!slash)
		return rspb_fail(err, "'/' is missing; allowed is "
				      "GRANTED/ASKED");
	if (rspb_text_whole(text, n, 0, UINT32_MAX, &granted, err) < 0 ||
	    rspb_text_whole(slash + 1, len - n - 1, 0, UINT32_MAX, &asked, err) < 0)
		return -1;
	out->nodes_granted = (uint32_t) granted;
	out->nodes_asked = (uint32_t) asked;
	return 0;
}

/* Read a count. 0 is refused, since a word with this value is left out of the text. */
static int read_count(const char *text, size_t len, uint32_t *out, struct rspb_err *err)
{
	int64_t count = 0;
	int rc = rspb_text_whole(text, len, 1, UINT32_MAX, &count, err);

	*out = (uint32_t) count;
	return rc;
}

/* Read SECONDSs, the only form in which durations are printed in a contract. */
static int read_seconds(const char *text, size_t len, int64_t *out, struct rspb_err *err)
{
	if (!len || text[len - 1] != 's')
		return rspb_fail(err, "'s' is missing; allowed is SECONDSs");
	return rspb_text_whole(text, len - 1, 1, INT64_MAX - 1, out, err);
}

/* Read a word whose value is that of a flag, with the reader of the flag. The table of words names
 * existing flags only, so the search ends. */
static int read_flag(const char *name, const char *text, size_t len, struct rspb_contract *out,
		     struct rspb_err *err)
{
	const struct rspb_flag *flag = rspb_flag_table;
	char value[RSPB_BENEFIT_TEXT];

	if (len >= sizeof(value))
		return rspb_fail(err, "the value is too long");
	memcpy(value, text, len);
	value[len] = '\0';
	while (strcmp(flag->name, name))
		flag++;
	return flag->set(&out->flags, value, err);
}

/* Append a word about the use of a share to one text, as it came. People read these words; they are
 * only kept here. */
static int read_use(const char *key, const char *text, size_t len, struct rspb_contract *out,
		    struct rspb_err *err)
{
	size_t used = strlen(out->use), room = sizeof(out->use) - used;
	struct rspb_text use = rspb_text_over(out->use + used, room);

	rspb_text_add(&use, "%s%s=%.*s", used ? " " : "", key, (int) len, text);
	if (use.len >= room)
		return rspb_fail(err, "too long; allowed are %zu characters", sizeof(out->use) - 1);
	return 0;
}

/* Copy a text as it came. RET 0, or -1 with err if it does not fit into its member. */
static int read_text(const char *text, size_t len, char *out, size_t size, struct rspb_err *err)
{
	if (len >= size)
		return rspb_fail(err, "too long; allowed are %zu characters", size - 1);
	memcpy(out, text, len);
	out[len] = '\0';
	return 0;
}

static int read_value(const struct word *word, const char *text, size_t len,
		      struct rspb_contract *out, struct rspb_err *err)
{
	void *at = (char *) out + word->offset;

	switch (word->kind) {
	case TIME:
		return rspb_text_time(text, len, at, err);
	case SECONDS:
		return read_seconds(text, len, at, err);
	case WAS:
		return parse_was(text, len, at, err);
	case BINDING: /* it follows from the next word */
		/* The blank is compared, too, so that another word must follow. */
		return strncmp(text, "provisional ", len + 1)
			       ? rspb_fail(err, "allowed is provisional")
			       : 0;
	case NODES:
		return read_nodes(text, len, out, err);
	case COUNT:
		return read_count(text, len, at, err);
	case PROMISE: /* after the share, which is therefore known */
		if (!out->share_granted)
			return rspb_text_whole(text, len, 1, UINT32_MAX, at, err);
		/* fall through */
	case SHARE:
		return rspb_text_percent(text, len, 1, INT32_MAX, at, err);
	case RATIO:
		return rspb_ratio_parse(text, len, at, err);
	case ASKED:
		return read_flag("benefit", text, len, out, err);
	case USE:
		return read_use(word->key, text, len, out, err);
	case TEXT:
		return read_text(text, len, at, word->room, err);
	default:
		return read_flag(word->key, text, len, out, err);
	}
}

/* Read the name of the state, and move *text past it. The quote also serves as a copy that ends; a
 * longer name is no state. */
static int parse_state(const char **text, struct rspb_contract *out, struct rspb_err *err)
{
	size_t len = strcspn(*text, " ");
	struct rspb_quote name;

	if (rspb_state_parse(rspb_text_quote(&name, *text, len), &out->state))
		return rspb_fail(err, "'%s' is not a state of a booking", name.text);
	*text += len;
	return 0;
}

/* Read the word at *text, and move past it. It must be in the table from row *from on, so that no
 * word comes twice or in another order. */
static int parse_word(const char **text, uint32_t *from, struct rspb_contract *out,
		      struct rspb_err *err)
{
	size_t len = strcspn(*text, " "), key = strcspn(*text, "=");
	struct rspb_quote quote;

	for (uint32_t i = *from; key < len && i < N_WORDS; i++) {
		const char *value = *text + key + 1;

		if (strlen(words[i].key) != key || strncmp(words[i].key, *text, key))
			continue;
		/* The last word is free text and extends to the end. */
		if (i == N_WORDS - 1)
			len = strlen(*text);
		if (read_value(&words[i], value, len - key - 1, out, err) < 0)
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

int rspb_contract_parse(const char *text, struct rspb_contract *out, struct rspb_err *err)
{
	struct rspb_contract parsed = { .flags = { .book = true } };
	/* AdminComment may be changed by operators and BurstBuffer holds text of theirs, so the
	 * length and the characters are checked first. */
	size_t len = strnlen(text, RSPB_CONTRACT_TEXT);
	uint32_t from = 0;

	if (strncmp(text, head, sizeof(head) - 1))
		return rspb_fail(err, "no contract: it begins with '%s'", head);
	if (!rspb_text_printable(text, len) || len == RSPB_CONTRACT_TEXT)
		return rspb_fail(err, "contract: control characters, or longer than %d",
				 RSPB_CONTRACT_TEXT - 1);
	text += sizeof(head) - 1;
	if (parse_state(&text, &parsed, err) < 0)
		return rspb_fail_at(err, "contract");
	while (*text == ' ') {
		text++;
		if (parse_word(&text, &from, &parsed, err) < 0)
			return rspb_fail_at(err, "contract");
	}
	/* A damaged contract has no effect: *out is replaced only if everything could be read. */
	*out = parsed;
	return 0;
}
