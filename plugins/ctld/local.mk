# SPDX-License-Identifier: GPL-2.0-or-later
# What lives once in slurmctld, room by room; each may use those before it.
plugins_librspb_la_SOURCES += \
	plugins/ctld/base/audit.c plugins/ctld/base/audit.h \
	plugins/ctld/base/backoff.h \
	plugins/ctld/base/breath.c plugins/ctld/base/breath.h \
	plugins/ctld/base/errand.c plugins/ctld/base/errand.h \
	plugins/ctld/base/lengths.c plugins/ctld/base/lengths.h \
	plugins/ctld/base/kept.c plugins/ctld/base/kept.h \
	plugins/ctld/base/news.c plugins/ctld/base/news.h \
	plugins/ctld/base/queue.h \
	plugins/ctld/base/report.c plugins/ctld/base/report.h \
	plugins/ctld/base/saver.c plugins/ctld/base/saver.h \
	plugins/ctld/base/section.c plugins/ctld/base/section.h \
	plugins/ctld/base/settings.c plugins/ctld/base/settings.h \
	plugins/ctld/base/task.c plugins/ctld/base/task.h \
	plugins/ctld/base/wake.c plugins/ctld/base/wake.h \
	plugins/ctld/base/walk.c plugins/ctld/base/walk.h \
	plugins/ctld/base/worker.c plugins/ctld/base/worker.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/stats/tally.c plugins/ctld/stats/tally.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/post/messenger.c plugins/ctld/post/messenger.h \
	plugins/ctld/post/postman.c plugins/ctld/post/postman.h \
	plugins/ctld/post/program.c plugins/ctld/post/program.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/durable/durable.c plugins/ctld/durable/durable.h \
	plugins/ctld/durable/left.c plugins/ctld/durable/left.h \
	plugins/ctld/durable/line.c plugins/ctld/durable/line.h \
	plugins/ctld/durable/note.c plugins/ctld/durable/note.h \
	plugins/ctld/durable/promise.c plugins/ctld/durable/promise.h \
	plugins/ctld/durable/replay.c plugins/ctld/durable/replay.h \
	plugins/ctld/durable/store.c plugins/ctld/durable/store.h \
	plugins/ctld/durable/writer.c plugins/ctld/durable/writer.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/book/beside.c plugins/ctld/book/beside.h \
	plugins/ctld/book/book.c plugins/ctld/book/book.h \
	plugins/ctld/book/capacity.c plugins/ctld/book/capacity.h \
	plugins/ctld/book/gap.c plugins/ctld/book/gap.h \
	plugins/ctld/book/kind.c plugins/ctld/book/kind.h \
	plugins/ctld/book/licenses.c plugins/ctld/book/licenses.h \
	plugins/ctld/book/no_show.c plugins/ctld/book/no_show.h \
	plugins/ctld/book/published.c plugins/ctld/book/published.h \
	plugins/ctld/book/placed.c plugins/ctld/book/placed.h \
	plugins/ctld/book/reserved.c plugins/ctld/book/reserved.h \
	plugins/ctld/book/view.c plugins/ctld/book/view.h \
	plugins/ctld/book/occupancy.c plugins/ctld/book/occupancy.h \
	plugins/ctld/book/occupancy_block.c \
	plugins/ctld/book/occupancy_jobs.c
plugins_librspb_la_SOURCES += \
	plugins/ctld/letters/event.c plugins/ctld/letters/event.h \
	plugins/ctld/letters/letters.c plugins/ctld/letters/letters.h \
	plugins/ctld/letters/outbox.c plugins/ctld/letters/outbox.h \
	plugins/ctld/letters/reminders.c plugins/ctld/letters/reminders.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/requests/ask.c plugins/ctld/requests/ask.h \
	plugins/ctld/requests/cores.c plugins/ctld/requests/cores.h \
	plugins/ctld/requests/directory.c plugins/ctld/requests/directory.h \
	plugins/ctld/requests/users.c plugins/ctld/requests/users.h \
	plugins/ctld/requests/hours.c plugins/ctld/requests/hours.h \
	plugins/ctld/requests/limits.c plugins/ctld/requests/limits.h \
	plugins/ctld/requests/numbers.c plugins/ctld/requests/numbers.h \
	plugins/ctld/requests/part.c plugins/ctld/requests/part.h \
	plugins/ctld/requests/recall.c plugins/ctld/requests/recall.h \
	plugins/ctld/requests/turns.c plugins/ctld/requests/turns.h \
	plugins/ctld/requests/uneven.c plugins/ctld/requests/uneven.h \
	plugins/ctld/requests/want.c plugins/ctld/requests/want.h \
	plugins/ctld/requests/window.c plugins/ctld/requests/window.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/decide/basis.c plugins/ctld/decide/basis.h \
	plugins/ctld/decide/batch.c plugins/ctld/decide/batch.h \
	plugins/ctld/decide/commit.c \
	plugins/ctld/decide/decision.c plugins/ctld/decide/decision.h \
	plugins/ctld/decide/replan.c plugins/ctld/decide/replan.h \
	plugins/ctld/decide/holds.c plugins/ctld/decide/holds.h \
	plugins/ctld/decide/order.c plugins/ctld/decide/batch_steps.h \
	plugins/ctld/decide/preempt.c plugins/ctld/decide/preempt.h \
	plugins/ctld/decide/proposal.c plugins/ctld/decide/proposal.h \
	plugins/ctld/decide/node_wait.c plugins/ctld/decide/node_wait.h \
	plugins/ctld/decide/redecision.c \
	plugins/ctld/decide/recount.c plugins/ctld/decide/recount.h \
	plugins/ctld/decide/suits.c plugins/ctld/decide/suits.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/mirror/contract.c plugins/ctld/mirror/contract.h \
	plugins/ctld/mirror/resv.c plugins/ctld/mirror/resv.h \
	plugins/ctld/mirror/mirror.c plugins/ctld/mirror/mirror.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/ending/charge.c plugins/ctld/ending/charge.h \
	plugins/ctld/ending/finish.c plugins/ctld/ending/finish.h \
	plugins/ctld/ending/held.c plugins/ctld/ending/held.h \
	plugins/ctld/ending/refuse.c plugins/ctld/ending/refuse.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/asking/after.c plugins/ctld/asking/after.h \
	plugins/ctld/asking/changed.c plugins/ctld/asking/changed.h \
	plugins/ctld/asking/outcome.c plugins/ctld/asking/outcome.h \
	plugins/ctld/asking/intake.c plugins/ctld/asking/intake.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/following/dependents.c \
	plugins/ctld/following/doubts.c plugins/ctld/following/doubts.h \
	plugins/ctld/following/edit.c \
	plugins/ctld/following/late.c \
	plugins/ctld/following/lifecycle.c plugins/ctld/following/following.h \
	plugins/ctld/following/recheck.c \
	plugins/ctld/following/update.c
plugins_librspb_la_SOURCES += \
	plugins/ctld/start/launch.c plugins/ctld/start/launch.h \
	plugins/ctld/start/make_way.c plugins/ctld/start/make_way.h \
	plugins/ctld/start/occupants.c plugins/ctld/start/occupants.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/jobs/job.c plugins/ctld/jobs/job.h \
	plugins/ctld/jobs/lost.c plugins/ctld/jobs/lost.h \
	plugins/ctld/jobs/orphan.c plugins/ctld/jobs/orphan.h \
	plugins/ctld/jobs/redo.c plugins/ctld/jobs/redo.h \
	plugins/ctld/jobs/rebuild.c plugins/ctld/jobs/rebuild.h \
	plugins/ctld/jobs/recover.c plugins/ctld/jobs/recover.h \
	plugins/ctld/jobs/start.c plugins/ctld/jobs/start.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/shares/message.c plugins/ctld/shares/message.h \
	plugins/ctld/shares/shares.c plugins/ctld/shares/shares.h \
	plugins/ctld/shares/usage.c plugins/ctld/shares/usage.h \
	plugins/ctld/shares/use_table.c plugins/ctld/shares/use_table.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/operators/answer.c \
	plugins/ctld/operators/change.c \
	plugins/ctld/operators/group.c plugins/ctld/operators/group.h \
	plugins/ctld/operators/internal.h \
	plugins/ctld/operators/notice.h \
	plugins/ctld/operators/operator.h \
	plugins/ctld/operators/promise.c \
	plugins/ctld/operators/request.c \
	plugins/ctld/operators/watch.c
plugins_librspb_la_SOURCES += \
	plugins/ctld/watch/aside.c \
	plugins/ctld/watch/resting.h \
	plugins/ctld/watch/grow.c \
	plugins/ctld/watch/recover.c plugins/ctld/watch/watch.h \
	plugins/ctld/watch/requeued.c \
	plugins/ctld/watch/rescue.c plugins/ctld/watch/rescue.h \
	plugins/ctld/watch/comeback.c \
	plugins/ctld/watch/sooner.c \
	plugins/ctld/watch/threat.c
plugins_librspb_la_SOURCES += \
	plugins/ctld/socket/inquiry.c plugins/ctld/socket/inquiry.h \
	plugins/ctld/socket/lines.c plugins/ctld/socket/lines.h \
	plugins/ctld/socket/server.c plugins/ctld/socket/server.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/pictures/calendar.c \
	plugins/ctld/pictures/slot_filter.c \
	plugins/ctld/pictures/figures.c \
	plugins/ctld/pictures/listing.c plugins/ctld/pictures/listing.h \
	plugins/ctld/pictures/picture.c plugins/ctld/pictures/picture.h \
	plugins/ctld/pictures/reads.c plugins/ctld/pictures/reads.h \
	plugins/ctld/pictures/slots.c plugins/ctld/pictures/slots.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/owners/anew.c \
	plugins/ctld/owners/bargain.c \
	plugins/ctld/owners/change.c plugins/ctld/owners/owners.h \
	plugins/ctld/owners/changes.c \
	plugins/ctld/owners/owner.c plugins/ctld/owners/owner.h \
	plugins/ctld/owners/reserve.c \
	plugins/ctld/owners/share_change.c \
	plugins/ctld/owners/terms.c \
	plugins/ctld/owners/wish.c \
	plugins/ctld/owners/work.c plugins/ctld/owners/work.h
plugins_librspb_la_SOURCES += \
	plugins/ctld/agent.c plugins/ctld/agent.h \
	plugins/ctld/answer.c plugins/ctld/answer.h \
	plugins/ctld/advice.c plugins/ctld/broker.c plugins/ctld/broker.h \
	plugins/ctld/kinds.c plugins/ctld/kinds.h
