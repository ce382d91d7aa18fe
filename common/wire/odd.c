/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/odd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/request/room.h"
#include "common/wire/gres.h"

/* Copy what comes before one of `ends`. RET false: nothing does, or too much. */
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
	return !errno && !*end && word->amount > 0 && word->node[0];
}

static const char key[] = " odd=";

bool rspb_odd_any(const char *contract)
{
	return contract && strstr(contract, key);
}

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

/* The amounts of one node. */
struct node_words {
	char node[64];
	int64_t cores, memory;
	struct rspb_quota devices[KINDS_MOST];
	size_t n;
};

static void add_node(const struct node_words *of, struct rspb_text *out)
{
	char gres[WORDS];
	const char *between = out->len ? "; " : "";

	if (!of->node[0])
		return;
	rspb_devices_print(of->devices, of->n, gres, sizeof(gres));
	if (of->cores)
		rspb_text_add(out, "%s%" PRId64 " core%s", between, of->cores,
			      of->cores == 1 ? "" : "s");
	between = of->cores ? ", " : between;
	if (of->memory)
		rspb_text_add(out, "%s%" PRId64 " MiB", between, of->memory);
	between = of->memory ? ", " : between;
	rspb_text_add(out, *gres ? between : "");
	rspb_gres_add_words(gres, out);
	rspb_text_add(out, " of %s", of->node);
}

void rspb_odd_add_words(const char *odd, struct rspb_text *out)
{
	struct rspb_odd_word word = { .amount = 0 };
	struct node_words of = { .n = 0 };
	char space[2 * WORDS];
	struct rspb_text words = rspb_text_over(space, sizeof(space));

	while (rspb_odd_next(&odd, &word)) {
		struct rspb_quota *quota = &of.devices[of.n];

		if (strcmp(word.node, of.node) != 0) {
			add_node(&of, &words);
			of = (struct node_words){ .n = 0 };
			quota = of.devices;
			snprintf(of.node, sizeof(of.node), "%s", word.node);
		}
		if (!strcmp(word.kind, RSPB_ODD_CORES)) {
			of.cores = word.amount;
		} else if (!strcmp(word.kind, RSPB_ROOM_MEMORY)) {
			of.memory = word.amount;
		} else if (of.n < KINDS_MOST) {
			quota->key = rspb_room_key(word.kind);
			quota->per_node = word.amount;
			snprintf(quota->name, sizeof(quota->name), "%s", word.kind);
			of.n++;
		}
	}
	add_node(&of, &words);
	rspb_text_add(out, "%s", space);
}
