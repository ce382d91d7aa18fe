# SPDX-License-Identifier: GPL-2.0-or-later
# Programs with threads under ThreadSanitizer (tests/races/races.h). A new one:
# tests/races/race_NAME.c, with the files that it is about.
race_flags = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(THREAD_SANITIZER) -pthread
race_programs = \
	tests/races/race_aside \
	tests/races/race_base \
	tests/races/race_batch \
	tests/races/race_book \
	tests/races/race_errand \
	tests/races/race_no_show \
	tests/races/race_messenger \
	tests/races/race_nothing \
	tests/races/race_placed \
	tests/races/race_saver \
	tests/races/race_server \
	tests/races/race_settings \
	tests/races/race_tally \
	tests/races/race_users \
	tests/races/race_writer
# What owners change is read with Slurm's headers.
if BUILD_PLUGINS
race_programs += tests/races/race_noted
endif
check_PROGRAMS += $(race_programs)
dist_check_SCRIPTS += tests/races/run
TESTS += tests/races/run
EXTRA_DIST += tests/races/races.h

tests_races_race_nothing_CFLAGS = $(race_flags)
tests_races_race_nothing_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_aside_CFLAGS = $(race_flags)
tests_races_race_aside_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_aside_LDADD = common/librspbcommon.la
tests_races_race_aside_SOURCES = tests/races/race_aside.c \
	plugins/ctld/watch/aside.c \
	plugins/ctld/controller.c
tests_races_race_placed_CFLAGS = $(race_flags)
tests_races_race_placed_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_placed_LDADD = common/librspbcommon.la
tests_races_race_placed_SOURCES = tests/races/race_placed.c \
	plugins/ctld/book/placed.c \
	plugins/ctld/controller.c
tests_races_race_no_show_CFLAGS = $(race_flags)
tests_races_race_no_show_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_no_show_LDADD = common/librspbcommon.la
tests_races_race_no_show_SOURCES = tests/races/race_no_show.c \
	plugins/ctld/book/no_show.c \
	plugins/ctld/controller.c
tests_races_race_server_CFLAGS = $(race_flags)
tests_races_race_server_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_server_LDADD = common/librspbcommon.la
tests_races_race_server_SOURCES = tests/races/race_server.c \
	plugins/ctld/base/worker.c \
	plugins/ctld/serve/lines.c \
	plugins/ctld/serve/server.c plugins/wire/frame.c \
	plugins/ctld/controller.c
tests_races_race_messenger_CFLAGS = $(race_flags)
tests_races_race_messenger_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_messenger_LDADD = common/librspbcommon.la
tests_races_race_messenger_SOURCES = tests/races/race_messenger.c \
	plugins/ctld/base/errand.c \
	plugins/ctld/base/worker.c plugins/ctld/post/messenger.c \
	plugins/ctld/controller.c
tests_races_race_errand_CFLAGS = $(race_flags)
tests_races_race_errand_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_errand_LDADD = common/librspbcommon.la
tests_races_race_errand_SOURCES = tests/races/race_errand.c \
	plugins/ctld/base/errand.c plugins/ctld/base/worker.c
tests_races_race_base_CFLAGS = $(race_flags)
tests_races_race_base_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_base_LDADD = common/librspbcommon.la
tests_races_race_base_SOURCES = tests/races/race_base.c \
	plugins/ctld/base/lengths.c \
	plugins/ctld/base/wake.c plugins/ctld/base/worker.c \
	plugins/ctld/controller.c
tests_races_race_users_CFLAGS = $(race_flags)
tests_races_race_users_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_users_LDADD = common/librspbcommon.la
tests_races_race_users_SOURCES = tests/races/race_users.c \
	plugins/ctld/base/errand.c \
	plugins/ctld/base/worker.c plugins/ctld/request/users.c \
	plugins/ctld/controller.c
tests_races_race_saver_CFLAGS = $(race_flags)
tests_races_race_saver_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_saver_LDADD = common/librspbcommon.la
tests_races_race_saver_SOURCES = tests/races/race_saver.c \
	plugins/ctld/base/errand.c \
	plugins/ctld/base/saver.c plugins/ctld/base/worker.c \
	plugins/ctld/controller.c
tests_races_race_settings_CFLAGS = $(race_flags)
tests_races_race_settings_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_settings_LDADD = common/librspbcommon.la
tests_races_race_settings_SOURCES = tests/races/race_settings.c \
	plugins/ctld/base/settings.c plugins/ctld/base/audit.c \
	plugins/ctld/controller.c
tests_races_race_tally_CFLAGS = $(race_flags)
tests_races_race_tally_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_tally_LDADD = common/librspbcommon.la
tests_races_race_tally_SOURCES = tests/races/race_tally.c \
	plugins/ctld/base/lengths.c plugins/ctld/base/tally.c \
	plugins/ctld/controller.c
tests_races_race_writer_CFLAGS = $(race_flags)
tests_races_race_writer_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_writer_LDADD = common/librspbcommon.la
tests_races_race_writer_SOURCES = tests/races/race_writer.c \
	plugins/ctld/base/lengths.c plugins/ctld/base/worker.c \
	plugins/ctld/record/writer.c \
	plugins/ctld/controller.c
tests_races_race_batch_CFLAGS = $(race_flags)
tests_races_race_batch_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_batch_LDADD = common/librspbcommon.la
tests_races_race_batch_SOURCES = tests/races/race_batch.c \
	plugins/ctld/decide/batch.c \
	plugins/ctld/controller.c
# With a ledger that ThreadSanitizer sees, too.
tests_races_race_book_CPPFLAGS = $(AM_CPPFLAGS) -DRSPB_WIDE_STATIC=
tests_races_race_book_CFLAGS = $(race_flags)
tests_races_race_book_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_book_LDADD = common/librspbcommon.la
tests_races_race_book_SOURCES = tests/races/race_book.c \
	$(base_sources) $(calendar_sources) $(shares_sources) \
	$(request_sources) $(ledger_sources) \
	plugins/ctld/book/beside.c \
	plugins/ctld/book/book.c plugins/ctld/book/gap.c \
	plugins/ctld/book/published.c plugins/ctld/book/view.c \
	plugins/ctld/book/licenses.c \
	plugins/ctld/controller.c
tests_races_race_noted_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_races_race_noted_CFLAGS = $(race_flags)
tests_races_race_noted_LDFLAGS = $(THREAD_SANITIZER)
tests_races_race_noted_LDADD = common/librspbcommon.la
tests_races_race_noted_SOURCES = tests/races/race_noted.c \
	plugins/ctld/base/wake.c \
	plugins/ctld/base/walk.c plugins/ctld/base/worker.c \
	plugins/ctld/observe/changed.c \
	plugins/ctld/observe/update.c plugins/ctld/serve/owner.c \
	plugins/ctld/serve/share_change.c \
	plugins/ctld/controller.c
