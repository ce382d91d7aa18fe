# SPDX-License-Identifier: GPL-2.0-or-later
# What lives once in slurmctld, room by room; each may use those before it.
plugins_librspb_la_SOURCES += \
	plugins/ctld/base/report.c plugins/ctld/base/report.h \
	plugins/ctld/base/saver.c plugins/ctld/base/saver.h \
	plugins/ctld/base/section.c plugins/ctld/base/section.h \
	plugins/ctld/base/settings.c plugins/ctld/base/settings.h \
	plugins/ctld/base/wake.c plugins/ctld/base/wake.h \
	plugins/ctld/base/worker.c plugins/ctld/base/worker.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/post/journal.c plugins/ctld/post/journal.h \
	plugins/ctld/post/journal_file.c plugins/ctld/post/journal_file.h \
	plugins/ctld/post/journal_writer.c \
	plugins/ctld/post/journal_writer.h \
	plugins/ctld/post/messenger.c plugins/ctld/post/messenger.h \
	plugins/ctld/post/notes.c plugins/ctld/post/notes.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/book/book.c plugins/ctld/book/book.h \
	plugins/ctld/book/capacity.c plugins/ctld/book/capacity.h \
	plugins/ctld/book/decide.c plugins/ctld/book/decide.h \
	plugins/ctld/book/occupancy.c plugins/ctld/book/occupancy.h \
	plugins/ctld/book/revision.c plugins/ctld/book/revision.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/requests/batch.c plugins/ctld/requests/batch.h \
	plugins/ctld/requests/limits.c plugins/ctld/requests/limits.h \
	plugins/ctld/requests/part.c plugins/ctld/requests/part.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/start/attempts.c plugins/ctld/start/attempts.h \
	plugins/ctld/start/launch.c plugins/ctld/start/launch.h \
	plugins/ctld/start/orphan.c plugins/ctld/start/orphan.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/jobs/commit.c plugins/ctld/jobs/commit.h \
	plugins/ctld/jobs/intake.c plugins/ctld/jobs/intake.h \
	plugins/ctld/jobs/lifecycle.c plugins/ctld/jobs/lifecycle.h \
	plugins/ctld/jobs/refuse.c plugins/ctld/jobs/refuse.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/shares/message.c plugins/ctld/shares/message.h \
	plugins/ctld/shares/spare.c plugins/ctld/shares/spare.h \
	plugins/ctld/shares/usage.c plugins/ctld/shares/usage.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/operators/change.c \
	plugins/ctld/operators/internal.h \
	plugins/ctld/operators/operator.h \
	plugins/ctld/operators/request.c \
	plugins/ctld/operators/watch.c
plugins_librspb_la_SOURCES += \
	plugins/ctld/watch/grow.c plugins/ctld/watch/grow.h \
	plugins/ctld/watch/recover.c plugins/ctld/watch/recover.h \
	plugins/ctld/watch/rescue.c plugins/ctld/watch/rescue.h \
	plugins/ctld/watch/share_change.c plugins/ctld/watch/share_change.h \
	plugins/ctld/watch/threat.c plugins/ctld/watch/threat.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/agent.c plugins/ctld/agent.h \
	plugins/ctld/broker.c plugins/ctld/broker.h
