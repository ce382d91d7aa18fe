/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only all flags of a job together show: rspb_flags_check(). */
#include "common/wire/flags.h"

/* What contradicts each other. */
static int check_booked(const struct rspb_flags *flags, struct rspb_err *err)
{
	if (rspb_moldable_said(&flags->work) && flags->has_benefit)
		return rspb_fail(err, "--work: with --benefit there is no "
				      "answer to what less is worth, all of it "
				      "is done; give one of both");
	if (rspb_moldable_said(&flags->work) && (flags->stage_in || flags->time_sigma))
		return rspb_fail(err, "--work: has no --stage-in or "
				      "--time-sigma; let its times be so much "
				      "longer");
	if (flags->share && rspb_moldable_said(&flags->work))
		return rspb_fail(err, "--work: is done by whole nodes, not by "
				      "shares of them (--cpu-share)");
	if (flags->share && flags->prefer.n)
		return rspb_fail(err, "--prefer-qos: is of whole nodes; for "
				      "--cpu-share those count that have room");
	return 0;
}

int rspb_flags_check(const struct rspb_flags *flags, struct rspb_err *err)
{
	if (flags->book)
		return check_booked(flags, err);
	if (flags->has_benefit)
		return rspb_fail(err, "--benefit: needs --book; without a "
				      "booking there is nothing to degrade");
	if (flags->has_benefit_time)
		return rspb_fail(err, "--benefit-time: needs --book; without a "
				      "booking there is no start to choose");
	if (flags->stage_in)
		return rspb_fail(err, "--stage-in: needs --book; without a "
				      "booking there is no window to place");
	if (flags->time_sigma)
		return rspb_fail(err, "--time-sigma: needs --book; without a "
				      "booking there is no window to lengthen");
	if (flags->share)
		return rspb_fail(err, "--cpu-share: needs --book; only a "
				      "booking holds a share");
	if (flags->remind)
		return rspb_fail(err, "--remind: needs --book; there is no "
				      "start to be reminded of");
	if (rspb_moldable_said(&flags->work))
		return rspb_fail(err, "--work: needs --book; without a booking "
				      "there is no number of nodes to choose");
	if (flags->prefer.n)
		return rspb_fail(err, "--prefer-qos: needs --book; without a "
				      "booking Slurm picks the nodes");
	if (flags->price)
		return rspb_fail(err, "--price: needs --book; only bookings "
				      "have one");
	if (flags->series[0])
		return rspb_fail(err, "--series: needs --book; it is one of "
				      "bookings");
	return 0;
}
