/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the tag of a reservation: keys and values of the flags, and what a tag has besides. */
#include "common/wire/flags.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/text.h"

/* A contract begins in the same way, because the answer replaces the request in the same field of
 * the reservation. */
static const char head[] = "rspb:";

/* Set a number of nodes, or a range. The two largest numbers are left out, because they have
 * special meanings in Slurm. */
static int set_nodes(struct rspb_contract *asked, const char *value, struct rspb_err *err)
{
	size_t len = strlen(value), n = strcspn(value, "-");
	int64_t least, most;

	if (rspb_text_whole(value, n, 1, UINT32_MAX - 2, &least, err) < 0)
		return -1;
	most = least;
	if (n < len &&
	    rspb_text_whole(value + n + 1, len - n - 1, least, UINT32_MAX - 2, &most, err) < 0)
		return -1;
	asked->terms.nodes_least = least < most ? (uint32_t) least : 0;
	asked->terms.nodes = (uint32_t) most;
	return 0;
}

/* Set the cores of each node. Slurm counts the cores of a node in 16 bits. */
static int set_cores(struct rspb_contract *asked, const char *value, struct rspb_err *err)
{
	int64_t cores;

	if (rspb_text_whole(value, strlen(value), 1, UINT16_MAX, &cores, err) < 0)
		return -1;
	asked->terms.cores = (uint32_t) cores;
	return 0;
}

/* Set the memory of each node in MiB. A size below 1 MiB is refused by rspb_text_mib(). */
static int set_mem(struct rspb_contract *asked, const char *value, struct rspb_err *err)
{
	int64_t mem;

	if (rspb_text_mib(value, strlen(value), &mem, err) < 0)
		return -1;
	if (mem < 1 || mem > UINT32_MAX)
		return rspb_fail(err, "allowed are 1 to %" PRIu32 " MiB", UINT32_MAX);
	asked->terms.mem = (uint32_t) mem;
	return 0;
}

/* Keep the generic resources as text. Slurm reads them later, because only it knows which there
 * are. */
static int set_gres(struct rspb_contract *asked, const char *value, struct rspb_err *err)
{
	size_t len = strlen(value);

	if (len >= sizeof(asked->terms.gres))
		return rspb_fail(err, "too long; allowed are %zu characters",
				 sizeof(asked->terms.gres) - 1);
	memcpy(asked->terms.gres, value, len + 1);
	return 0;
}

/* Refuse cpu-share= with a sentence of its own, because operators may know it from sbatch. */
static int set_share(struct rspb_contract *asked, const char *value, struct rspb_err *err)
{
	(void) asked;
	(void) value;
	return rspb_fail(
		err, "a reservation holds nodes or cores=, shares of CPUs are booked with sbatch "
		     "--book --cpu-share");
}

const struct rspb_tag_key rspb_tag_keys[] = {
	{ "nodes", "N[-MOST]", set_nodes },
	{ "cores", "N", set_cores },
	{ "mem", "SIZE", set_mem },
	{ "gres", "KIND[:TYPE]:N", set_gres },
	{ "deadline", "TIME", NULL },
	{ "cpu-share", "nothing", set_share },
	{ .name = NULL },
};

bool rspb_tag_ours(const char *text)
{
	return text && !strncmp(text, head, sizeof(head) - 1);
}

/* A state cannot be mistaken for a key: a key is followed by "=". */
bool rspb_tag_answered(const char *text)
{
	struct rspb_quote name;
	enum rspb_state state;
	size_t len;

	if (!rspb_tag_ours(text))
		return false;
	text += sizeof(head) - 1;
	text += strspn(text, " ");
	len = strcspn(text, " ");
	return !rspb_state_parse(rspb_text_quote(&name, text, len), &state);
}

/* Return the length of the word at `text`. A word ends at a comma or blank that is followed by a
 * key or by the end. Values of benefit= contain commas themselves. */
static size_t word_length(const char *text)
{
	size_t n = 0, next, key;

	while (text[n]) {
		n += strcspn(text + n, ", ");
		next = n + strspn(text + n, ", ");
		key = strcspn(text + next, "=, ");
		/* A blank, or two separators, always end a word. A single comma ends it only if a
		 * key follows. */
		if (!text[next] || text[next + key] == '=' || text[n] == ' ' || next - n > 1)
			return n;
		n = next;
	}
	return n;
}

/* Refuse a word that is no key, with the keys that are allowed. */
static int unknown_key(const char *word, size_t len, struct rspb_err *err)
{
	char allowed[200];
	struct rspb_text list = rspb_text_over(allowed, sizeof(allowed));
	struct rspb_quote quote;

	for (const struct rspb_tag_key *k = rspb_tag_keys; k->name; k++)
		if (k->set != set_share)
			rspb_text_add(&list, "%s%s=%s", list.len ? ", " : "", k->name, k->arginfo);
	for (const struct rspb_term *t = rspb_terms; t->name; t++)
		if (t->where & RSPB_TERM_TAG)
			rspb_text_add(&list, ", %s=%s", t->name, t->arginfo);
	return rspb_fail(
		err,
		"'%s' cannot be read; allowed are %s, and PartitionName= and Features= of the "
		"reservation",
		rspb_text_quote(&quote, word, len), allowed);
}

/* A tag that is being read, and a bit for each of its keys that has been met, with those of flags
 * above the others. */
struct reading {
	struct rspb_contract asked;
	char deadline[RSPB_TAG_TIME];
	uint64_t given;
};

/* Set the value of a key, or of a flag where k has none. Keep the deadline as text: it is read
 * later, with the time formats and in the time zone of slurmctld. Of --book only asap has a
 * meaning, as a tag always is a request. */
static int set(const struct rspb_tag_key *k, const struct rspb_term *term, const char *value,
	       struct reading *reading, struct rspb_err *err)
{
	if (k->set)
		return k->set(&reading->asked, value, err);
	if (!k->name && !strcmp(term->name, "book") && strcmp(value, "asap"))
		return rspb_fail(err, "unknown value; allowed is asap");
	if (!k->name)
		return rspb_term_read(term, value, &reading->asked.terms, err);
	if (strlen(value) >= sizeof(reading->deadline))
		return rspb_fail(err, "the value is too long; allowed is a time");
	strcpy(reading->deadline, value);
	return 0;
}

/* Set what a word says. RET 0, or -1 with a sentence that names the key. */
static int read_word(const char *word, size_t len, struct reading *reading, struct rspb_err *err)
{
	const struct rspb_tag_key *k = rspb_tag_keys;
	size_t n = strcspn(word, "=");
	const struct rspb_term *term = n < len ? rspb_term_find(word, n) : NULL;
	char value[RSPB_FLAG_TEXT_MAX + 1];
	const char *name, *arginfo;
	uint64_t bit = 1;

	for (; k->name; k++, bit <<= 1)
		if (n < len && strlen(k->name) == n && !strncmp(k->name, word, n))
			break;
	if (!k->name && (!term || !(term->where & RSPB_TERM_TAG) || memchr(word, '_', n)))
		return unknown_key(word, len, err);
	if (!k->name)
		bit <<= term - rspb_terms;
	name = k->name ? k->name : term->name;
	arginfo = k->name ? k->arginfo : term->arginfo;
	if (reading->given & bit)
		return rspb_fail(err, "%s= is given twice", name);
	reading->given |= bit;
	len -= n + 1;
	if (!len)
		return rspb_fail(err, "%s=: a value is missing; allowed is %s", name, arginfo);
	if (len >= sizeof(value))
		return rspb_fail(err, "%s=: the value is too long; allowed are %zu characters",
				 name, sizeof(value) - 1);
	memcpy(value, word + n + 1, len);
	value[len] = '\0';
	return set(k, term, value, reading, err) ? rspb_fail_at(err, "%s=%.40s", name, value) : 0;
}

int rspb_tag_parse(const char *text, struct rspb_contract *out, char deadline[RSPB_TAG_TIME],
		   struct rspb_err *err)
{
	/* An operator writes this text by hand. It is read into a copy, and any mistake refuses it
	 * as a whole. */
	struct reading reading = { .asked = { .terms = { .book = true } } };
	const struct rspb_contract *asked = &reading.asked;
	size_t len = strnlen(text, RSPB_TAG_TEXT);

	if (!rspb_tag_ours(text))
		return rspb_fail(err, "no request; it begins with '%s'", head);
	if (len == RSPB_TAG_TEXT || !rspb_text_printable(text, len))
		return rspb_fail(err, "control characters, or longer than %d", RSPB_TAG_TEXT - 1);
	text += sizeof(head) - 1;
	text += strspn(text, ", ");
	while (*text) {
		len = word_length(text);
		if (read_word(text, len, &reading, err) < 0)
			return -1;
		text += len;
		text += strspn(text, ", ");
	}
	if (!asked->terms.nodes)
		return rspb_fail(err, "nodes= is missing; allowed is nodes=N or nodes=LEAST-MOST");
	if (asked->terms.cores && (asked->terms.nodes_least || asked->terms.benefit.n_points))
		return rspb_fail(
			err, "cores= needs a fixed number of nodes: remove the range and benefit=");
	if (!asked->terms.cores && (asked->terms.mem || asked->terms.gres[0]))
		return rspb_fail(
			err, "%s= needs cores=; whole nodes are reserved with all that they have",
			asked->terms.mem ? "mem" : "gres");
	*out = *asked;
	strcpy(deadline, reading.deadline);
	return 0;
}
