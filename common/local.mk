# SPDX-License-Identifier: GPL-2.0-or-later
# librspb: everything that decides. No Slurm, no threads, no clock. The rooms
# stand in their order: each may use those above it, none below
# (tests/rules/rooms).
noinst_LTLIBRARIES += common/librspbcommon.la

common_librspbcommon_la_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
common_librspbcommon_la_LIBADD = $(JSON_C_LIBS) -lm
common_librspbcommon_la_SOURCES = \
	$(base_sources) \
	$(calendar_sources) \
	$(shares_sources) \
	$(request_sources) \
	$(wire_sources) \
	$(policy_sources) \
	$(ledger_sources) \
	$(plan_sources) \
	$(conf_sources)

base_sources = \
	common/base/array.c \
	common/base/array.h \
	common/base/err.h \
	common/base/hash.h \
	common/base/names.h \
	common/base/nodeset.c \
	common/base/nodeset.h \
	common/base/number.c \
	common/base/text.c \
	common/base/text.h \
	common/base/times.h \
	common/base/wide.h

calendar_sources = \
	common/calendar/change.c \
	common/calendar/check.c \
	common/calendar/edges.c \
	common/calendar/index.c \
	common/calendar/internal.h \
	common/calendar/judge.c \
	common/calendar/ladder.c \
	common/calendar/ladder.h \
	common/calendar/measure.c \
	common/calendar/pages.c \
	common/calendar/pages.h \
	common/calendar/patches.c \
	common/calendar/profile.c \
	common/calendar/profile.h \
	common/calendar/search.c \
	common/calendar/sets.c \
	common/calendar/sets.h \
	common/calendar/sorted.c \
	common/calendar/sorted_edit.c \
	common/calendar/spans.c \
	common/calendar/states.c \
	common/calendar/states.h \
	common/calendar/walk.c \
	common/calendar/window.c

shares_sources = \
	common/shares/index.c \
	common/shares/internal.h \
	common/shares/machine.c \
	common/shares/shares.c \
	common/shares/shares.h

request_sources = \
	common/request/benefit.c \
	common/request/benefit.h \
	common/request/benefit_text.c \
	common/request/booking.c \
	common/request/booking.h \
	common/request/part.c \
	common/request/prefer.c \
	common/request/request.c \
	common/request/request.h \
	common/request/spread.c \
	common/request/validate.c

wire_sources = \
	common/wire/amounts.c \
	common/wire/contract.c \
	common/wire/flags.c \
	common/wire/flags.h \
	common/wire/json.c \
	common/wire/json.h \
	common/wire/seal.c \
	common/wire/seal.h \
	common/wire/share_lines.c \
	common/wire/share_lines.h \
	common/wire/tag.c \
	common/wire/texts.h \
	common/wire/time_text.c \
	common/wire/unfold.c

policy_sources = \
	common/policy/degrade.c \
	common/policy/fields.c \
	common/policy/fields.h \
	common/policy/leaves.c \
	common/policy/order.c \
	common/policy/pick.c \
	common/policy/policy.c \
	common/policy/policy.h \
	common/policy/when.c \
	common/policy/where.c

ledger_sources = \
	common/ledger/apply.c \
	common/ledger/entries.c \
	common/ledger/internal.h \
	common/ledger/ledger.c \
	common/ledger/ledger.h \
	common/ledger/occupy.c \
	common/ledger/overfull.c \
	common/ledger/tables.c

plan_sources = \
	common/plan/count.c \
	common/plan/forms.c \
	common/plan/offers.c \
	common/plan/outline.c \
	common/plan/outline.h \
	common/plan/plan.c \
	common/plan/plan.h \
	common/plan/refine.c \
	common/plan/rescue.c \
	common/plan/schedule.c \
	common/plan/schedule.h \
	common/plan/search.c \
	common/plan/search_reason.c \
	common/plan/shares.c \
	common/plan/shift.c \
	common/plan/whole.c \
	common/plan/yield.c

conf_sources = \
	common/conf/config.c \
	common/conf/config.h \
	common/conf/limits.c \
	common/conf/option.c \
	common/conf/options.c \
	common/conf/rules.c \
	common/conf/values.c
