/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tag: what an operator writes into the text field of a reservation without
 * nodes to make it a request,
 *	rspb:nodes=2-4,deadline=2026-11-24T18:00,benefit=linear:25%
 *	rspb:nodes=2,cores=16,mem=32G,gres=gpu:2
 * Keys and values are those of the flags; when and how long, for whom, which
 * partition and features stand in the reservation itself.
 */
#ifndef RSPB_WIRE_TAG_H
#define RSPB_WIRE_TAG_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/wire/flags.h"

enum { RSPB_TAG_TEXT = 2048, RSPB_TAG_TIME = 64 };

/* A row per key; members of the flags with RSPB_TERM_TAG are keys, too. */
struct rspb_tag_key {
	const char *name;
	const char *arginfo;
	/* RET 0, or -1 with one sentence that does not begin with the key. NULL: of deadline. */
	int (*set)(struct rspb_contract *asked, const char *value, struct rspb_err *err);
};
extern const struct rspb_tag_key rspb_tag_keys[]; /* ended by name NULL */

/* Whether a text is meant for us: it begins with "rspb:". */
bool rspb_tag_ours(const char *text);
/* Whether it holds a contract (rspb_contract_parse) instead of a request: a
 * state's name follows. */
bool rspb_tag_answered(const char *text);
/* RET 0; -1 with one sentence that names the key: an unknown or repeated one, a
 * value that can't be read, no nodes=; out unchanged. out: a request (flags.book set) whose window
 * the reservation has; deadline: as written, "": none. */
int rspb_tag_parse(const char *text, struct rspb_contract *out, char deadline[RSPB_TAG_TIME],
		   struct rspb_err *err);

#endif
