/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells owners of bookings by mail, and the site's program about every owner: once, as soon as the
 * news is durable. For the agent. */
#ifndef RSPB_CTLD_POST_LETTERS_H
#define RSPB_CTLD_POST_LETTERS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/wire/flags.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/record/durable.h"

/* --- postman.c --- */

/* Takes letters to MailProg and to NoticeProgram, one after the other, as errands
 * (base/errand.h); whoever posts one does not wait. */

/* Seconds that a program may take. */
enum { RSPB_POSTMAN_PATIENCE_S = 30 };

/* "to" of a letter whose owner is mailed by the name that he has. */
#define RSPB_POSTMAN_OWNER "owner"

int rspb_postman_start(struct rspb_err *err);
/* Give the delivery under way two seconds. Undelivered letters do not count as done; done() tells
 * of the rest. */
void rspb_postman_stop(void);

/*
 * text: the letter as a JSON object (doc/man/rspb.conf.5 names what is in it);
 * program: of the site, "": none; mail: MailProg, "": none. All is copied. RET
 * false: out of memory, or it ends.
 */
bool rspb_postman_post(uint64_t id, const char *text, const char *program, const char *mail);
/* Get the id of the next letter that was delivered or given up. RET false: there is none. */
bool rspb_postman_done(uint64_t *id);

/* Programs of the site, run by a thread of ours. */

/*
 * Run argv[0], an absolute path, in an environment, and wait for its end, with no lock
 * held. It reads input, writes nowhere, has no other file open and a process
 * group of its own, which is killed after so many seconds, or once stop() says
 * so. RET 0: it ended with 0; else -1 with err.
 */
int rspb_program_run(char *const argv[], char *const env[], const char *input, int seconds,
		     bool (*stop)(void), struct rspb_err *err);

/* --- messenger.c --- */

/*
 * Messages from slurmctld to sockets on the nodes, as errands (base/errand.h):
 * a node that does not answer must hold up nothing else.
 */

int rspb_messenger_start(struct rspb_err *err);
/* Forget the messages that are not yet sent, and give up those under way. */
void rspb_messenger_stop(void);

/* Send text to a socket on these nodes, soon; behind what was posted for the same
 * nodes before. Any thread; never waits; any lock may be held. Copies its
 * arguments. What fails is tried again a few times, and then logged; nodes that do
 * not answer hold up nobody else's; where eight die at one time, for two seconds.
 * Without memory, or between stop() and start(): nothing. */
void rspb_messenger_send(const char *nodes, const char *socket, const char *text);

/* --- letters.c --- */

/* Derives from two contracts what has happened to a booking, as its owner sees it. */

/* That a notice of a booking was written is known for longer than Slurm's own record of its job
 * can be older. */
enum { RSPB_LETTERS_TOLD_S = 600 };

enum rspb_letter_event {
	RSPB_LETTER_BOOKED,
	RSPB_LETTER_DECLINED,
	RSPB_LETTER_MOVED,    /* other nodes, another window */
	RSPB_LETTER_DEGRADED, /* less than before */
	RSPB_LETTER_GROWN,    /* more */
	RSPB_LETTER_HELD,     /* an offer, for a time */
	RSPB_LETTER_STAYS,    /* a change of it is refused */
	RSPB_LETTER_WARNED,   /* something stands in its way */
	RSPB_LETTER_LOST,     /* it waits for a decision again */
	RSPB_LETTER_REMINDER, /* it is to start soon */
	RSPB_LETTER_FIRM,     /* its start does not move any more */
	RSPB_LETTER_ENDED,
	RSPB_LETTER_NOTHING
};

/* RET the event that turned the old contract into the new one, at that second: at most one event. A
 * start that is not firm yet is told once it is. */
enum rspb_letter_event rspb_letter_event(const struct rspb_contract *old,
					 const struct rspb_contract *new, int64_t now);

void rspb_letters_configure(const struct rspb_config *config);
/* Whether anybody would get letters about that job. */
bool rspb_letters_wanted(const struct rspb_job *job);
/* The recipient of a letter and its subject. */
struct rspb_reader {
	uint32_t key;	      /* no two alike: a job's number, or one that none has */
	uint32_t array, task; /* whose task the job is, and which; 0: of none */
	const char *name;     /* of a reservation, NULL: it is a job */
	const char *title;    /* of a job, as its owner calls it; NULL: not at all */
	const char *licenses; /* of a job; NULL or "": none */
	uint32_t uid;
	bool begin, end, fail; /* by mail */
	const char *to;	       /* of a job, NULL: no mail; of others it is to the owner */
};
/* With a lock: write the letter, if any, that a change of a contract calls for. */
void rspb_letters_tell(const struct rspb_reader *reader, const struct rspb_contract *before,
		       const struct rspb_contract *now);
/* Likewise, but the caller names the event. */
void rspb_letters_write(const struct rspb_reader *reader, enum rspb_letter_event event,
			const struct rspb_contract *contract, int64_t now);
/* Whether a reminder of this start, or that it is firm until this end, was written. */
bool rspb_letters_written(const struct rspb_reader *reader, enum rspb_letter_event event,
			  const struct rspb_contract *contract);
struct rspb_reader rspb_letters_reader(const struct rspb_job *job);
/* RET the reader for a booking without a job: what its reservation says, or is about to say. */
struct rspb_reader rspb_letters_resv(const char *name, uint32_t number,
				     const struct rspb_contract *contract);
/* With a lock: a job's contract has changed. */
void rspb_letters_contract(const struct rspb_job *job, const struct rspb_contract *before);
/* After a start of slurmctld: the same, unless a notice to its owner since that second is known.
 * The former one may have been killed after the decision and before that was noted. */
void rspb_letters_again(const struct rspb_job *job, const struct rspb_contract *before,
			int64_t since);
/* Likewise, for any reader. */
void rspb_letters_missed(const struct rspb_reader *reader, const struct rspb_contract *before,
			 const struct rspb_contract *now, int64_t since);
/* After a start of slurmctld: a job's booking stands, and a letter that has not been sent may tell
 * that it is over, because the line with that end was damaged. That letter is not sent. */
void rspb_letters_stands(uint32_t job, int64_t now);
/* Every second at least, and with no lock: send what was written. */
void rspb_letters_run(int64_t now);

/*
 * Keeps letters until they are delivered, in the durable journal, too. A letter is sent when its
 * line is on the disk. After a crash the next slurmctld sends it, unless the journal says that it
 * was delivered. For the agent.
 */

/* Write one: gets its number and is noted. Those of the same job that are not on their
 * way yet go, if replaces or if everybody whom they were to reach gets this one. One with a
 * series waits some seconds, and becomes one with others of it that say the same. Takes the
 * letter. keep: until then it is known that it was written; 0: until it is delivered. */
void rspb_outbox_put(json_object *letter, uint32_t job, bool replaces, int64_t keep, int64_t now);
/* Whether one of that job with this event is not on its way yet. */
bool rspb_outbox_waits(uint32_t job, const char *event);
/* Do not send those of that job with this event. */
void rspb_outbox_withdraw(uint32_t job, const char *event, int64_t now);
/* Whether one of that job with this event is, or was, known until then. */
bool rspb_outbox_has(uint32_t job, const char *event, int64_t keep);
/* Whether one of that job that is remembered for a time, written since then, is known. */
bool rspb_outbox_knows(uint32_t job, int64_t since);
/* Whether any is to be posted; those that have been delivered are noted. */
bool rspb_outbox_look(int64_t now);
/* Have the notes written, and post some letters that are on the disk, the users in turn. */
void rspb_outbox_post(const char *program, const char *mail, int64_t now);

extern const struct rspb_durable_kind rspb_letters_durable;

/* Letters that a time brings, and not a change: a booking starts soon, or its start
 * moves no more. For the agent. */

/* With no lock: those whose time has come since the last call. */
void rspb_reminders_run(const struct rspb_config *config, int64_t now);

#endif
