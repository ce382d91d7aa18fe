/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes an offer as an answer has it. It finds none: that is bargain.c. */
#include "plugins/ctld/owners/offer.h"

#include "common/base/text.h"
#include "common/wire/members.h"
#include "plugins/ctld/ending/charge.h"
#include "plugins/ctld/requests/limits.h"

enum { OFFER_TEXT = 64, FLAGS_TEXT = 160 };

/* RET what it would be charged, were all of it used: in node-seconds, 0: nothing. */
static int64_t price_of(const struct rspb_offer *offer, const struct rspb_request *asked,
			const struct rspb_config *config)
{
	struct rspb_config space;
	const struct rspb_part *part = &asked->parts[0];
	double rate = rspb_charge_rate(asked, rspb_limits_settings(config, asked, &space));

	if (offer->tasks)
		rate *= (double) rspb_part_weighs(part, part->share) * (double) offer->tasks /
			(double) (rspb_part_whole(part) * part->tasks * part->nodes);
	if (offer->share)
		rate *= (double) rspb_part_weighs(part, offer->share) /
			(double) rspb_part_whole(part);
	return (int64_t) ((double) offer->nodes * (double) (offer->end - offer->start) * rate +
			  0.5);
}

json_object *rspb_offer_write(const struct rspb_offer *offer, const struct rspb_request *asked,
			      const struct rspb_config *config)
{
	json_object *to = json_object_new_object();
	char word[OFFER_TEXT], flags[FLAGS_TEXT];
	struct rspb_text text = rspb_text_over(flags, sizeof(flags));
	struct rspb_text token = rspb_text_over(word, sizeof(word));
	int64_t price = price_of(offer, asked, config);

	rspb_offer_word(offer, asked, &token);
	rspb_offer_flags(offer, asked, &text);
	rspb_json_put_text(to, "offer", word);
	rspb_json_put_int(to, "start", offer->start);
	rspb_json_put_int(to, "end", offer->end);
	rspb_json_put_int(to, "nodes", offer->nodes);
	if (offer->tasks)
		rspb_json_put_int(to, "tasks", offer->tasks);
	if (offer->share)
		rspb_json_put_real(to, "share", (double) offer->share / 100, 6);
	rspb_json_put_real(to, "benefit", rspb_ratio_double(offer->benefit), 6);
	if (price)
		rspb_json_put_int(to, "price", price);
	if (asked->parts[0].n_tiers)
		rspb_json_put_real(to, "distance", (double) offer->distance / RSPB_PREFER_SCALE, 6);
	/* Skip the blank. */
	rspb_json_put_text(to, "flags", flags + 1);
	return to;
}
