# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of rspb-sim: vectors worked by hand, and bad input.
EXTRA_DIST += tests/golden/INDEX.tsv $(golden_vectors)
golden_vectors = \
	tests/golden/small/01_rspb_priority.in.jsonl \
	tests/golden/small/01_rspb_priority.out.jsonl \
	tests/golden/small/02_rspb_soft.in.jsonl \
	tests/golden/small/02_rspb_soft.out.jsonl \
	tests/golden/small/03_batching.in.jsonl \
	tests/golden/small/03_batching.out.jsonl \
	tests/golden/small/04_rspb_avgload.in.jsonl \
	tests/golden/small/04_rspb_avgload.out.jsonl \
	tests/golden/small/05_rb.in.jsonl \
	tests/golden/small/05_rb.out.jsonl \
	tests/golden/small/06_corspb_float.in.jsonl \
	tests/golden/small/06_corspb_float.out.jsonl \
	tests/golden/small/07_corspb_rollback.in.jsonl \
	tests/golden/small/07_corspb_rollback.out.jsonl \
	tests/golden/small/08_corspb_fixed.in.jsonl \
	tests/golden/small/08_corspb_fixed.out.jsonl \
	tests/golden/small/09_corspb_trim.in.jsonl \
	tests/golden/small/09_corspb_trim.out.jsonl \
	tests/golden/small/10_corsbf.in.jsonl \
	tests/golden/small/10_corsbf.out.jsonl \
	tests/golden/small/11_corsbfr_move.in.jsonl \
	tests/golden/small/11_corsbfr_move.out.jsonl \
	tests/golden/small/12_corsbfr_second.in.jsonl \
	tests/golden/small/12_corsbfr_second.out.jsonl \
	tests/golden/small/13_li_fig1_Du_B.in.jsonl \
	tests/golden/small/13_li_fig1_Du_B.out.jsonl \
	tests/golden/small/13_li_fig1_Du_W.in.jsonl \
	tests/golden/small/13_li_fig1_Du_W.out.jsonl \
	tests/golden/small/13_li_fig1_FF.in.jsonl \
	tests/golden/small/13_li_fig1_FF.out.jsonl \
	tests/golden/small/13_li_fig1_PEDu_B.in.jsonl \
	tests/golden/small/13_li_fig1_PEDu_B.out.jsonl \
	tests/golden/small/13_li_fig1_PEDu_W.in.jsonl \
	tests/golden/small/13_li_fig1_PEDu_W.out.jsonl \
	tests/golden/small/13_li_fig1_PE_B.in.jsonl \
	tests/golden/small/13_li_fig1_PE_B.out.jsonl \
	tests/golden/small/13_li_fig1_PE_W.in.jsonl \
	tests/golden/small/13_li_fig1_PE_W.out.jsonl \
	tests/golden/small/14_li_inf_Du_W.in.jsonl \
	tests/golden/small/14_li_inf_Du_W.out.jsonl \
	tests/golden/small/14_li_inf_PEDu_B.in.jsonl \
	tests/golden/small/14_li_inf_PEDu_B.out.jsonl \
	tests/golden/small/14_li_inf_PEDu_W.in.jsonl \
	tests/golden/small/14_li_inf_PEDu_W.out.jsonl \
	tests/golden/small/15_li_sequence.in.jsonl \
	tests/golden/small/15_li_sequence.out.jsonl \
	tests/golden/small/16_tarr_negotiate.in.jsonl \
	tests/golden/small/16_tarr_negotiate.out.jsonl \
	tests/golden/small/17_tarr_uncertain.in.jsonl \
	tests/golden/small/17_tarr_uncertain.out.jsonl \
	tests/golden/small/18_maxmin.in.jsonl \
	tests/golden/small/18_maxmin.out.jsonl \
	tests/golden/small/19_fair_keys_afto1.in.jsonl \
	tests/golden/small/19_fair_keys_afto1.out.jsonl \
	tests/golden/small/19_fair_keys_afto2.in.jsonl \
	tests/golden/small/19_fair_keys_afto2.out.jsonl \
	tests/golden/small/19_fair_keys_afto_rn.in.jsonl \
	tests/golden/small/19_fair_keys_afto_rn.out.jsonl \
	tests/golden/small/19_fair_keys_sfto.in.jsonl \
	tests/golden/small/19_fair_keys_sfto.out.jsonl \
	tests/golden/small/20_edf_waiting.in.jsonl \
	tests/golden/small/20_edf_waiting.out.jsonl \
	tests/golden/small/21_ect_gap.in.jsonl \
	tests/golden/small/21_ect_gap.out.jsonl \
	tests/golden/small/22_static.in.jsonl \
	tests/golden/small/22_static.out.jsonl \
	tests/golden/small/23_vrc.in.jsonl \
	tests/golden/small/23_vrc.out.jsonl \
	tests/golden/small/24_qdd.in.jsonl \
	tests/golden/small/24_qdd.out.jsonl \
	tests/golden/small/25_states.in.jsonl \
	tests/golden/small/25_states.out.jsonl \
	tests/golden/small/26_mmc.in.jsonl \
	tests/golden/small/26_mmc.out.jsonl \
	tests/golden/small/27_benefit.in.jsonl \
	tests/golden/small/27_benefit.out.jsonl \
	tests/golden/small/28_tarr_graph.in.jsonl \
	tests/golden/small/28_tarr_graph.out.jsonl \
	tests/golden/small/29_benefit_plateau.in.jsonl \
	tests/golden/small/29_benefit_plateau.out.jsonl \
	tests/golden/small/30_edf_est.in.jsonl \
	tests/golden/small/30_edf_est.out.jsonl \
	tests/golden/small/31_edf_mptf.in.jsonl \
	tests/golden/small/31_edf_mptf.out.jsonl \
	tests/golden/small/32_edf_ect.in.jsonl \
	tests/golden/small/32_edf_ect.out.jsonl \
	tests/golden/small/33_rspb_events.in.jsonl \
	tests/golden/small/33_rspb_events.out.jsonl \
	tests/golden/small/34_corspb_events.in.jsonl \
	tests/golden/small/34_corspb_events.out.jsonl \
	tests/golden/small/35_li_forms.in.jsonl \
	tests/golden/small/35_li_forms.out.jsonl \
	tests/golden/small/36_edf_graph.in.jsonl \
	tests/golden/small/36_edf_graph.out.jsonl \
	tests/golden/small/37_li_speeds.in.jsonl \
	tests/golden/small/37_li_speeds.out.jsonl \
	tests/golden/small/38_tarr_copies.in.jsonl \
	tests/golden/small/38_tarr_copies.out.jsonl \
	tests/golden/small/39_afto_graph.in.jsonl \
	tests/golden/small/39_afto_graph.out.jsonl \
	tests/golden/small/40_tarr_pull.in.jsonl \
	tests/golden/small/40_tarr_pull.out.jsonl

check_PROGRAMS += tests/golden/check_golden
tests_golden_check_golden_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_golden_check_golden_LDADD = $(JSON_C_LIBS) -lm
TESTS += tests/golden/check_golden

EXTRA_DIST += tests/golden/lib.sh
dist_check_SCRIPTS += tests/golden/bad_input.sh
TESTS += tests/golden/bad_input.sh
dist_check_SCRIPTS += tests/golden/bound.sh
TESTS += tests/golden/bound.sh
dist_check_SCRIPTS += tests/golden/schedule.sh
TESTS += tests/golden/schedule.sh
dist_check_SCRIPTS += tests/golden/options.sh
TESTS += tests/golden/options.sh
dist_check_SCRIPTS += tests/golden/graph.sh
dist_check_SCRIPTS += tests/golden/papers.sh
dist_check_SCRIPTS += tests/golden/malleable.sh
TESTS += tests/golden/graph.sh
TESTS += tests/golden/papers.sh
TESTS += tests/golden/malleable.sh
dist_check_SCRIPTS += tests/golden/parts.sh
TESTS += tests/golden/parts.sh
dist_check_SCRIPTS += tests/golden/study.sh
TESTS += tests/golden/study.sh
dist_check_SCRIPTS += tests/golden/policy.sh
TESTS += tests/golden/policy.sh
dist_check_SCRIPTS += tests/golden/rehearsal.sh
TESTS += tests/golden/rehearsal.sh
dist_check_SCRIPTS += tests/golden/links.sh
TESTS += tests/golden/links.sh
dist_check_SCRIPTS += tests/golden/manuals.sh
TESTS += tests/golden/manuals.sh
dist_check_SCRIPTS += tests/golden/plotting.sh
TESTS += tests/golden/plotting.sh
dist_check_SCRIPTS += tests/golden/trace.sh
EXTRA_DIST += tests/golden/sacct.txt
TESTS += tests/golden/trace.sh

dist_check_SCRIPTS += tests/golden/journal.sh
EXTRA_DIST += tests/golden/journal/recorded.jsonl \
	tests/golden/journal/moved.jsonl \
	tests/golden/journal/parts.jsonl
TESTS += tests/golden/journal.sh

AM_TESTS_ENVIRONMENT += export GOLDEN_DIR=$(srcdir)/tests/golden \
	RSPB_SIM=$(builddir)/contrib/sim/rspb-sim \
	BOUND=$(srcdir)/contrib/sim/bound;

EXTRA_DIST += tests/unit/sim/random_draw.h
if HAVE_CHECK
sim_tests = \
	tests/unit/sim/check_rational \
	tests/unit/sim/check_real \
	tests/unit/sim/check_fair \
	tests/unit/sim/check_judge \
	tests/unit/sim/check_lp \
	tests/unit/sim/check_tarr \
	tests/unit/sim/check_binding \
	tests/unit/sim/check_flex \
	tests/unit/sim/check_replay \
	tests/unit/sim/check_sim \
	tests/unit/sim/check_trace
check_PROGRAMS += $(sim_tests)
TESTS += $(sim_tests)

sim_check_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) $(JSON_C_CFLAGS) $(GMP_CFLAGS)
sim_check_ldadd = contrib/sim/librspbpapers.la $(CHECK_LIBS) $(GMP_LIBS)

tests_unit_sim_check_judge_CFLAGS = $(sim_check_cflags)
tests_unit_sim_check_judge_LDADD = $(sim_check_ldadd)
tests_unit_sim_check_rational_CFLAGS = $(sim_check_cflags)
tests_unit_sim_check_rational_LDADD = $(sim_check_ldadd)
tests_unit_sim_check_real_CFLAGS = $(sim_check_cflags)
tests_unit_sim_check_real_LDADD = $(sim_check_ldadd)
tests_unit_sim_check_fair_CFLAGS = $(sim_check_cflags)
tests_unit_sim_check_fair_SOURCES = tests/unit/sim/check_fair.c \
	tests/naive/fluid.c tests/naive/fluid.h
tests_unit_sim_check_fair_LDADD = $(sim_check_ldadd)
tests_unit_sim_check_lp_CFLAGS = $(sim_check_cflags)
tests_unit_sim_check_lp_LDADD = $(sim_check_ldadd)
tests_unit_sim_check_tarr_CFLAGS = $(sim_check_cflags)
tests_unit_sim_check_tarr_LDADD = $(sim_check_ldadd)
tests_unit_sim_check_binding_CFLAGS = $(sim_check_cflags)
tests_unit_sim_check_binding_LDADD = $(sim_check_ldadd)
tests_unit_sim_check_flex_CFLAGS = $(sim_check_cflags)
tests_unit_sim_check_flex_LDADD = $(tested) $(sim_check_ldadd)
tests_unit_sim_check_replay_CFLAGS = $(sim_check_cflags)
tests_unit_sim_check_replay_LDADD = $(sim_check_ldadd)
tests_unit_sim_check_sim_SOURCES = tests/unit/sim/check_sim.c \
	plugins/ctld/record/line.c
tests_unit_sim_check_sim_CFLAGS = $(sim_check_cflags)
tests_unit_sim_check_sim_LDADD = $(sim_check_ldadd)
tests_unit_sim_check_trace_CFLAGS = $(sim_check_cflags)
tests_unit_sim_check_trace_LDADD = $(sim_check_ldadd)
endif
