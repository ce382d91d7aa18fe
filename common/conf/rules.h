/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings for some requests only: lines of rspb.conf like
 *
 *	Rule=course Accounts=teaching Partitions=small MaxDuration=4h
 *
 * A rule holds for a request that all of Users, Accounts, Qos, Partitions and
 * NodesFrom which it names agree with; of several rules the later ones count.
 */
#ifndef RSPB_CONF_RULES_H
#define RSPB_CONF_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/conf/values.h"
#include "common/request/request.h"

/* Whether a pair is the first of a rule. */
bool rspb_rule_begins(const struct rspb_pair *pair);
/* Check the line from p to end, and add it to the rules. RET 0, or -1 with a
 * sentence without its place. */
int rspb_rules_add(char rules[RSPB_CONFIG_RULES], const char *p, const char *end,
		   struct rspb_err *err);
/* The same of several lines, each ended by a newline, in place of the rules. */
int rspb_rules_read(const char *text, char rules[RSPB_CONFIG_RULES], struct rspb_err *err);
/* The settings that count for a request on a machine of so many nodes. RET
 * config itself, or *space where a rule holds. */
const struct rspb_config *rspb_rules_for(const struct rspb_config *config,
					 const struct rspb_request *request, uint32_t nodes,
					 struct rspb_config *space);
/* RET how far ahead a booking may end at most, whoever asks: seconds from now. */
int64_t rspb_rules_farthest(const struct rspb_config *config);
/* Whether any rule names a key ("Qos"), or a setting ("Unit"). */
bool rspb_rules_name(const struct rspb_config *config, const char *key);
/* Knows the uid of a name. RET false: it does not; the name may be a number. */
typedef bool rspb_rules_find(const char *name, uint32_t *uid, void *arg);
/* Put uids in the place of names of users, as find() knows them; others stay,
 * and are nobody's until a later call finds them. */
void rspb_rules_users(struct rspb_config *config, rspb_rules_find *find, void *arg);

#endif
