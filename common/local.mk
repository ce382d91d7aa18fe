# SPDX-License-Identifier: GPL-2.0-or-later
# librspb: everything that decides. No Slurm, no threads, no clock.
noinst_LTLIBRARIES += common/librspbcommon.la

common_librspbcommon_la_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
common_librspbcommon_la_LIBADD = $(JSON_C_LIBS) -lm
common_librspbcommon_la_SOURCES = \
	common/array.c common/array.h \
	common/err.c common/err.h \
	common/gap.c common/gap.h \
	common/text.c common/number.c common/text.h \
	common/benefit.c common/benefit_text.c common/shape.c \
	common/benefit.h \
	common/request.c common/request.h \
	common/booking.c common/booking.h \
	common/flags.c common/contract.c common/flags.h \
	common/tag.c common/tag.h \
	common/config.c common/options.c common/duration.c \
	common/config.h \
	common/by_feature.c common/by_feature.h \
	common/colocate.c common/colocate.h \
	common/limits.c common/limits.h \
	common/journal_line.c common/journal_line.h \
	common/json.c common/json_fields.c \
	common/json.h common/json_fields.h \
	common/nodeset.c common/nodeset_text.c common/nodeset.h \
	common/profile.c common/profile.h common/profile_form.h \
	common/profile_ahead.h \
	common/profile_internal.h common/profile_bits.h common/profile_rows.h \
	common/profile_index.c common/profile_order.c \
	common/profile_groups.c common/profile_groups_query.c \
	common/profile_bits.c common/profile_choice.c \
	common/profile_rows.c common/profile_rows_change.c \
	common/profile_rows_query.c common/profile_rows_search.c \
	common/profile_rows_validate.c \
	common/profile_query.c common/profile_search.c \
	common/profile_sets.c common/profile_sets.h common/profile_spans.c \
	common/profile_states.c common/profile_states.h \
	common/profile_edges.c \
	common/profile_validate.c common/profile_walk.c \
	common/shares.c common/shares.h common/shares_index.c \
	common/shares_machine.c \
	common/shares_internal.h \
	common/share_env.c common/share_env.h \
	common/share_use.c common/share_sum.c common/share_use.h \
	common/when.c common/when.h common/wide.h \
	common/names.c common/names.h \
	common/order.c common/order.h \
	common/where.c common/where.h \
	common/degrade.c common/degrade.h \
	common/policy.c common/policy.h \
	common/ledger.c common/ledger_entries.c common/ledger_occupy.c \
	common/ledger_move.c \
	common/ledger_validate.c common/ledger.h common/ledger_entries.h \
	common/ledger_internal.h \
	common/plan.c common/plan_whole.c common/plan_shares.c \
	common/plan.h \
	common/search.c common/search_reason.c common/search.h \
	common/refine.c common/refine.h \
	common/give.c common/give.h \
	common/yield.c common/yield.h \
	common/rescue.c common/rescue.h \
	common/replan.c common/replan.h \
	common/offers.c common/offers.h \
	common/schedule.c common/schedule.h \
	common/pool.c common/pool.h \
	common/stable.c common/stable.h \
	common/natural.c common/natural.h \
	common/rational.c common/rational.h \
	common/real.c common/real.h \
	common/fair.c common/fluid.c common/fair.h \
	common/ect.c common/ect.h \
	common/tasks.c common/tasks.h \
	common/steps.c common/steps.h \
	common/tarr.c common/tarr.h \
	common/binding.c common/binding.h \
	common/qdd.c common/qdd.h \
	common/queueing.c common/queueing.h
