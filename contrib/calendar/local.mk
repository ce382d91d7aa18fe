# SPDX-License-Identifier: GPL-2.0-or-later
# The page that rspb fills with bookings: one file of all these, as C.
page_files = \
	contrib/calendar/page.html contrib/calendar/style.css \
	contrib/calendar/model.js contrib/calendar/slots.js \
	contrib/calendar/paint.js contrib/calendar/table.js \
	contrib/calendar/input.js contrib/calendar/app.js \
	contrib/calendar/d3/LICENSE \
	contrib/calendar/d3/internmap.min.js \
	contrib/calendar/d3/d3-array.min.js \
	contrib/calendar/d3/d3-color.min.js \
	contrib/calendar/d3/d3-dispatch.min.js \
	contrib/calendar/d3/d3-drag.min.js \
	contrib/calendar/d3/d3-ease.min.js \
	contrib/calendar/d3/d3-format.min.js \
	contrib/calendar/d3/d3-interpolate.min.js \
	contrib/calendar/d3/d3-scale.min.js \
	contrib/calendar/d3/d3-selection.min.js \
	contrib/calendar/d3/d3-time.min.js \
	contrib/calendar/d3/d3-time-format.min.js \
	contrib/calendar/d3/d3-timer.min.js \
	contrib/calendar/d3/d3-transition.min.js \
	contrib/calendar/d3/d3-zoom.min.js
EXTRA_DIST += $(page_files) contrib/calendar/assemble.awk
CLEANFILES += contrib/calendar/page_text.c

contrib/calendar/page_text.c: $(page_files) contrib/calendar/assemble.awk
	$(AM_V_GEN)$(MKDIR_P) contrib/calendar && { \
	echo 'extern const char rspb_page_text[];' && \
	echo 'const char rspb_page_text[] = {' && \
	awk -v dir=$(srcdir)/contrib/calendar \
		-f $(srcdir)/contrib/calendar/assemble.awk \
		$(srcdir)/contrib/calendar/page.html | od -An -v -to1 | \
		sed 's/ \([0-7]*\)/0\1,/g' && \
	echo '0};'; } >$@.tmp && mv $@.tmp $@

noinst_LTLIBRARIES += contrib/calendar/libcalendar.la
contrib_calendar_libcalendar_la_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
contrib_calendar_libcalendar_la_SOURCES = contrib/calendar/page.c \
	contrib/calendar/page.h
nodist_contrib_calendar_libcalendar_la_SOURCES = contrib/calendar/page_text.c
