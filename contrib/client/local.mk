# SPDX-License-Identifier: GPL-2.0-or-later
# rspb, the client of the broker's socket.
bin_PROGRAMS += contrib/client/rspb
contrib_client_rspb_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(MUNGE_CFLAGS) \
	$(ICAL_CFLAGS) $(MICROHTTPD_CFLAGS)
contrib_client_rspb_LDADD = contrib/calendar/libcalendar.la \
	common/librspbcommon.la $(JSON_C_LIBS) \
	$(MUNGE_LIBS) $(ICAL_LIBS) $(MICROHTTPD_LIBS)
contrib_client_rspb_SOURCES = \
	contrib/client/cancel.c contrib/client/check.c \
	contrib/client/client.c contrib/client/client.h \
	contrib/client/command.c contrib/client/command.h \
	contrib/client/conf.c \
	contrib/client/group.c contrib/client/group.h \
	contrib/client/limits.c contrib/client/list.c contrib/client/main.c \
	contrib/client/moment.c contrib/client/moment.h \
	contrib/client/output.c contrib/client/output.h \
	contrib/client/offers.c contrib/client/modify.c contrib/client/request.c \
	contrib/client/repeat.c contrib/client/repeat.h \
	contrib/client/replicas.c contrib/client/replicas.h \
	contrib/client/series.c contrib/client/series.h \
	contrib/client/submit.c contrib/client/submit.h \
	contrib/client/send.c contrib/client/show.c \
	contrib/client/slots.c \
	contrib/client/who.c contrib/client/who.h \
	contrib/client/wish.c contrib/client/wish.h \
	contrib/client/words.c contrib/client/words.h \
	contrib/client/site.c contrib/client/site.h \
	contrib/client/prometheus.c contrib/client/prometheus.h \
	contrib/client/stats.c \
	contrib/client/beyond/advise.c \
	contrib/client/beyond/history.c contrib/client/beyond/history.h \
	contrib/client/beyond/clusters.c contrib/client/beyond/clusters.h \
	contrib/client/beyond/plans.c contrib/client/beyond/plans.h \
	contrib/client/beyond/sites.c contrib/client/beyond/sites.h \
	contrib/client/draw/axis.c contrib/client/draw/axis.h \
	contrib/client/draw/calendar.c contrib/client/draw/calendar.h \
	contrib/client/draw/chart.c contrib/client/draw/chart.h \
	contrib/client/draw/lanes.c contrib/client/draw/lanes.h \
	contrib/client/draw/svg.c contrib/client/draw/svg.h \
	contrib/client/draw/svg_words.c contrib/client/draw/svg_words.h \
	contrib/client/web/gate.c contrib/client/web/gate.h \
	contrib/client/web/metrics.c \
	contrib/client/web/listener.c contrib/client/web/listener.h \
	contrib/client/web/submit_job.c contrib/client/web/submit_job.h \
	contrib/client/web/desk.c contrib/client/web/desk.h \
	contrib/client/web/changes.c contrib/client/web/changes.h \
	contrib/client/web/web.c contrib/client/web/web.h contrib/client/web/timeline.c \
	plugins/wire/credential.c plugins/wire/credential.h \
	plugins/wire/frame.c plugins/wire/frame.h

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = contrib/completions/rspb
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = contrib/completions/_rspb
