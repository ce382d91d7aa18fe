/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the requests that are decided first where more wait than a batch should hold: one of each
 * user, then another of each, so that a flood of one user's delays nobody else's by more than a
 * batch. */
#ifndef RSPB_CTLD_REQUEST_TURNS_H
#define RSPB_CTLD_REQUEST_TURNS_H

#include <stddef.h>
#include <stdint.h>

/* users[n]: the user of each request, in the order they came. Writes the numbers of at most `most`
 * of them into taken[], rising. RET how many, -1: out of memory. */
int64_t rspb_turns_take(const uint32_t *users, size_t n, size_t most, size_t *taken);

#endif
