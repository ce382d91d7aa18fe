# SPDX-License-Identifier: GPL-2.0-or-later
# The calendar page, in a browser.
EXTRA_DIST += tests/calendar/check_calendar.py tests/calendar/document.py \
	tests/calendar/webdriver.py
dist_check_SCRIPTS += tests/calendar/check-calendar
TESTS += tests/calendar/check-calendar

check_PROGRAMS += tests/calendar/page
tests_calendar_page_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_calendar_page_SOURCES = tests/calendar/page.c
tests_calendar_page_LDADD = contrib/calendar/libcalendar.la \
	common/librspbcommon.la $(JSON_C_LIBS)
