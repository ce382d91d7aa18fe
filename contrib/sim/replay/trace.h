/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that a machine once had: from the Standard Workload Format of the
 * Parallel Workloads Archive (Feitelson), or from what sacct(1) prints, plain or
 * compressed. Real files have faults: what can't be used is skipped and
 * counted, not refused.
 */
#ifndef RSPB_SIM_REPLAY_TRACE_H
#define RSPB_SIM_REPLAY_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/err.h"
#include "common/base/text.h"
#include "contrib/sim/replay/workload.h"

/* Where a file is from, and what its machine is counted in. */
enum sim_trace_format {
	SIM_TRACE_SWF,	      /* processors */
	SIM_TRACE_SACCT,      /* whole nodes */
	SIM_TRACE_SACCT_CPUS, /* CPUs, where jobs share nodes */
};

struct sim_trace_job {
	int64_t submit;	  /* seconds, >= 0 */
	int64_t duration; /* asked for, else what it ran; seconds, > 0 */
	int64_t ran;	  /* seconds, 0: unknown, or all of its duration */
	int64_t waited;	  /* from there to its start; seconds, -1: unknown */
	uint32_t nodes;	  /* asked for, else used; > 0 */
	/* Numbers in trace->names, from 1; 0: unknown. */
	uint32_t user, account, partition, qos;
	/* Where `nodes` are processors; 0: unknown. */
	uint32_t least;	 /* nodes, at least */
	uint32_t memory; /* MB in all */
	uint32_t gpus;	 /* in all */
};

enum sim_trace_fault {
	SIM_TRACE_FIELDS,   /* too few fields, too many, or no numbers */
	SIM_TRACE_TIME,	    /* no submit time */
	SIM_TRACE_CLOCK,    /* sacct: a time that no calendar has, or that can't be read */
	SIM_TRACE_DURATION, /* neither requested time nor run time */
	SIM_TRACE_SIZE,	    /* neither requested nor used processors */
	SIM_TRACE_WIDE,	    /* larger than the machine */
	SIM_TRACE_STEP,	    /* sacct: a step, whose job has its own line */
	SIM_TRACE_WAITED,   /* sacct: it never started, or has not yet */
	SIM_TRACE_AGAIN,    /* sacct: a run that an earlier line has already */
	SIM_TRACE_PART,	    /* SWF: a stretch of a checkpointed job, whose line has all of it */
	SIM_TRACE_FAULTS
};

/* The values that are assumed because the file does not say them. */
enum sim_trace_guess {
	SIM_GUESS_LIMIT,     /* no time limit: what the job ran */
	SIM_GUESS_SIZE,	     /* SWF: no requested processors: the used ones */
	SIM_GUESS_CUT,	     /* SWF: fewer than 18 fields: those that there are */
	SIM_GUESS_CANCELLED, /* SWF: cancelled in the queue: what the job asked for */
	SIM_GUESS_MEMORY,    /* sacct: an amount of memory that can't be read: none */
	SIM_GUESS_GPUS,	     /* sacct: a number of GPUs that can't be read: none */
	SIM_GUESSES
};

struct sim_trace {
	uint32_t nodes; /* the machine: as asked for, as the file says (sacct:
			 * the most in use at once) */
	int64_t began;	/* when time 0 was, seconds since 1970; 0: unknown */
	char **names;	/* owned, of users, accounts, partitions and QOS */
	size_t n_names, names_room;
	uint32_t *name_rows; /* owned: numbers of names, by their hash */
	size_t n_name_rows;
	struct sim_trace_job *jobs; /* owned, in order of submit time */
	size_t n, room;
	size_t skipped[SIM_TRACE_FAULTS];
	size_t unordered;		     /* jobs that were submitted before the one above */
	size_t first_line[SIM_TRACE_FAULTS]; /* where a fault is first met */
	size_t guessed[SIM_GUESSES];
	size_t guessed_line[SIM_GUESSES]; /* where a guess is first made */
	bool most_in_use;		  /* nodes are the most that was in use at once */
	const char *unit;		  /* what nodes are, in words */
	bool nodes_alone;		  /* the file says how many nodes, of processors not */
};

/*
 * Read a trace. nodes: the machine's size in what the format counts, 0: as the
 * file says; cores: of each node, by which the size of a machine of which only nodes
 * are known is in processors, too (1: they are). RET 0, or -1 with err: it can't be read at all,
 * does not say how large the machine is, or holds no job, with the reasons; nothing has to be
 * freed then.
 */
int sim_trace_read(struct sim_trace *trace, const char *path, enum sim_trace_format format,
		   uint32_t nodes, uint32_t cores, struct rspb_err *err);
/* The same of a stream; name stands in errors. */
int sim_trace_parse(struct sim_trace *trace, FILE *in, const char *name,
		    enum sim_trace_format format, uint32_t nodes, uint32_t cores,
		    struct rspb_err *err);
void sim_trace_fini(struct sim_trace *trace);
/* Say in one line what was read, and what was skipped and guessed, if anything was. */
void sim_trace_report(const struct sim_trace *trace, const char *name, FILE *out);
/* Append what was skipped, as "; no size: 3 (first in line 2)" of each kind. */
void sim_trace_tell_skipped(const struct sim_trace *trace, struct rspb_text *text);

/* Nodes that hold several jobs at a time: cores of each; memory (MB) and GPUs where they
 * count, else 0. */
struct sim_fat {
	uint32_t cores, memory, gpus;
};
/* A workload without any has nodes like that, as many as the trace's processors take.
 * RET 0, or -1 with err. */
int sim_fat_open(const struct sim_fat *fat, const struct sim_trace *trace,
		 struct sim_workload *workload, struct rspb_err *err);
/* RET what a job takes of such nodes: of as few as hold its processors, evenly, cores 0:
 * all of each. */
struct sim_need sim_fat_need(const struct sim_fat *fat, const struct sim_trace_job *job);
/* Skip jobs that these nodes can't hold. RET 0, or -1 with err, in which name stands: all
 * of them, or none says how much it takes of what the nodes have. */
int sim_fat_fit(const struct sim_fat *fat, struct sim_trace *trace, const char *name,
		struct rspb_err *err);

/* For the readers of the formats, which fill jobs as they stand in the file.
 * Both RET 0, or -1 with err. */
int sim_swf_lines(struct sim_trace *trace, FILE *in, struct rspb_err *err);
int sim_sacct_lines(struct sim_trace *trace, FILE *in, const char *name,
		    enum sim_trace_format format, struct rspb_err *err);
/* RET the number of a name, which is kept, from 1; 0: it is "", "-1" or there is no memory. */
uint32_t sim_trace_name(struct sim_trace *trace, const char *name);
/* RET a name by its number, NULL for 0. */
const char *sim_trace_name_of(const struct sim_trace *trace, uint32_t number);
/* RET a line without the byte order mark that spreadsheets put first into a file. */
const char *sim_trace_line(const char *line, size_t number);
/* Count what is taken though line `line` does not say it. */
void sim_trace_guess(struct sim_trace *trace, enum sim_trace_guess guess, size_t line);
/* Count a line that is of no use. RET 0. */
int sim_trace_skip(struct sim_trace *trace, enum sim_trace_fault fault, size_t line);
/* Append a job of that duration and size. RET 0, or -1 with err: no memory. */
int sim_trace_add(struct sim_trace *trace, const struct sim_trace_job *job, struct rspb_err *err);

/* Write jobs on whole nodes in the Standard Workload Format: nodes as processors,
 * the duration as requested and run time; ready times and deadlines have no place
 * in it. RET 0, or -1 with err: shares or parts are asked for. */
int sim_swf_write(const struct sim_workload *workload, FILE *out, struct rspb_err *err);

#endif
