# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of the value types, the grammar and the settings.
if HAVE_CHECK
values_tests = \
	tests/unit/request/check_benefit \
	tests/unit/request/check_booking \
	tests/unit/conf/check_config \
	tests/unit/conf/check_hours \
	tests/unit/conf/check_limits \
	tests/unit/conf/check_rules \
	tests/unit/wire/check_flags \
	tests/unit/wire/check_tag \
	tests/unit/wire/check_moldable \
	tests/unit/wire/check_stage \
	tests/unit/wire/check_unfold \
	tests/unit/wire/check_json \
	tests/unit/wire/check_gres \
	tests/unit/wire/check_odd \
	tests/unit/wire/check_zone \
	tests/unit/request/check_request \
	tests/unit/request/check_spread \
	tests/unit/base/check_array \
	tests/unit/base/check_hash \
	tests/unit/client/check_chart \
	tests/unit/client/check_moment \
	tests/unit/client/check_history \
	tests/unit/client/check_repeat \
	tests/unit/client/check_replicas \
	tests/unit/base/check_text \
	tests/unit/ctld/check_event \
	tests/unit/ctld/check_gap \
	tests/unit/ctld/check_inquiry \
	tests/unit/ctld/check_lines \
	tests/unit/ctld/check_after \
	tests/unit/ctld/check_changed \
	tests/unit/ctld/check_reserved \
	tests/unit/ctld/check_left \
	tests/unit/ctld/check_no_show \
	tests/unit/ctld/check_placed \
	tests/unit/ctld/check_promise \
	tests/unit/ctld/check_occupancy \
	tests/unit/ctld/check_outbox \
	tests/unit/ctld/check_section \
	tests/unit/ctld/check_since \
	tests/unit/ctld/check_replaced \
	tests/unit/ctld/check_store \
	tests/unit/ctld/check_users \
	tests/unit/ctld/check_view \
	tests/unit/ctld/check_wake
check_PROGRAMS += $(values_tests)
TESTS += $(values_tests)

values_check_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS)
values_check_ldadd = $(tested) $(CHECK_LIBS)

tests_unit_request_check_benefit_CFLAGS = $(values_check_cflags)
tests_unit_request_check_benefit_LDADD = $(values_check_ldadd)
tests_unit_request_check_booking_CFLAGS = $(values_check_cflags)
tests_unit_request_check_booking_LDADD = $(values_check_ldadd)
tests_unit_client_check_chart_CFLAGS = $(values_check_cflags) $(JSON_C_CFLAGS) \
	$(MUNGE_CFLAGS)
tests_unit_client_check_chart_SOURCES = tests/unit/client/check_chart.c \
	contrib/client/draw/axis.c contrib/client/draw/axis.h \
	contrib/client/draw/chart.c contrib/client/draw/chart.h contrib/client/client.c \
	contrib/client/who.c contrib/client/who.h \
	contrib/client/client.h \
	contrib/client/site.c contrib/client/site.h \
	plugins/wire/credential.c plugins/wire/credential.h \
	plugins/wire/frame.c plugins/wire/frame.h
tests_unit_client_check_chart_LDADD = common/librspbcommon.la $(JSON_C_LIBS) \
	$(MUNGE_LIBS) $(CHECK_LIBS)
tests_unit_client_check_moment_CFLAGS = $(values_check_cflags)
tests_unit_client_check_moment_SOURCES = tests/unit/client/check_moment.c \
	contrib/client/moment.c contrib/client/moment.h \
	contrib/client/words.c contrib/client/words.h
tests_unit_client_check_moment_LDADD = $(values_check_ldadd)
# Its clock is also that of Slurm's library.
tests_unit_client_check_moment_LDFLAGS = -export-dynamic
tests_unit_client_check_history_CFLAGS = $(values_check_cflags)
tests_unit_client_check_history_SOURCES = \
	tests/unit/client/check_history.c \
	contrib/client/beyond/history.c
tests_unit_client_check_history_LDADD = $(values_check_ldadd)
tests_unit_client_check_replicas_CFLAGS = $(values_check_cflags)
tests_unit_client_check_replicas_SOURCES = \
	tests/unit/client/check_replicas.c \
	contrib/client/replicas.c contrib/client/replicas.h
tests_unit_client_check_replicas_LDADD = $(values_check_ldadd)
tests_unit_client_check_repeat_CFLAGS = $(values_check_cflags) $(ICAL_CFLAGS)
tests_unit_client_check_repeat_SOURCES = tests/unit/client/check_repeat.c \
	contrib/client/repeat.c contrib/client/repeat.h
tests_unit_client_check_repeat_LDADD = common/librspbcommon.la $(ICAL_LIBS) \
	$(CHECK_LIBS)
tests_unit_conf_check_config_CFLAGS = $(values_check_cflags)
tests_unit_conf_check_config_LDADD = $(values_check_ldadd)
tests_unit_conf_check_hours_CFLAGS = $(values_check_cflags)
tests_unit_conf_check_hours_LDADD = $(values_check_ldadd)
tests_unit_conf_check_rules_CFLAGS = $(values_check_cflags)
tests_unit_conf_check_rules_LDADD = $(values_check_ldadd)
tests_unit_conf_check_limits_CFLAGS = $(values_check_cflags)
tests_unit_conf_check_limits_LDADD = $(values_check_ldadd)
tests_unit_wire_check_flags_CFLAGS = $(values_check_cflags)
tests_unit_wire_check_tag_CFLAGS = $(values_check_cflags)
tests_unit_wire_check_moldable_CFLAGS = $(values_check_cflags)
tests_unit_wire_check_moldable_LDADD = $(values_check_ldadd)
tests_unit_wire_check_stage_CFLAGS = $(values_check_cflags)
tests_unit_wire_check_flags_LDADD = $(values_check_ldadd)
tests_unit_wire_check_tag_LDADD = $(values_check_ldadd)
tests_unit_wire_check_stage_LDADD = $(values_check_ldadd)
tests_unit_wire_check_unfold_CFLAGS = $(values_check_cflags)
tests_unit_wire_check_unfold_LDADD = $(values_check_ldadd)
tests_unit_wire_check_gres_CFLAGS = $(values_check_cflags)
tests_unit_wire_check_gres_LDADD = $(values_check_ldadd)
tests_unit_wire_check_zone_CFLAGS = $(values_check_cflags)
tests_unit_wire_check_zone_LDADD = $(values_check_ldadd)
tests_unit_wire_check_json_CFLAGS = $(values_check_cflags) $(JSON_C_CFLAGS)
tests_unit_wire_check_json_LDADD = contrib/sim/librspbsim.la $(CHECK_LIBS)
tests_unit_request_check_request_CFLAGS = $(values_check_cflags)
tests_unit_request_check_request_LDADD = $(values_check_ldadd)
tests_unit_request_check_spread_CFLAGS = $(values_check_cflags)
tests_unit_request_check_spread_LDADD = $(values_check_ldadd)
tests_unit_wire_check_odd_CFLAGS = $(values_check_cflags)
tests_unit_wire_check_odd_LDADD = $(values_check_ldadd)
tests_unit_base_check_array_CFLAGS = $(values_check_cflags)
tests_unit_base_check_array_LDADD = $(values_check_ldadd)
tests_unit_base_check_hash_CFLAGS = $(values_check_cflags)
tests_unit_base_check_hash_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_inquiry_CFLAGS = $(values_check_cflags) $(JSON_C_CFLAGS)
tests_unit_ctld_check_inquiry_LDADD = $(values_check_ldadd) $(JSON_C_LIBS)
tests_unit_ctld_check_inquiry_SOURCES = tests/unit/ctld/check_inquiry.c \
	plugins/ctld/serve/inquiry.c plugins/wire/strict.c
tests_unit_ctld_check_lines_CFLAGS = $(values_check_cflags)
tests_unit_ctld_check_lines_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_lines_SOURCES = tests/unit/ctld/check_lines.c \
	plugins/ctld/serve/lines.c \
	plugins/wire/frame.c
tests_unit_ctld_check_after_CFLAGS = $(values_check_cflags)
tests_unit_ctld_check_after_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_after_SOURCES = tests/unit/ctld/check_after.c \
	plugins/ctld/observe/after.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_reserved_CFLAGS = $(values_check_cflags)
tests_unit_ctld_check_reserved_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_reserved_SOURCES = \
	tests/unit/ctld/check_reserved.c plugins/ctld/book/reserved.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_event_CFLAGS = $(values_check_cflags) $(JSON_C_CFLAGS)
tests_unit_ctld_check_event_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_event_SOURCES = tests/unit/ctld/check_event.c \
	plugins/ctld/post/event.c
tests_unit_ctld_check_gap_CFLAGS = $(values_check_cflags) $(JSON_C_CFLAGS)
tests_unit_ctld_check_gap_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_gap_SOURCES = tests/unit/ctld/check_gap.c \
	plugins/ctld/book/gap.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_changed_CFLAGS = $(values_check_cflags) $(JSON_C_CFLAGS)
tests_unit_ctld_check_changed_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_changed_SOURCES = tests/unit/ctld/check_changed.c \
	plugins/ctld/base/walk.c plugins/ctld/observe/changed.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_left_CFLAGS = $(values_check_cflags) $(JSON_C_CFLAGS)
tests_unit_ctld_check_left_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_left_SOURCES = tests/unit/ctld/check_left.c \
	plugins/ctld/record/left.c \
	plugins/ctld/record/promise.c plugins/ctld/record/store.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_outbox_CFLAGS = $(values_check_cflags) $(JSON_C_CFLAGS)
tests_unit_ctld_check_outbox_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_outbox_SOURCES = tests/unit/ctld/check_outbox.c \
	plugins/ctld/post/outbox.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_placed_CFLAGS = $(values_check_cflags)
tests_unit_ctld_check_placed_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_placed_SOURCES = tests/unit/ctld/check_placed.c \
	plugins/ctld/book/placed.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_no_show_CFLAGS = $(values_check_cflags) $(JSON_C_CFLAGS)
tests_unit_ctld_check_no_show_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_no_show_SOURCES = tests/unit/ctld/check_no_show.c \
	plugins/ctld/book/no_show.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_section_CFLAGS = $(values_check_cflags)
tests_unit_ctld_check_section_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_section_SOURCES = tests/unit/ctld/check_section.c \
	plugins/ctld/base/lengths.c \
	plugins/ctld/base/section.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_occupancy_CFLAGS = $(values_check_cflags) $(JSON_C_CFLAGS)
tests_unit_ctld_check_occupancy_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_occupancy_SOURCES = tests/unit/ctld/check_occupancy.c \
	plugins/ctld/book/gap.c plugins/ctld/book/occupancy_block.c \
	plugins/ctld/book/occupancy_jobs.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_since_CFLAGS = $(values_check_cflags)
tests_unit_ctld_check_since_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_since_SOURCES = tests/unit/ctld/check_since.c \
	plugins/ctld/book/placed.c \
	plugins/ctld/decide/basis.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_promise_CFLAGS = $(values_check_cflags) $(JSON_C_CFLAGS)
tests_unit_ctld_check_promise_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_promise_SOURCES = tests/unit/ctld/check_promise.c \
	plugins/ctld/record/promise.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_replaced_CFLAGS = $(values_check_cflags)
tests_unit_ctld_check_replaced_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_replaced_SOURCES = tests/unit/ctld/check_replaced.c \
	plugins/ctld/record/store.c
tests_unit_ctld_check_store_CFLAGS = $(values_check_cflags)
tests_unit_ctld_check_store_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_store_SOURCES = tests/unit/ctld/check_store.c \
	plugins/ctld/record/store.c
tests_unit_ctld_check_users_CFLAGS = $(values_check_cflags)
tests_unit_ctld_check_users_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_users_SOURCES = tests/unit/ctld/check_users.c \
	plugins/ctld/base/errand.c \
	plugins/ctld/base/worker.c plugins/ctld/request/users.c \
	plugins/ctld/controller.c
tests_unit_ctld_check_wake_CFLAGS = $(values_check_cflags)
tests_unit_ctld_check_wake_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_wake_SOURCES = tests/unit/ctld/check_wake.c \
	plugins/ctld/base/wake.c plugins/ctld/base/worker.c \
	plugins/ctld/controller.c
tests_unit_base_check_text_CFLAGS = $(values_check_cflags)
tests_unit_base_check_text_LDADD = $(values_check_ldadd)
endif

AM_TESTS_ENVIRONMENT += CC='$(CC)'; export CC;
if HAVE_CHECK
AM_TESTS_ENVIRONMENT += HAVE_CHECK=yes; export HAVE_CHECK;
endif
if BUILD_PLUGINS
AM_TESTS_ENVIRONMENT += SLURM_SRC='$(SLURM_SRC)'; SLURMCTLD='$(SLURMCTLD)'; \
	SLURM_CPPFLAGS='$(SLURM_CPPFLAGS)'; SLURM_FEATURES='$(SLURM_FEATURES)'; \
	SLURM_VERSION='$(SLURM_VERSION_STRING)'; \
	export SLURM_SRC SLURMCTLD SLURM_CPPFLAGS SLURM_FEATURES SLURM_VERSION;
endif

# Every unit test and fuzz target under valgrind.
EXTRA_DIST += tests/rules/under-valgrind
check-valgrind: $(check_PROGRAMS)
	LIBTOOL='$(LIBTOOL)' srcdir='$(srcdir)' \
		$(srcdir)/tests/rules/under-valgrind $(check_PROGRAMS)
.PHONY: check-valgrind
tests_unit_ctld_check_view_CFLAGS = $(values_check_cflags)
tests_unit_ctld_check_view_LDADD = $(values_check_ldadd)
tests_unit_ctld_check_view_SOURCES = tests/unit/ctld/check_view.c \
	plugins/ctld/book/view.c \
	plugins/ctld/controller.c
