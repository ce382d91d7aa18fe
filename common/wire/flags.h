/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar of the submit flags, and the one canonical text in which a
 * request and its decision are kept with a job. Parsed on the submit side for
 * a quick error, and again in slurmctld, because the client is not trusted.
 */
#ifndef RSPB_WIRE_FLAGS_H
#define RSPB_WIRE_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/request/benefit.h"
#include "common/request/booking.h"
#include "common/request/request.h"
#include "common/wire/share_lines.h"
#include "common/wire/texts.h"

/* --- flags.c, contract.c --- */

enum {
	RSPB_FLAG_TEXT_MAX = 512,
	RSPB_SERIES_NAME = 32,
	RSPB_CONTRACT_TEXT = 4096,
	RSPB_CONTRACT_NODES = 1024,
	RSPB_CONTRACT_GRES = 256,
	RSPB_CONTRACT_ODD = 768,
	RSPB_PARTITIONS_TEXT = 256
};

/* The name of the series that the tasks of an array form, before its number. */
#define RSPB_ARRAY_PREFIX "array_"
/* Names of bookings without a job, for a group; none of a series begins so. */
#define RSPB_GROUP_PREFIX "group_"

/* When the owner of a booking without a job is mailed, as --mail-type says. */
enum { RSPB_MAIL_BEGIN = 1, RSPB_MAIL_END = 2, RSPB_MAIL_FAIL = 4 };

/* Lengths of the texts of Slurm's own options. */
enum { RSPB_TERMS_NAME = 256, RSPB_TERMS_LIST = 1024, RSPB_TERMS_GPUS = 64 };

/* Holds what a job (component) or a booking without a job asks for, whichever way it came. A
 * value type; 0 and "" are not said. */
struct rspb_terms {
	bool book;			  /* --book given */
	bool asap;			  /* --book=asap */
	bool offers;			  /* --book=offers: asks what could be had, books nothing */
	bool test;			  /* --test-only was given, too: what would be booked */
	struct rspb_benefit benefit;	  /* without points: none was given */
	struct rspb_benefit benefit_time; /* --benefit-time, likewise */
	int64_t share;			  /* --cpu-share in 1/100 percent of a node, 0: none */
	int64_t share_min;		  /* likewise, 0: as the benefit says */
	uint32_t mail;			  /* of a booking without a job: RSPB_MAIL_... */
	int64_t remind;			  /* --remind: seconds before the start, 0: not said */
	int64_t firm;			  /* --firm: likewise; RSPB_FIRM_AT_ONCE: all of them */
	char series[RSPB_SERIES_NAME];	  /* --series, "": none */
	char zone[RSPB_ZONE_TEXT];	  /* its owner's clock, "": the site's */
	/* --stage-in: how long its input takes to arrive, from its submission on,
	 * and the standard deviation of that, in seconds. */
	int64_t stage_in, stage_sigma;
	struct rspb_moldable work; /* --work */
	struct rspb_prefer prefer; /* --prefer-qos */
	int64_t price;		   /* --price, in 1/100 percent of the usual, 0: not said */
	int64_t time_sigma;	   /* --time-sigma: the deviation of its length, in seconds */
	/* The rest is given by Slurm's own options, a reservation or a message. */
	int64_t ready, deadline, duration; /* --begin, --deadline and --time in seconds */
	uint32_t nodes, nodes_least;	   /* nodes_least: of -N MIN-MAX, 0: no such range */
	uint32_t tasks, cpus;		   /* of the job */
	uint32_t cpus_task;		   /* of each task */
	uint32_t cores;			   /* of each node; 0: it has none of its own */
	uint32_t mem, mem_cpu;		   /* MiB of each node, or of each CPU */
	/* As the options of these names take them. */
	char gres[RSPB_CONTRACT_GRES], gpus[RSPB_TERMS_GPUS], gpus_node[RSPB_TERMS_GPUS],
		gpus_task[RSPB_TERMS_GPUS];
	char licenses[RSPB_TERMS_NAME], nodelist[RSPB_TERMS_LIST], exclude[RSPB_TERMS_LIST];
};
/* RET the fewest nodes that will do. */
static inline uint32_t rspb_terms_least(const struct rspb_terms *terms)
{
	return terms->nodes_least ? terms->nodes_least : terms->nodes;
}

/* The doors by which a member of the flags is given or shown, besides sbatch and contracts. */
enum {
	RSPB_TERM_TAG = 1,     /* the tag of a reservation */
	RSPB_TERM_RESERVE = 2, /* a message that books without a job */
	RSPB_TERM_OFFERS = 4,  /* a message that asks for offers */
	RSPB_TERM_LISTED = 8,  /* the entry of a booking in an answer */
	RSPB_TERM_KEPT = 16    /* the command of rspb offers, beside what the offer says */
};

/* How a member is read and printed. A message and a list have an int64_t as a number, and others as
 * the text that sbatch takes. */
enum rspb_term_kind {
	RSPB_TERM_SECONDS,
	RSPB_TERM_PERCENT, /* the last int64_t */
	RSPB_TERM_BOOK,
	RSPB_TERM_BENEFIT,
	RSPB_TERM_SHARE, /* with its minimum */
	RSPB_TERM_SERIES,
	RSPB_TERM_ZONE,
	RSPB_TERM_STAGE_IN, /* with its deviation */
	RSPB_TERM_WORK,
	RSPB_TERM_PREFER,
	RSPB_TERM_TEST
};

/*
 * A row per member of the flags. The table drives the options that SPANK registers, the tag of
 * a reservation, the members of messages, the words of a contract, the request that is planned,
 * and the options of rspb(1).
 */
struct rspb_term {
	const char *name;    /* "benefit-time"; in JSON with '_' */
	const char *arginfo; /* "[asap]", as --help shows it */
	const char *help;    /* NULL: no option, the client says it itself */
	const char *brief;   /* the same in rspb --help */
	const char *alone;   /* why it needs --book; NULL: it may stand alone */
	const char *word;    /* in a contract, where that is not its name */
	enum rspb_term_kind kind;
	size_t offset;	   /* in struct rspb_terms */
	size_t request;	   /* in struct rspb_request: an int64_t or a function; 0: none */
	int64_t low, high; /* of numbers */
	bool optional_arg;
	uint8_t where; /* RSPB_TERM_... */
	uint8_t words; /* in which of the places of a contract (contract.c); 0: in none */
};
extern const struct rspb_term rspb_terms[]; /* ended by name NULL */
static inline bool rspb_term_is_number(const struct rspb_term *term)
{
	return term->kind <= RSPB_TERM_PERCENT;
}
/* Read a value ("": the flag came without one) into its member. RET 0, or -1 with one sentence that
 * does not begin with the name; the flags are to be dropped then. */
int rspb_term_read(const struct rspb_term *term, const char *value, struct rspb_terms *flags,
		   struct rspb_err *err);
void rspb_term_print(const struct rspb_term *term, const struct rspb_terms *flags,
		     struct rspb_text *out);
/* RET the member's row by its name (in JSON: with '_') of len characters; NULL: there is none. */
const struct rspb_term *rspb_term_find(const char *name, size_t len);
/* The name of a member in JSON, in buf. */
enum { RSPB_TERM_KEY = 32 };
const char *rspb_term_key(const struct rspb_term *term, char buf[RSPB_TERM_KEY]);
/* RET the member of these flags, and whether it was given. */
const void *rspb_term_at(const struct rspb_term *term, const struct rspb_terms *flags);
bool rspb_term_said(const struct rspb_term *term, const struct rspb_terms *flags);
/* RET 0; -1 with err: unknown flag, or a value that its type refuses, or one that is
 * longer than RSPB_FLAG_TEXT_MAX or holds control characters. */
int rspb_flag_set(struct rspb_terms *flags, const char *name, const char *value,
		  struct rspb_err *err);
/* Drop the benefit functions and --book=asap: an accepted offer leaves no choice. */
void rspb_terms_settle(struct rspb_terms *flags);
/* Copy all members that a request has, too: into it, and from it. RET 0, -1: out of memory. */
struct rspb_request;
int rspb_terms_ask(const struct rspb_terms *flags, struct rspb_request *request);
void rspb_terms_asked(const struct rspb_request *request, struct rspb_terms *flags);
/* Copy the window of a request and the nodes of a part of it. */
void rspb_terms_size(const struct rspb_request *request, uint32_t part, struct rspb_terms *terms);
/* Check what only all flags together show (--benefit without --book, ...). */
int rspb_terms_check(const struct rspb_terms *flags, struct rspb_err *err);
/* Only one in 740 normally distributed times is later. */
enum { RSPB_STAGE_SIGMAS = 3 };
/*
 * The window of a job that is submitted at `now`. It is as much longer as the job may
 * take (time_sigma). Of input that arrives later (stage_in): it may begin
 * RSPB_STAGE_SIGMAS deviations before that, no sooner than *begin (0: now), and be as
 * much longer as the input may be late then. Both in whole minutes. (Varvarigos et al.,
 * Timed/Advance Reservation Schemes, 3.3, with the lateness of the input in the end, too.)
 */
void rspb_terms_stage(const struct rspb_terms *flags, int64_t now, int64_t *begin, int64_t *limit);
/*
 * The benefit function these flags mean for a request of `asked` units of which
 * `least` will do (-N MIN-MAX, or a share with a minimum; 0 or asked: no
 * range): --benefit if given, else linear from the least on, else hard.
 */
void rspb_terms_benefit(const struct rspb_terms *flags, int64_t least, int64_t asked,
			struct rspb_benefit *out);

/* The numbers of the terms that an accepted offer replaces, in the order of contract.c. */
enum { RSPB_N_WAS = 9 };
struct rspb_was {
	int64_t numbers[RSPB_N_WAS]; /* the first is the duration; 0: no offer was accepted */
};
/* Keep these numbers, and put them back into the terms. */
void rspb_was_take(const struct rspb_terms *terms, struct rspb_was *was);
void rspb_was_put(const struct rspb_was *was, struct rspb_terms *terms);

/*
 * The contract: what was asked and what was granted, as one line kept with the
 * job and shown by scontrol, e.g.
 *   rspb: booked start=2026-11-24T09:00:00Z end=2026-11-24T10:00:00Z nodes=3/4
 *   benefit=0.75 asked=linear:25% duration=3600s
 * The state follows "rspb:", then key=value words in a fixed order, without
 * those that have no value, and last "reason=" with the rest of the line.
 * Times are UTC, so that every host reads the same. A contract's job has --book.
 */
struct rspb_contract {
	enum rspb_state state;
	/* Tasks and CPUs are those of a job that was fitted to fewer nodes. Memory and generic
	 * resources are what a reservation of cores keeps on each node; a job's are in its own
	 * record. */
	struct rspb_terms terms;
	/* The terms from before an offer that the job asks for now, all or nothing, until it has
	 * that for good. */
	struct rspb_was was;
	/* Its nodes are at least so fast, in per cent of a usual one, and it is as long as
	 * that takes; and how long it is on a usual one. 0: all are alike. */
	uint32_t speed;
	int64_t standard;
	int64_t start, end; /* 0: not granted */
	int64_t firm_from;  /* until then it may get another start; 0: it does not */
	int64_t held;	    /* until then, unless it is accepted; 0: for good */
	uint32_t nodes_granted;
	/* How far the nodes granted are from those preferred (request.h), on the
	 * mean; 0: not at all, or none were. */
	uint32_t distance;
	uint32_t leaves; /* over how many those granted are; 0: there is one of all */
	bool apart;	 /* of a submission, not in the text: it may have parts of nodes */
	/* The nodes of which it takes other amounts (texts.h); "": as much of all. */
	char odd[RSPB_CONTRACT_ODD];
	int64_t share_granted;
	int64_t promise; /* nodes, or share: what of the grant may be
				 * counted on; 0: all of it */
	int64_t had;	 /* likewise, before an outage took some of it; 0: none did */
	int64_t outage;	 /* when that was; it comes back. 0: there was none */
	int64_t charged; /* node-seconds, once it is over */
	uint32_t owner;	 /* uid of whose reservation it is, 0: the site's */
	/* The partitions of --partition=A,B that will do, first the one that the job is in, and how
	 * many after it have not been tried; "": the job named one. */
	char partitions[RSPB_PARTITIONS_TEXT];
	uint32_t untried;
	struct rspb_ratio benefit; /* den 0: none yet */
	/* The nodes granted, by their names as Slurm writes them; "": not known,
	 * or too long to be kept. */
	char on[RSPB_CONTRACT_NODES];
	/* The use of a share as nodes reported it: words of rspb_use_words(). */
	char use[RSPB_USE_WORDS];
	char reason[RSPB_ERR_TEXT];
};
/* Whether its job asks for an offer that was accepted. */
static inline bool rspb_contract_of_offer(const struct rspb_contract *contract)
{
	return contract->was.numbers[0];
}
/* RET rspb_request.moves, as far as the contract tells. */
static inline int64_t rspb_contract_moves(const struct rspb_contract *contract)
{
	return contract->firm_from ? contract->start - contract->firm_from : 0;
}
/* RET the length of the whole line, as snprintf does. The reason must hold no
 * control characters (rspb_fail leaves none). */
size_t rspb_contract_print(const struct rspb_contract *contract, char *buf, size_t size);
/* Whether a text (NULL: none) is a contract in that state, by its first words
 * alone: for those who look at many. */
bool rspb_contract_says(const char *text, enum rspb_state state);
/* RET 0; -1 with err when text is not a contract, out unchanged. */
int rspb_contract_parse(const char *text, struct rspb_contract *out, struct rspb_err *err);

/* --- the text of --work (common/request/request.h) --- */

/* Read "64h", "64h:5%" (what one node takes 64 hours for, a twentieth of it serial) or
 * "2@9h,4@5h,8@3h". RET 0, or -1 with err and out unchanged. */
int rspb_moldable_parse(const char *text, struct rspb_moldable *out, struct rspb_err *err);

/* --- tag.c --- */

/*
 * The tag: what an operator writes into the text field of a reservation without
 * nodes to make it a request,
 *	rspb:nodes=2-4,deadline=2026-11-24T18:00,benefit=linear:25%
 *	rspb:nodes=2,cores=16,mem=32G,gres=gpu:2
 * Keys and values are those of the flags; when and how long, for whom, which
 * partition and features stand in the reservation itself.
 */

enum { RSPB_TAG_TEXT = 2048, RSPB_TAG_TIME = 64 };

/* A row per key; members of the flags with RSPB_TERM_TAG are keys, too. */
struct rspb_tag_key {
	const char *name;
	const char *arginfo;
	/* RET 0, or -1 with one sentence that does not begin with the key. NULL: of deadline. */
	int (*set)(struct rspb_contract *asked, const char *value, struct rspb_err *err);
};
extern const struct rspb_tag_key rspb_tag_keys[]; /* ended by name NULL */

/* Whether a text is meant for us: it begins with "rspb:". */
bool rspb_tag_ours(const char *text);
/* Whether it holds a contract (rspb_contract_parse) instead of a request: a
 * state's name follows. */
bool rspb_tag_answered(const char *text);
/* RET 0; -1 with one sentence that names the key: an unknown or repeated one, a
 * value that can't be read, no nodes=; out unchanged. out: a request (flags.book set) whose window
 * the reservation has; deadline: as written, "": none. */
int rspb_tag_parse(const char *text, struct rspb_contract *out, char deadline[RSPB_TAG_TIME],
		   struct rspb_err *err);

#endif
