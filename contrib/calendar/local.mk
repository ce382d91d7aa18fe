# SPDX-License-Identifier: GPL-2.0-or-later
# The page that rspb fills with bookings: one file of all these, as C.
page_files = \
	contrib/calendar/page.html contrib/calendar/style.css \
	contrib/calendar/scale.js contrib/calendar/model.js \
	contrib/calendar/slots.js contrib/calendar/paint.js \
	contrib/calendar/occupancy.js \
	contrib/calendar/commands.js contrib/calendar/table.js \
	contrib/calendar/input.js contrib/calendar/app.js \
	contrib/calendar/cursor.js contrib/calendar/brief.js \
	contrib/calendar/filter.js contrib/calendar/start.js
# The same page as rspb web serves it: markup, style and scripts by themselves.
web_scripts = \
	contrib/calendar/scale.js contrib/calendar/model.js \
	contrib/calendar/slots.js contrib/calendar/paint.js \
	contrib/calendar/occupancy.js \
	contrib/calendar/commands.js contrib/calendar/table.js \
	contrib/calendar/input.js contrib/calendar/app.js \
	contrib/calendar/cursor.js contrib/calendar/brief.js \
	contrib/calendar/filter.js contrib/calendar/api.js \
	contrib/calendar/form.js contrib/calendar/declined.js \
	contrib/calendar/drag.js contrib/calendar/whatif.js \
	contrib/calendar/book.js
web_styles = contrib/calendar/style.css contrib/calendar/form.css
EXTRA_DIST += $(page_files) contrib/calendar/assemble.awk contrib/calendar/web.awk \
	contrib/calendar/api.js contrib/calendar/form.js contrib/calendar/book.js \
	contrib/calendar/declined.js contrib/calendar/drag.js contrib/calendar/whatif.js \
	contrib/calendar/form.css
CLEANFILES += contrib/calendar/page_text.c contrib/calendar/web_text.c

contrib/calendar/page_text.c: $(page_files) contrib/calendar/assemble.awk
	$(AM_V_GEN)$(MKDIR_P) contrib/calendar && { \
	echo 'extern const char rspb_page_text[];' && \
	echo 'const char rspb_page_text[] = {' && \
	awk -v dir=$(srcdir)/contrib/calendar \
		-f $(srcdir)/contrib/calendar/assemble.awk \
		$(srcdir)/contrib/calendar/page.html | od -An -v -to1 | \
		sed 's/ \([0-7]*\)/0\1,/g' && \
	echo '0};'; } >$@.tmp && mv $@.tmp $@

as_c = od -An -v -to1 | sed 's/ \([0-7]*\)/0\1,/g'
contrib/calendar/web_text.c: $(web_scripts) $(web_styles) contrib/calendar/page.html \
		contrib/calendar/web.awk
	$(AM_V_GEN)$(MKDIR_P) contrib/calendar && { \
	echo '#include "contrib/calendar/web_text.h"' && \
	echo 'const char rspb_web_html[] = {' && \
	awk -f $(srcdir)/contrib/calendar/web.awk \
		$(srcdir)/contrib/calendar/page.html | $(as_c) && \
	echo '0}; const char rspb_web_css[] = {' && \
	for file in $(web_styles); do cat $(srcdir)/$$file; done | $(as_c) && \
	echo '0}; const char rspb_web_js[] = {' && \
	for file in $(web_scripts); do cat $(srcdir)/$$file; done | $(as_c) && \
	echo '0};'; } >$@.tmp && mv $@.tmp $@

noinst_LTLIBRARIES += contrib/calendar/libcalendar.la
contrib_calendar_libcalendar_la_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
contrib_calendar_libcalendar_la_SOURCES = contrib/calendar/page.c \
	contrib/calendar/page.h contrib/calendar/web_text.h
nodist_contrib_calendar_libcalendar_la_SOURCES = contrib/calendar/page_text.c \
	contrib/calendar/web_text.c
