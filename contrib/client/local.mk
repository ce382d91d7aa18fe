# SPDX-License-Identifier: GPL-2.0-or-later
# rspb, the client of the broker's socket.
bin_PROGRAMS += contrib/client/rspb
contrib_client_rspb_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(MUNGE_CFLAGS)
contrib_client_rspb_LDADD = common/librspbcommon.la $(JSON_C_LIBS) \
	$(MUNGE_LIBS)
contrib_client_rspb_SOURCES = \
	contrib/client/check.c \
	contrib/client/client.c contrib/client/client.h \
	contrib/client/command.c contrib/client/command.h \
	contrib/client/list.c contrib/client/main.c \
	contrib/client/output.c contrib/client/output.h \
	contrib/client/send.c contrib/client/show.c \
	contrib/client/site.c contrib/client/site.h \
	plugins/wire/credential.c plugins/wire/credential.h \
	plugins/wire/frame.c plugins/wire/frame.h
