# SPDX-License-Identifier: GPL-2.0-or-later
# Bookings outlive kill -9: as root, some minutes; hours by CRASH_FLAGS.
EXTRA_DIST += tests/crash
dist_check_SCRIPTS += tests/crash/check
TESTS += tests/crash/check
check_PROGRAMS += tests/crash/store_writer
tests_crash_store_writer_SOURCES = tests/crash/store_writer.c \
	plugins/ctld/durable/store.c
tests_crash_store_writer_LDADD = common/librspbcommon.la

CRASH_FLAGS =
check-crash: all
	$(top_srcdir)/tests/crash/run $(CRASH_FLAGS)
.PHONY: check-crash
