# SPDX-License-Identifier: GPL-2.0-or-later
# Files of slurmctld, room by room; each room may use those before it.
plugins_librspb_la_SOURCES += \
	plugins/ctld/base/audit.c \
	plugins/ctld/base/errand.c plugins/ctld/base/errand.h \
	plugins/ctld/base/kept.c \
	plugins/ctld/base/lengths.c \
	plugins/ctld/base/report.c plugins/ctld/base/report.h \
	plugins/ctld/base/saver.c plugins/ctld/base/saver.h \
	plugins/ctld/base/section.c plugins/ctld/base/section.h \
	plugins/ctld/base/settings.c plugins/ctld/base/settings.h \
	plugins/ctld/base/state.h \
	plugins/ctld/base/tally.c plugins/ctld/base/tally.h \
	plugins/ctld/base/wake.c plugins/ctld/base/wake.h \
	plugins/ctld/base/walk.c \
	plugins/ctld/base/worker.c
plugins_librspb_la_SOURCES += \
	plugins/ctld/record/durable.c plugins/ctld/record/durable.h \
	plugins/ctld/record/left.c plugins/ctld/record/left.h \
	plugins/ctld/record/line.c plugins/ctld/record/line.h \
	plugins/ctld/record/note.c \
	plugins/ctld/record/promise.c plugins/ctld/record/promise.h \
	plugins/ctld/record/replay.c plugins/ctld/record/replay.h \
	plugins/ctld/record/state.h \
	plugins/ctld/record/store.c plugins/ctld/record/store.h \
	plugins/ctld/record/writer.c plugins/ctld/record/writer.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/book/beside.c \
	plugins/ctld/book/book.c plugins/ctld/book/book.h \
	plugins/ctld/book/capacity.c \
	plugins/ctld/book/gap.c \
	plugins/ctld/book/kind.c plugins/ctld/book/kind.h \
	plugins/ctld/book/licenses.c \
	plugins/ctld/book/no_show.c plugins/ctld/book/no_show.h \
	plugins/ctld/book/occupancy.c plugins/ctld/book/occupancy.h \
	plugins/ctld/book/occupancy_block.c \
	plugins/ctld/book/occupancy_jobs.c \
	plugins/ctld/book/placed.c \
	plugins/ctld/book/published.c \
	plugins/ctld/book/reserved.c \
	plugins/ctld/book/state.h \
	plugins/ctld/book/view.c
plugins_librspb_la_SOURCES += \
	plugins/ctld/post/event.c \
	plugins/ctld/post/letters.c plugins/ctld/post/letters.h \
	plugins/ctld/post/messenger.c \
	plugins/ctld/post/outbox.c \
	plugins/ctld/post/postman.c \
	plugins/ctld/post/program.c \
	plugins/ctld/post/reminders.c \
	plugins/ctld/post/state.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/request/ask.c plugins/ctld/request/ask.h \
	plugins/ctld/request/cores.c \
	plugins/ctld/request/directory.c \
	plugins/ctld/request/limits.c \
	plugins/ctld/request/numbers.c \
	plugins/ctld/request/part.c plugins/ctld/request/part.h \
	plugins/ctld/request/state.h \
	plugins/ctld/request/turns.c \
	plugins/ctld/request/uneven.c \
	plugins/ctld/request/users.c plugins/ctld/request/users.h \
	plugins/ctld/request/want.c \
	plugins/ctld/request/window.c
plugins_librspb_la_SOURCES += \
	plugins/ctld/decide/basis.c plugins/ctld/decide/basis.h \
	plugins/ctld/decide/batch.c plugins/ctld/decide/batch.h \
	plugins/ctld/decide/commit.c \
	plugins/ctld/decide/decision.c \
	plugins/ctld/decide/holds.c \
	plugins/ctld/decide/node_wait.c \
	plugins/ctld/decide/preempt.c \
	plugins/ctld/decide/proposal.c plugins/ctld/decide/proposal.h \
	plugins/ctld/decide/recount.c \
	plugins/ctld/decide/redecision.c \
	plugins/ctld/decide/replan.c \
	plugins/ctld/decide/suits.c \
	plugins/ctld/decide/state.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/mirror/contract.c plugins/ctld/mirror/contract.h \
	plugins/ctld/mirror/mirror.c plugins/ctld/mirror/mirror.h \
	plugins/ctld/mirror/resv.c plugins/ctld/mirror/resv.h \
	plugins/ctld/mirror/state.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/observe/after.c \
	plugins/ctld/observe/changed.c plugins/ctld/observe/changed.h \
	plugins/ctld/observe/dependents.c \
	plugins/ctld/observe/doubts.c \
	plugins/ctld/observe/edit.c \
	plugins/ctld/observe/finish.c plugins/ctld/observe/finish.h \
	plugins/ctld/observe/following.h \
	plugins/ctld/observe/intake.c plugins/ctld/observe/intake.h \
	plugins/ctld/observe/late.c \
	plugins/ctld/observe/lifecycle.c \
	plugins/ctld/observe/outcome.c plugins/ctld/observe/outcome.h \
	plugins/ctld/observe/recheck.c \
	plugins/ctld/observe/refuse.c \
	plugins/ctld/observe/state.h \
	plugins/ctld/observe/update.c
plugins_librspb_la_SOURCES += \
	plugins/ctld/start/launch.c plugins/ctld/start/launch.h \
	plugins/ctld/start/make_way.c \
	plugins/ctld/start/occupants.c \
	plugins/ctld/start/state.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/kinds/answer.c \
	plugins/ctld/kinds/change.c \
	plugins/ctld/kinds/group.c \
	plugins/ctld/kinds/job.c plugins/ctld/kinds/job.h \
	plugins/ctld/kinds/lost.c \
	plugins/ctld/kinds/message.c \
	plugins/ctld/kinds/operator.h \
	plugins/ctld/kinds/orphan.c \
	plugins/ctld/kinds/promise.c \
	plugins/ctld/kinds/recover.c plugins/ctld/kinds/recover.h \
	plugins/ctld/kinds/redo.c \
	plugins/ctld/kinds/request.c \
	plugins/ctld/kinds/state.h \
	plugins/ctld/kinds/usage.c plugins/ctld/kinds/usage.h \
	plugins/ctld/kinds/use_table.c plugins/ctld/kinds/use_table.h \
	plugins/ctld/kinds/watch.c plugins/ctld/kinds/watch.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/watch/aside.c \
	plugins/ctld/watch/comeback.c \
	plugins/ctld/watch/grow.c \
	plugins/ctld/watch/recover.c \
	plugins/ctld/watch/requeued.c \
	plugins/ctld/watch/rescue.c \
	plugins/ctld/watch/sooner.c \
	plugins/ctld/watch/state.h \
	plugins/ctld/watch/threat.c \
	plugins/ctld/watch/watch.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/serve/anew.c \
	plugins/ctld/serve/bargain.c \
	plugins/ctld/serve/calendar.c \
	plugins/ctld/serve/change.c \
	plugins/ctld/serve/changes.c \
	plugins/ctld/serve/figures.c \
	plugins/ctld/serve/inquiry.c plugins/ctld/serve/inquiry.h \
	plugins/ctld/serve/lines.c \
	plugins/ctld/serve/listing.c \
	plugins/ctld/serve/owner.c \
	plugins/ctld/serve/owners.h \
	plugins/ctld/serve/picture.c plugins/ctld/serve/picture.h \
	plugins/ctld/serve/reads.c plugins/ctld/serve/reads.h \
	plugins/ctld/serve/reserve.c \
	plugins/ctld/serve/server.c plugins/ctld/serve/server.h \
	plugins/ctld/serve/share_change.c \
	plugins/ctld/serve/slot_filter.c \
	plugins/ctld/serve/slots.c \
	plugins/ctld/serve/state.h \
	plugins/ctld/serve/terms.c \
	plugins/ctld/serve/wish.c \
	plugins/ctld/serve/work.c
plugins_librspb_la_SOURCES += \
	plugins/ctld/advice.c \
	plugins/ctld/agent.c plugins/ctld/agent.h \
	plugins/ctld/answer.c \
	plugins/ctld/broker.c plugins/ctld/broker.h \
	plugins/ctld/controller.c plugins/ctld/controller.h
