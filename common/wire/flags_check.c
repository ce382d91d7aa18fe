/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks what only all flags of a job together show: rspb_flags_check(). */
#include "common/wire/flags.h"

/* Refuse flags that contradict each other. */
static int check_booked(const struct rspb_flags *flags, struct rspb_err *err)
{
	if (rspb_moldable_said(&flags->work) && flags->has_benefit)
		return rspb_fail(err, "--work: cannot be combined with --benefit, because all of "
				      "the work is done; remove one of the two");
	if (rspb_moldable_said(&flags->work) && (flags->stage_in || flags->time_sigma))
		return rspb_fail(err, "--work: cannot be combined with --stage-in or "
				      "--time-sigma; give longer times instead");
	if (flags->share && rspb_moldable_said(&flags->work))
		return rspb_fail(err, "--work: cannot be combined with --cpu-share, because "
				      "whole nodes or tasks do the work");
	if (flags->share && flags->prefer.n)
		return rspb_fail(err, "--prefer-qos: cannot be combined with --cpu-share, whose "
				      "nodes are those that have room");
	return 0;
}

int rspb_flags_check(const struct rspb_flags *flags, struct rspb_err *err)
{
	if (flags->book)
		return check_booked(flags, err);
	if (flags->has_benefit)
		return rspb_fail(err, "--benefit: needs --book; without a booking there is "
				      "nothing to reduce");
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
		return rspb_fail(err, "--price: needs --book; only bookings have a price");
	if (flags->series[0])
		return rspb_fail(err, "--series: needs --book; a series consists of bookings");
	return 0;
}
