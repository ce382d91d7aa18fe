/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads amounts of generic resources and memory, and puts them into words. */
#include "common/wire/texts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/request/request.h"

static const char gpu[] = "gpu";

/* A generic resource, KIND[:TYPE]:N. The names point into the text that is read. */
struct one {
	const char *kind, *type; /* not ended */
	int kind_len, type_len;
	int64_t amount;
};

/* Read the entry at `at`. An entry without a colon is one of its kind. RET the place after the
 * entry and its comma. */
static const char *read_one(const char *at, struct one *out)
{
	size_t len = strcspn(at, ","), kind = strcspn(at, ":,"), number = len;

	/* The number begins after the last colon of the entry, because a type may come before
	 * it. */
	while (number && at[number - 1] != ':')
		number--;
	*out = (struct one){ .kind = at, .kind_len = (int) kind, .amount = 1 };
	if (number > kind) {
		out->amount = strtoll(at + number, NULL, 10);
		if (number > kind + 1) {
			out->type = at + kind + 1;
			out->type_len = (int) (number - kind - 2);
		}
	}
	return at + len + (at[len] == ',');
}

/* The kind must be exactly "gpu"; a kind that only begins so is another one. */
static bool is_gpu(const struct one *one)
{
	return one->kind_len == (int) strlen(gpu) && !strncmp(one->kind, gpu, strlen(gpu));
}

void rspb_gres_add_words(const char *gres, struct rspb_text *out)
{
	const char *between = "";
	struct one one;

	while (*gres) {
		gres = read_one(gres, &one);
		/* An entry without an amount says nothing to a user. */
		if (one.amount <= 0)
			continue;
		rspb_text_add(out, "%s%" PRId64 " ", between, one.amount);
		between = ", ";
		if (is_gpu(&one))
			rspb_text_add(out, "GPU%s", one.amount == 1 ? "" : "s");
		else
			rspb_text_add(out, "%.*s", one.kind_len, one.kind);
		if (one.type)
			rspb_text_add(out, " (%.*s)", one.type_len, one.type);
	}
}

void rspb_cores_add_words(int64_t cores, const char *gres, int64_t mem, struct rspb_text *out)
{
	if (cores)
		rspb_text_add(out, "%" PRId64 " core%s", cores, cores == 1 ? "" : "s");
	rspb_text_add(out, cores && *gres ? ", " : "");
	rspb_gres_add_words(gres, out);
	if (mem)
		rspb_text_add(out, "%s%" PRId64 " MiB", cores || *gres ? ", " : "", mem);
}

/* Tell whether an entry is of a type; NULL or "" means any. An entry without a type is of none,
 * because nobody can say which devices it will be. */
static bool is_of_type(const struct one *one, const char *type)
{
	if (!type || !*type)
		return true;
	return one->type && one->type_len == (int) strlen(type) &&
	       !strncmp(one->type, type, strlen(type));
}

int64_t rspb_gres_gpus(const char *gres, const char *type)
{
	struct one one;
	int64_t sum = 0;

	while (*gres) {
		gres = read_one(gres, &one);
		if (is_gpu(&one) && is_of_type(&one, type) && one.amount > 0)
			sum += one.amount;
	}
	return sum;
}

bool rspb_gres_has_types(const char *gres)
{
	struct one one;

	while (*gres) {
		gres = read_one(gres, &one);
		if (!one.type)
			return false;
	}
	return true;
}

int64_t rspb_gres_next_gpus(const char **at, const char **type, int *len)
{
	struct one one;

	while (**at) {
		*at = read_one(*at, &one);
		if (!is_gpu(&one) || one.amount <= 0)
			continue;
		*type = one.type;
		*len = one.type_len;
		return one.amount;
	}
	return 0;
}

void rspb_gpus_add(struct rspb_gpus *sum, const char *gres, int64_t nodes, bool other)
{
	const char *type;
	int64_t count;
	size_t i;
	int len;

	while ((count = rspb_gres_next_gpus(&gres, &type, &len))) {
		char name[sizeof(sum->of[0].type)];

		snprintf(name, sizeof(name), "%.*s", type ? len : 0, type ? type : "");
		for (i = 0; i < sum->n && strcmp(sum->of[i].type, name) != 0;)
			i++;
		if (i == RSPB_GPU_TYPES)
			continue;
		if (i == sum->n)
			memcpy(sum->of[sum->n++].type, name, sizeof(name));
		*(other ? &sum->of[i].others : &sum->of[i].count) += count * nodes;
	}
}

static bool same_kind(const struct one *a, const struct one *b)
{
	return a->kind_len == b->kind_len && !strncmp(a->kind, b->kind, (size_t) a->kind_len);
}

/* Find the type of a kind, if the whole kind is in one entry that has a type. RET false if there is
 * no such entry, or more than one, or one without a type. */
static bool find_type(const struct one *of, const char *has, struct one *out)
{
	struct one one;
	int found = 0;

	while (*has) {
		has = read_one(has, &one);
		if (!same_kind(of, &one))
			continue;
		/* An entry without a type counts twice, so that it can never be the only one. */
		found += one.type ? 1 : 2;
		*out = one;
	}
	return found == 1;
}

const char *rspb_gres_gpu_type(const char *gres, int *len)
{
	const struct one gpus = { .kind = gpu, .kind_len = (int) strlen(gpu) };
	struct one typed;

	if (!find_type(&gpus, gres, &typed))
		return NULL;
	*len = typed.type_len;
	return typed.type;
}

void rspb_gres_name_types(const char *gres, const char *has, char *out, size_t size)
{
	struct rspb_text text = rspb_text_over(out, size);
	const char *between = "";
	struct one one, typed;

	while (*gres) {
		gres = read_one(gres, &one);
		/* The user asked for any type. It is named only if the node has no other, so that
		 * the text does not claim more than is true. */
		if (!one.type && find_type(&one, has, &typed)) {
			one.type = typed.type;
			one.type_len = typed.type_len;
		}
		rspb_text_add(&text, "%s%.*s%s%.*s:%" PRId64, between, one.kind_len, one.kind,
			      one.type ? ":" : "", one.type ? one.type_len : 0,
			      one.type ? one.type : "", one.amount);
		between = ",";
	}
}

/* --- other amounts of some nodes --- */

/* Copy the text before one of the characters in `ends`, and move *at to that character. RET false
 * if there is none, or too much for `out`. */
static bool take_word(const char **at, const char *ends, char *out, size_t size)
{
	size_t len = strcspn(*at, ends);

	if (!len || len >= size)
		return false;
	memcpy(out, *at, len);
	out[len] = '\0';
	*at += len;
	return true;
}

bool rspb_odd_next(const char **at, struct rspb_odd_word *word)
{
	char number[24], *end;

	if (**at == ',')
		++*at;
	/* A "/" at this place continues the node of the call before. */
	if (**at != '/' && !take_word(at, "/, ", word->node, sizeof(word->node)))
		return false;
	if (**at != '/')
		return false;
	++*at;
	if (!take_word(at, "=/, ", word->kind, sizeof(word->kind)) || **at != '=')
		return false;
	++*at;
	if (!take_word(at, "/, ", number, sizeof(number)))
		return false;
	errno = 0;
	word->amount = strtoll(number, &end, 10);
	/* An amount must be positive, and a text that begins with "/" names no node. */
	return !errno && !*end && word->amount > 0 && word->node[0];
}

/* The key with the blank before it. The text is searched as it is, because callers ask about single
 * nodes and need no other word of the contract. */
static const char key[] = " odd=";

bool rspb_odd_any(const char *contract)
{
	return contract && strstr(contract, key);
}

/* The text is walked from its beginning for each question; it has few nodes (RSPB_CONTRACT_ODD). */
int64_t rspb_odd_amount(const char *contract, const char *node, const char *kind, int64_t usual)
{
	const char *at = contract ? strstr(contract, key) : NULL;
	struct rspb_odd_word word = { .amount = 0 };

	if (!at)
		return usual;
	at += sizeof(key) - 1;
	while (rspb_odd_next(&at, &word))
		if (!strcmp(word.node, node) && !strcmp(word.kind, kind))
			return word.amount;
	return usual;
}

enum { KINDS_MOST = 16, WORDS = 256 };

/* The amounts of one node, collected until the next node begins. */
struct node_words {
	char node[64];
	int64_t cores, memory;
	struct rspb_quota devices[KINDS_MOST];
	size_t n;
};

/* Keep an amount of a node. Devices beyond KINDS_MOST are left out. */
static void keep_amount(struct node_words *of, const struct rspb_odd_word *word)
{
	struct rspb_quota *quota;

	if (!strcmp(word->kind, RSPB_ODD_CORES)) {
		of->cores = word->amount;
	} else if (!strcmp(word->kind, RSPB_ROOM_MEMORY)) {
		of->memory = word->amount;
	} else if (of->n < KINDS_MOST) {
		quota = &of->devices[of->n++];
		quota->key = rspb_room_key(word->kind);
		quota->per_node = word->amount;
		snprintf(quota->name, sizeof(quota->name), "%s", word->kind);
	}
}

bool rspb_odd_take_first(const char *odd, int64_t *cores, int64_t *mem, char *gres, size_t size)
{
	struct rspb_odd_word word = { .amount = 0 };
	struct node_words of = { .n = 0 };

	if (strchr(gres, ',') || !rspb_odd_next(&odd, &word))
		return false;
	snprintf(of.node, sizeof(of.node), "%s", word.node);
	do
		keep_amount(&of, &word);
	while (rspb_odd_next(&odd, &word) && !strcmp(word.node, of.node));
	*cores = of.cores ? of.cores : *cores;
	*mem = of.memory ? of.memory : *mem;
	if (of.n)
		rspb_devices_print(of.devices, of.n, gres, size);
	return true;
}

/* Add the amounts of one node in words. Nothing is added before the first node has been read. */
static void add_node(const struct node_words *of, struct rspb_text *out)
{
	char gres[WORDS];

	if (!of->node[0])
		return;
	rspb_devices_print(of->devices, of->n, gres, sizeof(gres));
	rspb_text_add(out, "%s", out->len ? "; " : "");
	rspb_cores_add_words(of->cores, gres, of->memory, out);
	rspb_text_add(out, " of %s", of->node);
}

void rspb_odd_add_words(const char *odd, struct rspb_text *out)
{
	struct rspb_odd_word word = { .amount = 0 };
	struct node_words of = { .n = 0 };
	/* The words are collected apart, because the separator between nodes depends on whether
	 * anything has been added here. They are cut at the end of this buffer. */
	char space[2 * WORDS];
	struct rspb_text words = rspb_text_over(space, sizeof(space));

	while (rspb_odd_next(&odd, &word)) {
		/* Amounts of a node follow each other, so another name completes the node
		 * before. */
		if (strcmp(word.node, of.node) != 0) {
			add_node(&of, &words);
			of = (struct node_words){ .n = 0 };
			snprintf(of.node, sizeof(of.node), "%s", word.node);
		}
		keep_amount(&of, &word);
	}
	add_node(&of, &words);
	rspb_text_add(out, "%s", space);
}
