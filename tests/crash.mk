# SPDX-License-Identifier: GPL-2.0-or-later
# Bookings outlive kill -9: as root, some minutes; hours by CRASH_FLAGS.
EXTRA_DIST += tests/crash/check_faults.py tests/crash/check_promises.py \
	tests/crash/check_store.py tests/crash/cluster.py tests/crash/driver.py \
	tests/crash/faults.c tests/crash/faults.h tests/crash/faults.py tests/crash/faults_disk.c \
	tests/crash/promises.py tests/crash/report.py tests/crash/run tests/crash/states.py \
	tests/crash/traffic.py
dist_check_SCRIPTS += tests/crash/check
TESTS += tests/crash/check
check_PROGRAMS += tests/crash/store_writer
tests_crash_store_writer_SOURCES = tests/crash/store_writer.c \
	plugins/ctld/record/store.c
tests_crash_store_writer_LDADD = common/librspbcommon.la

CRASH_FLAGS =
check-crash: all
	$(top_srcdir)/tests/crash/run $(CRASH_FLAGS)
.PHONY: check-crash
