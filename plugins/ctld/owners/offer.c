/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes an offer as an answer has it. It finds none: that is bargain.c. */
#include "plugins/ctld/owners/offer.h"

#include <stdio.h>

#include "common/base/text.h"
#include "plugins/ctld/ending/charge.h"
#include "plugins/ctld/requests/limits.h"

enum { OFFER_TEXT = 64, FLAGS_TEXT = 160 };

static void add_number(json_object *to, const char *key, int64_t number)
{
	json_object_object_add(to, key, json_object_new_int64(number));
}

static void add_decimal(json_object *to, const char *key, const char *format,
			double value)
{
	char number[32];

	snprintf(number, sizeof(number), format, value);
	json_object_object_add(to, key,
			       json_object_new_double_s(value, number));
}

/* What it would be charged, were all of it used: in node-seconds, 0: nothing is. */
static int64_t price_of(const struct rspb_offer *offer,
			const struct rspb_request *asked,
			const struct rspb_config *config)
{
	struct rspb_config space;
	const struct rspb_part *part = &asked->parts[0];
	double rate = rspb_charge_rate(asked,
				       rspb_limits_settings(config, asked,
							    &space));

	if (offer->tasks)
		rate *= (double) rspb_part_weighs(part, part->share) *
			(double) offer->tasks /
			(double) (rspb_part_whole(part) * part->tasks *
				  part->nodes);
	if (offer->share)
		rate *= (double) rspb_part_weighs(part, offer->share) /
			(double) rspb_part_whole(part);
	return (int64_t) ((double) offer->nodes *
				  (double) (offer->end - offer->start) * rate +
			  0.5);
}

json_object *rspb_offer_write(const struct rspb_offer *offer,
			      const struct rspb_request *asked,
			      const struct rspb_config *config)
{
	json_object *to = json_object_new_object();
	char word[OFFER_TEXT], flags[FLAGS_TEXT];
	struct rspb_text text = rspb_text_over(flags, sizeof(flags));
	struct rspb_text token = rspb_text_over(word, sizeof(word));
	int64_t price = price_of(offer, asked, config);

	rspb_offer_word(offer, asked, &token);
	rspb_offer_flags(offer, asked, &text);
	json_object_object_add(to, "offer", json_object_new_string(word));
	add_number(to, "start", offer->start);
	add_number(to, "end", offer->end);
	add_number(to, "nodes", offer->nodes);
	if (offer->tasks)
		add_number(to, "tasks", offer->tasks);
	if (offer->share)
		add_decimal(to, "share", "%g", (double) offer->share / 100);
	add_decimal(to, "benefit", "%.6g", rspb_ratio_double(offer->benefit));
	if (price)
		add_number(to, "price", price);
	if (asked->parts[0].n_tiers)
		add_decimal(to, "distance", "%g",
			    (double) offer->distance / RSPB_PREFER_SCALE);
	/* Behind the blank. */
	json_object_object_add(to, "flags", json_object_new_string(flags + 1));
	return to;
}
