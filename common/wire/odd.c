/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/odd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
