/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of common/wire/flags.h as a line: printed, and read exactly. */
#include "common/wire/flags.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/text.h"

/* --- the terms from before an offer, as a word of a contract --- */

/* The members of struct rspb_was. The order must not change: it is that of the text. */
static const struct {
	size_t offset, size; /* in struct rspb_terms; an int64_t or a uint32_t */
} was_members[RSPB_N_WAS] = {
#define MEMBER(member)                                                                             \
	{                                                                                          \
		offsetof(struct rspb_terms, member), sizeof(((struct rspb_terms *) NULL)->member)  \
	}
	MEMBER(duration), MEMBER(ready),       MEMBER(deadline), MEMBER(share), MEMBER(share_min),
	MEMBER(nodes),	  MEMBER(nodes_least), MEMBER(tasks),	 MEMBER(cpus),
};

void rspb_was_take(const struct rspb_terms *terms, struct rspb_was *was)
{
	for (size_t i = 0; i < RSPB_N_WAS; i++) {
		const void *at = (const char *) terms + was_members[i].offset;

		was->numbers[i] = was_members[i].size == sizeof(int64_t) ? *(const int64_t *) at
									 : *(const uint32_t *) at;
	}
}

void rspb_was_put(const struct rspb_was *was, struct rspb_terms *terms)
{
	for (size_t i = 0; i < RSPB_N_WAS; i++) {
		void *at = (char *) terms + was_members[i].offset;

		if (was_members[i].size == sizeof(int64_t))
			*(int64_t *) at = was->numbers[i];
		else
			*(uint32_t *) at = (uint32_t) was->numbers[i];
	}
}

/* Print the numbers in the order of the structure, with ":" between them. RET the length, as
 * snprintf does. */
static size_t print_was(const struct rspb_was *was, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);

	for (size_t i = 0; i < RSPB_N_WAS; i++)
		rspb_text_add(&out, "%s%" PRId64, i ? ":" : "", was->numbers[i]);
	return out.len;
}

/* Read these numbers again. RET 0, or -1 with err and *out unchanged. */
static int parse_was(const char *text, size_t len, struct rspb_was *out, struct rspb_err *err)
{
	const char *const end = text + len;
	struct rspb_was was;

	for (size_t i = 0; i < RSPB_N_WAS; i++) {
		const char *colon = memchr(text, ':', (size_t) (end - text));
		/* The last number takes the rest, so a text with more numbers is refused by the
		 * reader of numbers. */
		const char *to = i + 1 < RSPB_N_WAS && colon ? colon : end;

		if (rspb_text_whole(text, (size_t) (to - text), 0, INT64_MAX, &was.numbers[i],
				    err) < 0)
			return -1;
		text = to + (to < end);
	}
	*out = was;
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
	TERMS, /* the members of the flags that have this place, in the order of their table */
	WAS,   /* its numbers, in their order */
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
#define TERMS_OF(place)                                                                            \
	{                                                                                          \
		.kind = TERMS, .size = place                                                       \
	}
	WORD("start", TIME, start, 8),
	WORD("end", TIME, end, 8),
	WORD("binding", BINDING, firm_from, 8),
	WORD("firm-from", TIME, firm_from, 8),
	WORD("nodes", NODES, terms.nodes, 4),
	WORD("leaves", COUNT, leaves, 4),
	WORD("distance", COUNT, distance, 4),
	WORD("cores", COUNT, terms.cores, 4),
	WORD("odd", TEXT, odd, 1),
	WORD("mem", COUNT, terms.mem, 4),
	WORD("gres", TEXT, terms.gres, 1),
	WORD("share", SHARE, share_granted, 8),
	WORD("promised", PROMISE, promise, 8),
	WORD("had", PROMISE, had, 8),
	WORD("outage", TIME, outage, 8),
	WORD("benefit", RATIO, benefit, 16),
	TERMS_OF(1),
	TERMS_OF(2),
	TERMS_OF(3),
	WORD("held", TIME, held, 8),
	TERMS_OF(4),
	WORD("partitions", TEXT, partitions, 1),
	WORD("untried", COUNT, untried, 4),
	WORD("was", WAS, was, 8),
	WORD("ready", TIME, terms.ready, 8),
	WORD("deadline", TIME, terms.deadline, 8),
	WORD("duration", SECONDS, terms.duration, 8),
	WORD("speed", COUNT, speed, 4), /* in per cent */
	WORD("standard", SECONDS, standard, 8),
	WORD("least", COUNT, terms.nodes_least, 4),
	WORD("tasks", COUNT, terms.tasks, 4),
	WORD("cpus", COUNT, terms.cpus, 4),
	WORD("charged", SECONDS, charged, 8),
	WORD("owner", COUNT, owner, 4),
	WORD("mail", COUNT, terms.mail, 4),
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
	static const char none[16];

	return (word->kind == NODES && c->nodes_granted) ||
	       memcmp((const char *) c + word->offset, none, word->size) != 0;
}

/* Add the words of one place, which are those of flags. */
static void add_terms(struct rspb_text *out, size_t place, const struct rspb_terms *flags)
{
	for (const struct rspb_term *t = rspb_terms; t->name; t++) {
		if (t->words != place || !rspb_term_said(t, flags))
			continue;
		rspb_text_add(out, " %s=", t->word ? t->word : t->name);
		rspb_term_print(t, flags, out);
	}
}

static void add_value(struct rspb_text *out, const struct word *word, const struct rspb_contract *c)
{
	const void *at = (const char *) c + word->offset;
	/* The kind decides which type the member has; this pointer is used for 64-bit members
	 * only. */
	const int64_t *number = at;
	char text[RSPB_N_WAS * 24];

	switch (word->kind) {
	case TIME:
		rspb_text_add_time(out, *number);
		break;
	case SECONDS:
		rspb_text_add(out, "%" PRId64 "s", *number);
		break;
	case NODES:
		rspb_text_add(out, "%" PRIu32 "/%" PRIu32, c->nodes_granted, c->terms.nodes);
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
	case BINDING:
		rspb_text_add(out, "provisional");
		break;
	case WAS:
		print_was(at, text, sizeof(text));
		rspb_text_add(out, "%s", text);
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
		if (w->kind == TERMS)
			add_terms(&out, w->size, &c->terms);
		if (w->kind == TERMS || !given(w, c))
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
		return rspb_fail(err, "'/' is missing; allowed is GRANTED/ASKED");
	if (rspb_text_whole(text, n, 0, UINT32_MAX, &granted, err) < 0 ||
	    rspb_text_whole(slash + 1, len - n - 1, 0, UINT32_MAX, &asked, err) < 0)
		return -1;
	out->nodes_granted = (uint32_t) granted;
	out->terms.nodes = (uint32_t) asked;
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

/* Read a word whose value is that of a flag, with the reader of the flag. A flag without a value
 * may mean something, but a word is left out then. */
static int read_flag(const struct rspb_term *term, const char *text, size_t len,
		     struct rspb_contract *out, struct rspb_err *err)
{
	char value[RSPB_BENEFIT_TEXT];

	if (!len || len >= sizeof(value))
		return rspb_fail(err, "the value is missing or too long");
	memcpy(value, text, len);
	value[len] = '\0';
	return rspb_term_read(term, value, &out->terms, err);
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
	case USE:
		return read_use(word->key, text, len, out, err);
	default:
		return read_text(text, len, at, word->room, err);
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

/* The words of a contract are in one order, so that no word comes twice. */
struct place {
	uint32_t row;		      /* of words[] */
	const struct rspb_term *term; /* where that is one of TERMS: the next that may come */
};

/* RET the flag of this key that may come at the place where the reader is; NULL: none. */
static const struct rspb_term *term_at(const struct place *at, size_t place, const char *key,
				       size_t len)
{
	for (const struct rspb_term *t = at->term; t->name; t++) {
		const char *word = t->word ? t->word : t->name;

		if (t->words == place && strlen(word) == len && !strncmp(word, key, len))
			return t;
	}
	return NULL;
}

/* Read the word at *text, and move past it and to the next place. */
static int parse_word(const char **text, struct place *at, struct rspb_contract *out,
		      struct rspb_err *err)
{
	size_t len = strcspn(*text, " "), n = strcspn(*text, "=");
	const char *key = *text, *value = key + n + 1;
	struct rspb_quote quote;

	for (; n < len && at->row < N_WORDS; at->row++, at->term = rspb_terms) {
		const struct word *word = &words[at->row];
		const struct rspb_term *term = word->kind == TERMS ? term_at(at, word->size, key, n)
								   : NULL;
		bool its = word->key && strlen(word->key) == n && !strncmp(word->key, key, n);

		if (!term && !its)
			continue;
		/* The last word is free text and extends to the end. */
		if (at->row == N_WORDS - 1)
			len = strlen(key);
		if (term ? read_flag(term, value, len - n - 1, out, err)
			 : read_value(word, value, len - n - 1, out, err))
			return rspb_fail_at(err, "%.*s", (int) n, key);
		/* Another flag may follow in the same place. */
		at->term = term ? term + 1 : rspb_terms;
		at->row += its;
		*text += len;
		return 0;
	}
	return rspb_fail(err, "'%s' is not a word of a contract, or not in its place",
			 rspb_text_quote(&quote, key, len));
}

int rspb_contract_parse(const char *text, struct rspb_contract *out, struct rspb_err *err)
{
	struct rspb_contract parsed = { .terms = { .book = true } };
	/* AdminComment may be changed by operators and BurstBuffer holds text of theirs, so the
	 * length and the characters are checked first. */
	size_t len = strnlen(text, RSPB_CONTRACT_TEXT);
	struct place at = { .term = rspb_terms };

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
		if (parse_word(&text, &at, &parsed, err) < 0)
			return rspb_fail_at(err, "contract");
	}
	/* A damaged contract has no effect: *out is replaced only if everything could be read. */
	*out = parsed;
	return 0;
}
