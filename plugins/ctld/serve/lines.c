/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles the connections: bytes in, bytes out, and which are too slow. The meaning of a message is
 * not known here. */
#include "plugins/ctld/serve/server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/array.h"

/* Counts what each user asks, and decides who has to wait. A user's credit grows with time up to a
 * burst; each request and its processor time use it up. Connections are not looked at here. */

enum { THOUSAND = 1000 };

static struct rspb_caller *caller_of(const struct rspb_callers *callers, uint32_t uid)
{
	for (size_t i = 0; i < callers->n; i++)
		if (callers->items[i].uid == uid)
			return &callers->items[i];
	return NULL;
}

/* Add the credit that a user has earned since it was last looked at. A long time is cut before the
 * multiplication, which could overflow. */
static void earn(struct rspb_caller *caller, int64_t now_ms)
{
	const int64_t most = (int64_t) RSPB_CALLER_BURST * THOUSAND;
	int64_t passed = now_ms - caller->seen_ms;

	if (passed > most / RSPB_CALLER_RATE)
		caller->credit = most;
	else if (passed > 0)
		caller->credit += passed * RSPB_CALLER_RATE;
	if (caller->credit > most)
		caller->credit = most;
	caller->seen_ms = now_ms;
}

/* Forget callers that are not connected and whose credit is full. A newly entered caller gets the
 * same, so nothing is gained by coming back. */
static void forget(struct rspb_callers *callers, int64_t now_ms)
{
	size_t kept = 0;

	for (size_t i = 0; i < callers->n; i++) {
		struct rspb_caller *caller = &callers->items[i];

		earn(caller, now_ms);
		if (caller->lines || caller->credit < (int64_t) RSPB_CALLER_BURST * THOUSAND)
			callers->items[kept++] = *caller;
	}
	callers->n = kept;
}

bool rspb_callers_join(struct rspb_callers *callers, uint32_t uid, int64_t now_ms)
{
	struct rspb_caller *caller = caller_of(callers, uid);

	if (!caller) {
		forget(callers, now_ms);
		if (rspb_array_grow(&callers->items, &callers->room, callers->n + 1,
				    sizeof(*callers->items)))
			return false;
		/* A new user starts with a full burst, as forget() may just have removed the entry
		 * of one who had it. */
		caller = &callers->items[callers->n++];
		*caller = (struct rspb_caller){
			.uid = uid,
			.credit = (int64_t) RSPB_CALLER_BURST * THOUSAND,
			.seen_ms = now_ms,
		};
	}
	if (caller->lines >= RSPB_CALLER_LINES)
		return false;
	caller->lines++;
	return true;
}

void rspb_callers_leave(struct rspb_callers *callers, uint32_t uid)
{
	struct rspb_caller *caller = caller_of(callers, uid);

	if (caller && caller->lines)
		caller->lines--;
}

int64_t rspb_callers_credit(struct rspb_callers *callers, uint32_t uid, int64_t now_ms)
{
	struct rspb_caller *caller = caller_of(callers, uid);

	if (!caller)
		return (int64_t) RSPB_CALLER_BURST * THOUSAND;
	earn(caller, now_ms);
	return caller->credit;
}

/* Take credit from a user, into debt if need be. The debt has a limit, so that no user is locked
 * out for longer than a burst takes to earn. */
static void charge_credit(struct rspb_callers *callers, uint32_t uid, int64_t amount,
			  int64_t now_ms)
{
	struct rspb_caller *caller = caller_of(callers, uid);
	const int64_t least = (int64_t) -RSPB_CALLER_BURST * THOUSAND;

	if (!caller)
		return;
	earn(caller, now_ms);
	caller->credit -= amount;
	if (caller->credit < least)
		caller->credit = least;
}

void rspb_callers_use(struct rspb_callers *callers, uint32_t uid, int64_t us, int64_t now_ms)
{
	charge_credit(callers, uid, us * THOUSAND / RSPB_CALLER_COST_US, now_ms);
}

int64_t rspb_callers_charge(struct rspb_callers *callers, uint32_t uid, int64_t now_ms)
{
	int64_t credit;

	charge_credit(callers, uid, THOUSAND, now_ms);
	credit = rspb_callers_credit(callers, uid, now_ms);
	return credit >= 0 ? 0 : -credit / RSPB_CALLER_RATE + 1;
}

void rspb_callers_fini(struct rspb_callers *callers)
{
	free(callers->items);
	*callers = (struct rspb_callers){ .n = 0 };
}

/* Return how many connections may be open: at most half of the descriptors of slurmctld, which has
 * other connections to accept. Otherwise users of rspb(1) could keep jobs and nodes from reaching
 * slurmctld. */
static size_t most(void)
{
	struct rlimit limit;
	rlim_t half;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return RSPB_LINES_MOST;
	half = limit.rlim_cur / 2;
	return half >= RSPB_LINES_MOST ? RSPB_LINES_MOST : half ? half : 1;
}

int rspb_lines_init(struct rspb_lines *lines)
{
	*lines = (struct rspb_lines){ .most = most() };
	lines->items = calloc(RSPB_LINES_MOST, sizeof(*lines->items));
	return lines->items ? 0 : -1;
}

static void out_free(struct rspb_lines *lines, struct rspb_line *line)
{
	lines->out -= line->out_size;
	free(line->out);
	line->out = NULL;
	line->out_size = line->out_at = 0;
}

/* The entry stays in the table, without a descriptor, until the next sweep: callers walk over the
 * table meanwhile. */
void rspb_lines_drop(struct rspb_lines *lines, struct rspb_line *line)
{
	if (line->fd < 0)
		return;
	close(line->fd);
	line->fd = -1;
	rspb_frame_fini(&line->frame);
	out_free(lines, line);
	free(line->question);
	line->question = NULL;
	if (line->known)
		rspb_callers_leave(&lines->callers, line->uid);
}

void rspb_lines_fini(struct rspb_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		rspb_lines_drop(lines, &lines->items[i]);
	free(lines->items);
	rspb_callers_fini(&lines->callers);
	*lines = (struct rspb_lines){ .n = 0 };
}

/* Return the place of the oldest connection whose user is not known yet, n: there is none.
 * Connections of known users are never closed for a new one, so a flood without credentials
 * displaces only itself. */
static size_t least_known(const struct rspb_lines *lines)
{
	size_t best = lines->n;

	for (size_t i = 0; i < lines->n; i++)
		if (!lines->items[i].known &&
		    (best == lines->n || lines->items[i].serial < lines->items[best].serial))
			best = i;
	return best;
}

void rspb_lines_add(struct rspb_lines *lines, int fd, int64_t now)
{
	size_t at = lines->n;

	if (at == lines->most) {
		at = least_known(lines);
		if (at == lines->n) {
			close(fd);
			return;
		}
		rspb_lines_drop(lines, &lines->items[at]);
	} else {
		lines->n++;
	}
	lines->items[at] = (struct rspb_line){
		.fd = fd,
		.serial = ++lines->serial,
		.until = now + RSPB_LINES_ASK_MS,
	};
}

struct rspb_line *rspb_lines_find(struct rspb_lines *lines, uint64_t serial)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->items[i].serial == serial && lines->items[i].fd >= 0)
			return &lines->items[i];
	return NULL;
}

void rspb_lines_poll(const struct rspb_lines *lines, struct pollfd *polls, int64_t now,
		     int64_t *until)
{
	/* Answers that are not taken use up memory. While there are too many bytes of them, no
	 * further question is read. */
	bool full = lines->out > RSPB_LINES_OUT_MOST;

	for (size_t i = 0; i < lines->n; i++) {
		const struct rspb_line *line = &lines->items[i];
		bool asks = line->state == RSPB_LINE_ASKING;

		/* Errors and hang-ups are reported also where nothing is asked for, so a connection
		 * that waits for its answer is noticed when its client goes. */
		polls[i] = (struct pollfd){ .fd = line->fd };
		if (line->state == RSPB_LINE_TAKING)
			polls[i].events = POLLOUT;
		else if (asks && !full && line->quiet <= now)
			polls[i].events = POLLIN;
		if (line->until < *until)
			*until = line->until;
		if (asks && line->quiet > now && line->quiet < *until)
			*until = line->quiet;
	}
}

/* Read a request. A whole one waits for munged's judgement and its turn. The time limit begins with
 * the first byte, as a client may be idle between two requests for longer. */
static bool ask(struct rspb_lines *lines, struct rspb_line *line, int64_t now)
{
	bool first = !line->frame.got;

	switch (rspb_frame_read(&line->frame, line->fd, RSPB_FRAME_ASKED)) {
	case RSPB_FRAME_WHOLE:
		line->state = RSPB_LINE_WAITING;
		line->until = now + RSPB_LINES_ANSWER_MS;
		return true;
	case RSPB_FRAME_MORE:
		if (first && line->frame.got)
			line->until = now + RSPB_LINES_ASK_MS;
		return false;
	case RSPB_FRAME_ENDED:
	case RSPB_FRAME_REFUSED:
		break;
	}
	rspb_lines_drop(lines, line);
	return false;
}

/* Write what the socket takes. After the last byte the connection waits for the next request, or is
 * closed. */
static void send_some(struct rspb_lines *lines, struct rspb_line *line, int64_t now)
{
	/* A client that is gone must not raise SIGPIPE in slurmctld. */
	ssize_t n = send(line->fd, line->out + line->out_at, line->out_size - line->out_at,
			 MSG_NOSIGNAL);

	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		rspb_lines_drop(lines, line);
		return;
	}
	line->out_at += n > 0 ? (size_t) n : 0;
	if (line->out_at < line->out_size)
		return;
	if (line->last) {
		rspb_lines_drop(lines, line);
		return;
	}
	out_free(lines, line);
	line->state = RSPB_LINE_ASKING;
	line->until = now + RSPB_LINES_IDLE_MS;
}

bool rspb_lines_serve(struct rspb_lines *lines, struct rspb_line *line, int64_t now)
{
	if (line->fd < 0)
		return false;
	if (line->state == RSPB_LINE_ASKING)
		return ask(lines, line, now);
	if (line->state == RSPB_LINE_TAKING)
		send_some(lines, line, now);
	else /* nobody is there any more to be answered */
		rspb_lines_drop(lines, line);
	return false;
}

bool rspb_lines_identify(struct rspb_lines *lines, struct rspb_line *line, uint32_t uid,
			 int64_t now)
{
	/* The connection is counted as one of its user's. */
	if (line->known && line->uid != uid)
		return false;
	if (!line->known && !rspb_callers_join(&lines->callers, uid, now))
		return false;
	line->known = true;
	line->uid = uid;
	line->quiet = now + rspb_callers_charge(&lines->callers, uid, now);
	return true;
}

void rspb_lines_hold(struct rspb_lines *lines, struct rspb_line *line, char *question, size_t len)
{
	line->question = question;
	line->question_len = len;
	line->turn = ++lines->turn;
	/* The wait for a turn can be long and is not the client's fault, so it has no limit. */
	line->until = INT64_MAX;
}

/* Compare turns: the user with more credit is first, then the earlier request. best is NULL if
 * there is none yet. */
static bool precedes(const struct rspb_line *line, int64_t credit, const struct rspb_line *best,
		     int64_t best_credit)
{
	if (!best || credit != best_credit)
		return !best || credit > best_credit;
	return line->turn < best->turn;
}

struct rspb_line *rspb_lines_next(struct rspb_lines *lines, char **question, size_t *len,
				  int64_t now, int64_t *until)
{
	struct rspb_line *best = NULL;
	int64_t best_credit = 0;

	for (size_t i = 0; i < lines->n; i++) {
		struct rspb_line *line = &lines->items[i];
		int64_t credit, due;

		if (!line->question)
			continue;
		credit = rspb_callers_credit(&lines->callers, line->uid, now);
		/* The second term is the debt in thousandths, by what is earned in a millisecond:
		 * when the debt is paid. */
		due = now - credit / RSPB_CALLER_RATE + 1;
		if (credit < 0 && due < *until)
			*until = due;
		if (credit < 0 || !precedes(line, credit, best, best_credit))
			continue;
		best = line;
		best_credit = credit;
	}
	if (!best)
		return NULL;
	*question = best->question;
	*len = best->question_len;
	best->question = NULL;
	/* From now on the delay is ours, and is bounded. */
	best->until = now + RSPB_LINES_ANSWER_MS;
	return best;
}

void rspb_lines_answer(struct rspb_lines *lines, struct rspb_line *line, char *text, bool last,
		       int64_t now)
{
	int64_t credit = rspb_callers_credit(&lines->callers, line->uid, now);

	rspb_frame_fini(&line->frame);
	/* A user in debt is read again only when the debt is paid. */
	if (credit < 0)
		line->quiet = now - credit / RSPB_CALLER_RATE + 1;
	if (text)
		line->out = rspb_frame_make(text, strlen(text), &line->out_size);
	free(text);
	if (!line->out) {
		rspb_lines_drop(lines, line);
		return;
	}
	lines->out += line->out_size;
	line->last = last;
	line->state = RSPB_LINE_TAKING;
	line->until = now + RSPB_LINES_SEND_MS;
	send_some(lines, line, now);
}

size_t rspb_lines_sweep(struct rspb_lines *lines, int64_t now)
{
	size_t kept = 0, slow = 0;

	for (size_t i = 0; i < lines->n; i++) {
		struct rspb_line *line = &lines->items[i];

		if (line->fd >= 0 && now >= line->until) {
			rspb_lines_drop(lines, line);
			slow++;
		}
		if (line->fd >= 0)
			/* Connections change their places here; others refer to them by serial
			 * only. */
			lines->items[kept++] = *line;
	}
	lines->n = kept;
	return slow;
}
