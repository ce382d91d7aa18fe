/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the letters to owners and to the site's program, each once. post/postman.c sends them. */
#include "plugins/ctld/post/letters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/text.h"
#include "common/wire/json.h"
#include "common/wire/texts.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/post/state.h"

enum { SUBJECT_ROOM = 256, TEXT_ROOM = 2048, TITLE_ROOM = 64 };

/* The name of each event, the text that users read, and the --mail-type that sends it. An event
 * that Slurm itself mails is not mailed. */
static const struct {
	const char *name, *says;
	bool begin, end, fail;
} events[] = {
	[RSPB_LETTER_BOOKED] = { "booked", "is booked", true, false, false },
	[RSPB_LETTER_DECLINED] = { "declined", "was declined", true, false, true },
	[RSPB_LETTER_MOVED] = { "moved", "has other nodes or times", true, false, false },
	[RSPB_LETTER_DEGRADED] = { "degraded", "gets less than before", true, false, true },
	[RSPB_LETTER_GROWN] = { "grown", "gets more than before", false, false, false },
	[RSPB_LETTER_HELD] = { "held", "is held for you", true, false, false },
	[RSPB_LETTER_STAYS] = { "stays", "stays as it was", false, false, true },
	[RSPB_LETTER_WARNED] = { "warned", "may not start as booked", false, false, true },
	[RSPB_LETTER_LOST] = { "lost", "has lost its booking and waits for another", true, false,
			       true },
	[RSPB_LETTER_REMINDER] = { "reminder", "starts soon", true, false, false },
	[RSPB_LETTER_FIRM] = { "firm", "has a fixed start now", true, false, false },
	[RSPB_LETTER_ENDED] = { "ended", "is over", false, true, true },
};

void rspb_letters_configure(const struct rspb_config *config)
{
	memcpy(rspb_post->program, config->notice_program, sizeof(rspb_post->program));
}

/* Callers ask this before they parse a contract, since owners without mail are the usual case. */
bool rspb_letters_wanted(const struct rspb_job *job)
{
	return rspb_post->program[0] ||
	       (job->mail_to && (job->mail_begin || job->mail_end || job->mail_fail));
}

/* --- the letter ---------------------------------------------------------------- */

/* Add a member that is not empty: each member becomes a variable of the site's program. */
static json_object *with_text(json_object *to, const char *key, const char *text)
{
	return *text ? rspb_json_with(to, key, json_object_new_string(text)) : to;
}

static json_object *with_int(json_object *to, const char *key, int64_t value)
{
	return value ? rspb_json_with_int(to, key, value) : to;
}

/* "Nov 24 09:00-11:00 UTC on 4 nodes (n[1-4]), with licenses matlab:2, benefit 0.75" */
static void add_window(struct rspb_text *out, const struct rspb_contract *c, const char *licenses)
{
	char window[RSPB_WINDOW_TEXT], gres[RSPB_CONTRACT_GRES], plain[TITLE_ROOM];
	int64_t cores = c->terms.cores, mem = c->terms.mem;
	bool odd = c->odd[0];

	/* A single node has nothing to differ from. */
	snprintf(gres, sizeof(gres), "%s", c->terms.gres);
	if (odd && c->nodes_granted == 1)
		odd = !rspb_odd_take_first(c->odd, &cores, &mem, gres, sizeof(gres));

	rspb_report_window(c->start, c->end, c->terms.zone, window, sizeof(window));
	rspb_text_add(out, "%s on ", window);
	if (c->share_granted) {
		rspb_text_add_percent(out, c->share_granted);
		rspb_text_add(out, " of the CPUs of ");
	} else if (cores) {
		rspb_cores_add_words(cores, gres, mem, out);
		rspb_text_add(out, c->nodes_granted == 1 ? " of " : " of each of ");
	}
	rspb_text_add(out, "%" PRIu32 " node%s", c->nodes_granted,
		      c->nodes_granted == 1 ? "" : "s");
	if (!cores && gres[0]) {
		rspb_text_add(out, c->nodes_granted == 1 ? " with " : ", each with ");
		rspb_gres_add_words(gres, out);
	}
	if (c->on[0])
		rspb_text_add(out, " (%.200s)", c->on);
	if (odd) {
		rspb_text_add(out, ", but ");
		rspb_odd_add_words(c->odd, out);
	}
	rspb_text_clean(plain, sizeof(plain), licenses ? licenses : "");
	if (plain[0])
		rspb_text_add(out, ", with licenses %s%s", plain,
			      strlen(plain) < strlen(licenses) ? "..." : "");
	if (c->benefit.num < c->benefit.den)
		rspb_text_add(out, ", benefit %.2f", rspb_ratio_double(c->benefit));
}

/* Add the name that the owner gave the job, cut and cleaned: it must not break the subject into
 * several lines of the mail's head. */
static void add_title(struct rspb_text *out, const char *title)
{
	char plain[TITLE_ROOM];

	if (!title || !*title)
		return;
	rspb_text_clean(plain, sizeof(plain), title);
	rspb_text_add(out, " (%s)", plain);
}

/* Name the command in a form that the owner can paste. */
static void add_offers(struct rspb_text *out, const struct rspb_reader *reader)
{
	rspb_text_add(out, "rspb offers ");
	if (reader->name)
		rspb_text_add(out, "%.100s", reader->name);
	else
		rspb_text_add_job(out, reader->key, reader->array, reader->task);
}

/* Tell the owner of a declined request how to find other slots, unless the reason itself names
 * a command. */
static void add_way_on(struct rspb_text *out, const struct rspb_reader *reader,
		       const struct rspb_contract *c)
{
	if (strstr(c->reason, "rspb "))
		return;
	add_offers(out, reader);
	rspb_text_add(out, " lists what is available.\n");
}

/* Tell until when an offer is held, in the owner's time zone, and which command shows how to
 * accept it. */
static void add_hold(struct rspb_text *out, const struct rspb_reader *reader,
		     const struct rspb_contract *c)
{
	char utc[TITLE_ROOM], until[TITLE_ROOM];
	struct rspb_text writer = rspb_text_over(utc, sizeof(utc));

	rspb_text_add_time(&writer, c->held);
	rspb_zone_localize(c->terms.zone, utc, until, sizeof(until));
	rspb_text_add(out, "It is held until %s; ", until);
	add_offers(out, reader);
	rspb_text_add(out, " shows how to accept it.\n");
}

static json_object *add_words(json_object *letter, const struct rspb_reader *reader,
			      enum rspb_letter_event event, const struct rspb_contract *c)
{
	char subject[SUBJECT_ROOM], text[TEXT_ROOM], reason[RSPB_ERR_TEXT + 64];
	struct rspb_text head = rspb_text_over(subject, sizeof(subject));
	struct rspb_text body = rspb_text_over(text, sizeof(text));

	/* The subject has the event and the time slot, too, so that a list of mails tells what
	 * matters. */
	rspb_text_add(&head, "rspb: ");
	if (reader->name) {
		rspb_text_add(&head, "%.100s", reader->name);
		rspb_text_add(&body, "%.100s", reader->name);
	} else {
		/* The job itself may go on. */
		bool booking = event == RSPB_LETTER_ENDED;

		rspb_text_add(&head, "%sjob %" PRIu32, booking ? "the booking of " : "",
			      reader->key);
		add_title(&head, reader->title);
		rspb_text_add(&body, "%s %" PRIu32, booking ? "The booking of job" : "Job",
			      reader->key);
	}
	rspb_text_add(&head, " %s", events[event].says);
	if (event == RSPB_LETTER_ENDED)
		rspb_text_add(&head, ", %s", rspb_state_name(c->state));
	rspb_text_add(&body, " %s.\n", events[event].says);
	if (c->start && c->nodes_granted) {
		rspb_text_add(&head, ": ");
		add_window(&head, c, reader->licenses);
		rspb_text_add(&body, event == RSPB_LETTER_ENDED ? "It had " : "It has ");
		add_window(&body, c, reader->licenses);
		rspb_text_add(&body, ".\n");
	}
	if (c->reason[0]) {
		rspb_zone_localize(c->terms.zone, c->reason, reason, sizeof(reason));
		rspb_text_add(&body, "%s: %s\n", rspb_state_name(c->state), reason);
	}
	/* Users might take the end of the booking for the end of the job. */
	if (event == RSPB_LETTER_ENDED && !strncmp(c->reason, "released by ", 12) && !reader->name)
		rspb_text_add(&body, "The job stays in the queue.\n");
	if (event == RSPB_LETTER_DECLINED)
		add_way_on(&body, reader, c);
	if (event == RSPB_LETTER_HELD)
		add_hold(&body, reader, c);
	letter = with_text(letter, "subject", subject);
	return with_text(letter, "text", text);
}

/* Whether the owner wants mail of this event, by --mail-type. The site's program gets all
 * events. */
static bool is_mailed(const struct rspb_reader *reader, enum rspb_letter_event event,
		      const struct rspb_contract *c)
{
	/* Slurm itself tells the end of a job that has run. */
	if (event == RSPB_LETTER_ENDED && c->state != RSPB_CANCELLED && !reader->name)
		return false;
	return (events[event].begin && reader->begin) || (events[event].end && reader->end) ||
	       (events[event].fail && reader->fail);
}

/* RET the event to write of. A booking may change before the first letter about it is on its
 * way. Its owner then gets that letter alone, with what the booking has now. */
static enum rspb_letter_event still_news(const struct rspb_reader *reader,
					 enum rspb_letter_event event,
					 const struct rspb_contract *c)
{
	static const enum rspb_letter_event first[] = { RSPB_LETTER_BOOKED, RSPB_LETTER_HELD };

	if (event != RSPB_LETTER_MOVED && event != RSPB_LETTER_DEGRADED &&
	    event != RSPB_LETTER_GROWN)
		return event;
	for (int i = 0; i < 2; i++)
		/* The new letter replaces the old one only if that loses no mail which the
		 * owner wants. */
		if (rspb_outbox_waits(reader->key, events[first[i]].name) &&
		    (is_mailed(reader, first[i], c) || !is_mailed(reader, event, c)))
			return first[i];
	return event;
}

/* Whether a letter tells what is booked. */
static bool is_booking(enum rspb_letter_event event)
{
	return event == RSPB_LETTER_BOOKED || event == RSPB_LETTER_HELD ||
	       event == RSPB_LETTER_MOVED || event == RSPB_LETTER_DEGRADED ||
	       event == RSPB_LETTER_GROWN;
}

/* RET until when it is remembered that a letter was written, so that none is written twice,
 * also after a restart. 0: until the letter is delivered. */
static int64_t known_until(enum rspb_letter_event event, const struct rspb_contract *c, int64_t now)
{
	if (event == RSPB_LETTER_REMINDER)
		return c->start;
	if (event == RSPB_LETTER_FIRM)
		return c->end;
	return is_booking(event) ? now + RSPB_LETTERS_TOLD_S : 0;
}

bool rspb_letters_written(const struct rspb_reader *reader, enum rspb_letter_event event,
			  const struct rspb_contract *c)
{
	return rspb_outbox_has(reader->key, events[event].name, known_until(event, c, 0));
}

void rspb_letters_write(const struct rspb_reader *reader, enum rspb_letter_event event,
			const struct rspb_contract *c, int64_t now)
{
	json_object *letter = json_object_new_object();
	char benefit[32] = "";
	bool mailed;

	/* The caller holds Slurm's locks, so a letter is only written and noted here. Programs
	 * are run later. */
	event = still_news(reader, event, c);
	mailed = is_mailed(reader, event, c);
	if (!mailed && !rspb_post->program[0]) {
		json_object_put(letter);
		return;
	}
	if (c->benefit.den)
		snprintf(benefit, sizeof(benefit), "%.4g", rspb_ratio_double(c->benefit));
	letter = with_text(letter, "event", events[event].name);
	if (reader->name)
		letter = with_text(letter, "reservation", reader->name);
	else
		letter = with_int(letter, "job", reader->key);
	letter = rspb_json_with_int(letter, "uid", reader->uid);
	letter = with_int(letter, "at", now);
	letter = with_text(letter, "state", rspb_state_name(c->state));
	letter = with_int(letter, "start", c->start);
	letter = with_int(letter, "end", c->end);
	letter = with_int(letter, "nodes", c->nodes_granted);
	letter = with_text(letter, "nodelist", c->on);
	letter = with_int(letter, "cores", c->terms.cores);
	letter = with_text(letter, "gres", c->terms.gres);
	letter = with_int(letter, "mem", c->terms.cores ? c->terms.mem : 0);
	letter = with_text(letter, "licenses", reader->licenses ? reader->licenses : "");
	letter = with_text(letter, "benefit", benefit);
	letter = with_text(letter, "reason", c->reason);
	letter = with_text(letter, "to",
			   !mailed	? ""
			   : reader->to ? reader->to
					: RSPB_POSTMAN_OWNER);
	letter = add_words(letter, reader, event, c);
	/* Only events that usually happen to all jobs of a series are put together in one
	 * letter. */
	if (event == RSPB_LETTER_BOOKED || event == RSPB_LETTER_DECLINED ||
	    event == RSPB_LETTER_ENDED)
		letter = with_text(letter, "series", c->terms.series);
	/* After these events an earlier letter that is not on its way yet would be wrong, so it
	 * is dropped. */
	rspb_outbox_put(letter, reader->key,
			event == RSPB_LETTER_DECLINED || event == RSPB_LETTER_LOST ||
				event == RSPB_LETTER_ENDED,
			known_until(event, c, now), now);
}

void rspb_letters_tell(const struct rspb_reader *reader, const struct rspb_contract *before,
		       const struct rspb_contract *now)
{
	int64_t at = time(NULL);
	enum rspb_letter_event event = rspb_letter_event(before, now, at);

	if (event != RSPB_LETTER_NOTHING)
		rspb_letters_write(reader, event, now, at);
}

struct rspb_reader rspb_letters_reader(const struct rspb_job *job)
{
	return (struct rspb_reader){
		.key = job->id,
		.array = job->array,
		.task = job->task,
		.uid = job->uid,
		.title = job->name,
		.licenses = job->licenses,
		.begin = job->mail_to && job->mail_begin,
		.end = job->mail_to && job->mail_end,
		.fail = job->mail_to && job->mail_fail,
		.to = job->mail_to,
	};
}

/* No job has such a number, so that reservations have keys of their own. */
#define NO_JOB UINT32_C(0x80000000)

struct rspb_reader rspb_letters_resv(const char *name, uint32_t number,
				     const struct rspb_contract *contract)
{
	return (struct rspb_reader){
		.key = NO_JOB | number,
		.name = name,
		.uid = contract->owner,
		.begin = contract->terms.mail & RSPB_MAIL_BEGIN,
		.end = contract->terms.mail & RSPB_MAIL_END,
		.fail = contract->terms.mail & RSPB_MAIL_FAIL,
	};
}

void rspb_letters_contract(const struct rspb_job *job, const struct rspb_contract *before)
{
	struct rspb_reader reader = rspb_letters_reader(job);
	struct rspb_contract now;

	if (job->contract && !rspb_contract_parse(job->contract, &now, NULL))
		rspb_letters_tell(&reader, before, &now);
}

void rspb_letters_missed(const struct rspb_reader *reader, const struct rspb_contract *before,
			 const struct rspb_contract *now, int64_t since)
{
	int64_t at = time(NULL);
	enum rspb_letter_event event = rspb_letter_event(before, now, at);

	if (is_booking(event) && !rspb_outbox_knows(reader->key, since))
		rspb_letters_write(reader, event, now, at);
}

void rspb_letters_again(const struct rspb_job *job, const struct rspb_contract *before,
			int64_t since)
{
	struct rspb_reader reader = rspb_letters_reader(job);
	struct rspb_contract now;

	/* Only the first component of a heterogeneous job has letters. */
	if (job->leader == job->id && rspb_letters_wanted(job) && job->contract &&
	    !rspb_contract_parse(job->contract, &now, NULL))
		rspb_letters_missed(&reader, before, &now, since);
}

void rspb_letters_stands(uint32_t job, int64_t now)
{
	rspb_outbox_withdraw(job, events[RSPB_LETTER_ENDED].name, now);
	rspb_outbox_withdraw(job, events[RSPB_LETTER_LOST].name, now);
	rspb_outbox_withdraw(job, events[RSPB_LETTER_DECLINED].name, now);
}

void rspb_letters_run(int64_t now)
{
	char mail[RSPB_CONFIG_PATH];
	struct rspb_section section;
	const char *program;

	/* MailProg belongs to Slurm's configuration, which may be read anew at any time. */
	if (!rspb_outbox_look(now) || !rspb_section_enter(&section, RSPB_LOCK_READ, "letters"))
		return;
	program = rspb_slurm_conf().mail_program;
	snprintf(mail, sizeof(mail), "%s", program ? program : "");
	rspb_section_leave(&section);
	rspb_outbox_post(rspb_post->program, mail, now);
}
