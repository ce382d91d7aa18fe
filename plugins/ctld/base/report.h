/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What users and operators see: contracts, reasons, lines in the log. */
#ifndef RSPB_CTLD_BASE_REPORT_H
#define RSPB_CTLD_BASE_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "common/request/booking.h"
#include "common/wire/flags.h"

enum { RSPB_WINDOW_TEXT = 64 };

/* "Nov 24 09:00-11:00", with seconds where they count. */
void rspb_report_window(int64_t start, int64_t end, char *buf, size_t size);
/* One line for somebody who asks what would become of a request, by a picture
 * of the machine that is age seconds old. */
void rspb_report_advice(const struct rspb_booking *booking, int64_t age,
			char *buf, size_t size);
/* A text for a user: its times, which are UTC ("2026-11-24T09:00:00Z"), as the
 * site's clock has them: with the zone, but in a flag ("--begin="). */
void rspb_report_local(const char *text, char *buf, size_t size);
/* The contract of one part of a booking, on top of what was asked. */
void rspb_report_contract(const struct rspb_booking *booking, uint32_t part,
			  struct rspb_contract *contract);
/* A line in the log about what was granted. */
void rspb_report_booked(const struct rspb_booking *booking, const char *user,
			const char *nodes);

#endif
