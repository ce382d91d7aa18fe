/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defines the controller's state, and where in it the state of each room is. It has no code, so
 * that all rooms may use it. */
#include "plugins/ctld/controller.h"

#include "common/conf/config.h"

struct rspb_controller rspb_controller = {
	.base.tally.mutex = PTHREAD_MUTEX_INITIALIZER,
	.record.journal.on = true,
	.record.left.is.store = RSPB_STORE_NONE,
	.record.writer.store = RSPB_STORE_NONE,
	.book.mutex = PTHREAD_MUTEX_INITIALIZER,
	.book.unused.mutex = PTHREAD_MUTEX_INITIALIZER,
	.book.published.mutex = PTHREAD_MUTEX_INITIALIZER,
	.book.gaps[RSPB_GAP_CLEAN_UP].setting = RSPB_GAP_AUTO,
	.book.gaps[RSPB_GAP_PREPARE].setting = RSPB_GAP_AUTO,
	.post.stop_pipe = { -1, -1 },
	.decide.batch.due = INT64_MAX,
	.decide.batch.look = INT64_MAX,
	.mirror.until = INT64_MAX,
	.kinds.usage.mutex = PTHREAD_MUTEX_INITIALIZER,
	.kinds.waiting.earliest = INT64_MAX,
	.watch.aside.mutex = PTHREAD_MUTEX_INITIALIZER,
	.serve.wake_fd = -1,
};

struct rspb_base_state *const rspb_base = &rspb_controller.base;
struct rspb_record_state *const rspb_record = &rspb_controller.record;
struct rspb_book_state *const rspb_book = &rspb_controller.book;
struct rspb_post_state *const rspb_post = &rspb_controller.post;
struct rspb_request_state *const rspb_requests = &rspb_controller.request;
struct rspb_decide_state *const rspb_decisions = &rspb_controller.decide;
struct rspb_mirror_state *const rspb_mirror = &rspb_controller.mirror;
struct rspb_observe_state *const rspb_observe = &rspb_controller.observe;
struct rspb_start_state *const rspb_start = &rspb_controller.start;
struct rspb_kinds_state *const rspb_of_kinds = &rspb_controller.kinds;
struct rspb_watch_state *const rspb_watch = &rspb_controller.watch;
struct rspb_serve_state *const rspb_serve = &rspb_controller.serve;

/* Parts of these that one file uses often. */
struct rspb_writer_file *const rspb_writer = &rspb_controller.record.writer;
struct rspb_journal_state *const rspb_journal = &rspb_controller.record.journal;
struct rspb_left_state *const rspb_left = &rspb_controller.record.left;
struct rspb_promises_state *const rspb_promises = &rspb_controller.record.promises;
struct rspb_server_state *const rspb_server = &rspb_controller.serve.server;
struct rspb_outbox_state *const rspb_outbox = &rspb_controller.post.box;
struct rspb_recheck_state *const rspb_recheck = &rspb_controller.observe.recheck;
struct rspb_changed_state *const rspb_changed = &rspb_controller.observe.changed;
struct rspb_doubts_state *const rspb_doubts = &rspb_controller.observe.doubts;
struct rspb_batch_state *const rspb_batch = &rspb_controller.decide.batch;
struct rspb_sooner_state *const rspb_sooner = &rspb_controller.watch.sooner;
struct rspb_comeback_state *const rspb_comeback = &rspb_controller.watch.comeback;
struct rspb_usage_state *const rspb_usage = &rspb_controller.kinds.usage;
struct rspb_placed_state *const rspb_placed = &rspb_controller.book.placed;
struct rspb_licenses_state *const rspb_licenses = &rspb_controller.book.licenses;
struct rspb_tally_state *const rspb_tally = &rspb_controller.base.tally;
struct rspb_known_state *const rspb_known = &rspb_controller.request.known;
struct rspb_ways_state *const rspb_ways = &rspb_controller.start.ways;
