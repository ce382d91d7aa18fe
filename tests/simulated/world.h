/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulated cluster: its jobs, reservations and nodes, what Slurm has saved of
 * them, and what the checks remember. It is in shared memory, since each life of
 * slurmctld is a process of its own, which a kill ends.
 *
 * A thread of the controller reads and changes it with Slurm's lock (rspb_ctld_lock()),
 * as in slurmctld.
 */
#ifndef RSPB_TESTS_SIMULATED_WORLD_H
#define RSPB_TESTS_SIMULATED_WORLD_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/nodeset.h"
#include "plugins/compat/job.h"
#include "plugins/compat/resv.h"

enum {
	SIM_NODES = 64,	    /* a set of nodes is one word */
	SIM_JOBS = 2048,    /* at a time; number modulo that is the slot */
	SIM_RESVS = 512,    /* likewise */
	SIM_TEXT = 4608,    /* a contract, a tag */
	SIM_FAULTS = 64,    /* kept; more are counted */
	SIM_GONE = 64,	    /* deleted reservations, remembered */
	SIM_FILES = 16,	    /* of the broker on the disk */
	SIM_LABELS = 65536, /* names of jobs in a scenario */
	SIM_SHOWN = 256,
	SIM_KILL_WAIT = 30,
	SIM_MIN_JOB_AGE = 300,
	SIM_REQUEUE_DELAY = 120,
	SIM_LICENSES = 10,
	SIM_SUSPEND_S = 900, /* idle nodes sleep then, */
	SIM_RESUME_S = 60,   /* and wake up within so long */
	SIM_BESIDE = 16,     /* programs on a node at a time */
	SIM_TYPES = 2,	     /* of GPUs: a and b */
	SIM_WHOLE = 10000,   /* of shares, in 1/100 per cent */
	SIM_NOTICES = 512,   /* remembered */
	SIM_SERIES = 16,     /* bookings of a series that are moved together */
	SIM_TOGETHER_S = 60, /* by then they have moved */
	SIM_GROUPS = 64,     /* likewise, of bookings without a job */
	SIM_SMALL_NODES = 6, /* of a job in partition small, and */
	SIM_SMALL_S = 1800,  /* its longest time limit */
	SIM_OVER = 4,	     /* jobs on a core of it, where OverSubscribe says so */
	SIM_TASKS = 2	     /* of a booking on each of its whole nodes */
};

/* So much of a node: what it has, or what somebody takes of it. */
struct sim_take {
	uint32_t cores, memory, share, gpus[SIM_TYPES];
	uint32_t over,
		over_most; /* cores that up to SIM_OVER jobs share: in all, the most of one */
	uint32_t capped;   /* CPUs that count against MaxCPUsPerNode */
};

#define SIM_S	  INT64_C(1000000) /* microseconds */
#define SIM_BEGIN (1000 * SIM_S)   /* of a run */

struct sim_job {
	uint32_t id, uid;
	uint32_t label;			     /* jN in a scenario */
	uint32_t leader, component, n_parts; /* n_parts: of the leader; 0: it is alone */
	uint32_t after;			     /* it waits for the end of that job */
	uint32_t licenses;
	char feature; /* 'a' or 'b', 0: any */
	/* Of each node; cpus and share 0: it takes its nodes whole. */
	uint32_t cpus, memory, gpus, share;
	char gpu; /* their type, 'a' or 'b' */
	bool preemptable;
	bool small; /* it is in partition small: the lower half of the nodes, for small jobs */
	bool over;  /* --oversubscribe, or its partition says FORCE */
	uint32_t array, task, undivided; /* tasks that are in this record still */
	bool suspended, fits;		 /* fits: as it was submitted, nothing was in its way */
	bool raised;			 /* an operator has changed its time limit */
	int64_t starves_from; /* since when nothing has been, of a regular job; -1: was reported */
	int64_t suspended_at, resume_at, lost; /* seconds: since and until when, how long in all */
	uint32_t nodes_min, nodes_max;
	uint32_t tasks; /* two for each node of a booking of whole nodes, 0: not given */
	uint32_t resv_id;
	enum rspb_job_phase phase;
	bool booking; /* it has asked for one */
	bool held, cancelled, by_owner, requeue;
	bool held_by_us;			   /* the broker holds it */
	int64_t submitted, begin, deadline, limit; /* seconds */
	int64_t asked_from, asked_until; /* the window in which it was submitted, 0: any */
	int64_t start, end, over_at;
	int64_t planned;  /* when it is to begin, as it was asked last */
	int64_t runs;	  /* its program ends by itself so long after its start */
	uint64_t nodes;	  /* that it has, also while they are cleaned up */
	uint64_t unclean; /* of these, not clean yet */
	uint64_t mark;	  /* changes with the record */
	uint32_t starts;  /* how often it has begun */
	char resv[RSPB_RESV_NAME];
	int64_t clean_at[SIM_NODES]; /* microseconds */
	char contract[SIM_TEXT];
};

struct sim_resv {
	bool used;
	uint32_t id;
	char name[64];
	bool maintenance;
	int64_t period; /* seconds after which it returns; 0: never */
	int64_t start, end;
	uint64_t nodes;
	struct sim_take takes; /* of each node; no cores: it has its nodes whole */
	uint16_t cores[SIM_NODES];
	char users[64], tag[SIM_TEXT];
};

/* The contents of a file of Slurm's. */
struct sim_jobs {
	struct sim_job slot[SIM_JOBS];
	uint32_t ids[SIM_JOBS]; /* of those that there are, in rising order */
	uint32_t n, next;	/* next: number of the next job */
};
/* Numbers of jobs, in rising order. */
struct sim_ids {
	uint32_t id[SIM_JOBS], n;
};
struct sim_resvs {
	struct sim_resv slot[SIM_RESVS];
	uint32_t hash[SIM_RESVS]; /* of their names */
	int top;		  /* behind the last that is used */
	uint32_t next;
};

/* The last message to the owner of a booking. */
struct sim_promise {
	uint32_t id; /* 0: nobody */
	int64_t start, end;
	uint32_t nodes;
	uint64_t on;		    /* which; 0: not said */
	struct sim_take takes;	    /* of each; no cores and no share: all of it */
	bool over;		    /* it is not owed any more */
	bool begun, late;	    /* late: has been reported */
	bool asked;		    /* its owner wants it changed */
	int64_t lost_since;	    /* microseconds */
	int64_t asked_at, ended_at; /* seconds */
	bool stray;		    /* has been reported */
	bool moved;		    /* it has had another start */
	int64_t settle_at;	    /* seconds: by then Slurm's records agree with it */
	bool fresh;		    /* has been told, and not been compared with others yet */
	uint64_t mark;
	bool booked, said; /* as the contract was read last */
	bool told_why;	   /* since it has this start, its owner was told something once */
	bool first;	   /* it has been told once */
	bool changed;	   /* its owner has had it changed */
	int64_t given_up;  /* when its owner cancelled or released it first; seconds */
	bool told, reminded;
	bool told_over;	    /* that it came to an end */
	uint64_t final_in;  /* the life in which its contract came to an end; 0: it has not */
	int64_t held_until; /* seconds: an offer that is to be accepted by then; 0: it is none */
	int64_t booked_at, firm_at; /* seconds; firm_at: from then on it does not move */
	int64_t again_from;	    /* since when it waits again; -1: was reported */
	int64_t fixed_at;	    /* likewise, as it was told last; 0: it was not */
	uint64_t booked_in;	    /* the section in which it was booked */
	int64_t listed_at;	    /* microseconds */
	bool grown, asked_more; /* as told last it has more nodes, or longer; as its owner asked */
	bool gave_way;		/* an outage has cost it its time slot, as was told last */
	int64_t stuck_from;	/* since when its owner holds its job; seconds, 0: not */
	bool told_firm;		/* its owner was told that its start is fixed */
	uint32_t had;		/* nodes before an outage took some of them; 0: none did */
	int64_t lacks_from; /* since when these could be given back; seconds, -1: was reported */
	int64_t told_start; /* as its owner was told last; seconds, 0: not known */
	uint32_t told_nodes;
	int64_t before_from; /* since when it is before what it waits for; -1: was reported */
	uint64_t told_in;    /* the section in which it was told last */
	uint32_t owed;	     /* nodes without those by which it has grown */
	uint64_t series;     /* its series, 0: none */
	int64_t given;	     /* seconds of nodes that its owner gave back while it ran */
	int64_t wanted_at;   /* when its owner, or an operator, last asked for a change; seconds */
};

/* A reservation that an operator has deleted. */
struct sim_gone {
	char name[64];
	int64_t us, start;
	uint64_t nodes;
};

struct sim_file {
	char name[64];
	int64_t size, synced;
};

/* A request that was declined, and seems to have had all it needs. */
struct sim_doubt {
	uint32_t id;
	int64_t at;
};

/* A job that an outage has cost its booking, and that is to ask again. */
struct sim_loser {
	uint32_t id;
	int64_t from; /* since when it would find room; seconds */
};

/* The terms that the owner of a job without components has asked for; seconds, 0: any. */
struct sim_want {
	uint32_t id;
	uint64_t line, life; /* the question, and in which life it was asked */
	bool agreed;	     /* it was answered with yes */
	bool offer;	     /* an offer is accepted */
	int64_t from, until, seconds, hold;
	uint32_t nodes;
};

/* Bookings of a series that were to move together. */
struct sim_together {
	uint32_t n, id[SIM_SERIES];
	int64_t start[SIM_SERIES];
	int64_t at, by; /* seconds; at: when that was asked for */
	bool judged;
};

/* What the owner of a booking was told. */
struct sim_notice {
	uint64_t key, hash, life, number;
};

/* A booking without a job, that a user has asked for. */
struct sim_group {
	uint32_t label;	       /* gN in a scenario; 0: none */
	char name[64];	       /* "": slurmctld has not answered */
	uint32_t number;       /* of its reservation, when its owner releases it */
	uint64_t release_line; /* the question, 0: none; and the life in which it is asked */
	uint64_t release_life;
	bool released;			 /* which was answered */
	int64_t told_start, untold_from; /* as its owner was told last; since when it is another */
};

/* The last line of a job or a reservation in the list of states. */
struct sim_shown {
	char name[40], state[64];
	bool seen;
};

/* How a life of slurmctld ends, besides at the end of the run. */
enum sim_kill {
	SIM_KILL_NEVER,
	SIM_KILL_NOW,
	SIM_KILL_SYNC,	      /* within the n-th sync of a file */
	SIM_KILL_BOOKED,      /* as the n-th contract says "booked" */
	SIM_KILL_JOBS_SAVED,  /* after Slurm has saved jobs, before reservations */
	SIM_KILL_RESVS_SAVED, /* after it has saved reservations, and jobs have changed since */
	SIM_KILL_WRITE,	      /* within the n-th write of a file */
	SIM_KILL_RENAME,      /* before or after the n-th file gets its name */
	SIM_KILL_RESV,	      /* as the n-th reservation has been made or changed */
	SIM_KILLS
};

struct sim_counts {
	uint64_t notices, events, submitted, booked, declined, started, regular, cancelled, moved;
	uint64_t withdrawn, steps, bad_syncs, requeued;
	uint64_t kills, power, torn, lives, syncs, saves, kept, nodes_down, edits, asked, answered;
};

struct sim_world {
	int64_t us;	/* of a clock that only goes forward */
	int64_t offset; /* to the clock that people see */
	struct sim_jobs jobs;
	/* Jobs that run or are cleaned up; these and those that are over; those that wait without a
	 * reservation. Most jobs only wait, and a walk over all reads much memory. */
	struct sim_ids placed, due, waiting;
	struct sim_resvs resvs;
	int64_t changed_jobs, changed_nodes, changed_resvs; /* seconds */
	int64_t others;					    /* rspb_ctld_counts() */
	uint64_t edits;					    /* rspb_ctld_counts() */
	uint32_t cancels;
	uint64_t marks;
	uint64_t down, drained, silent;	 /* nodes */
	uint64_t absent;		 /* slurm.conf does not list them now */
	int64_t listed_at[SIM_NODES];	 /* when it lists them again; microseconds, 0: not so */
	int64_t renumbered_at;		 /* when it listed others; seconds */
	uint64_t drop;			 /* to be drained when their jobs are over */
	int64_t fixed_until;		 /* Slurm refuses changes of reservations; seconds */
	int64_t closed_at, closed_until; /* no partition starts jobs; seconds */
	/* The jobs whose programs are there; the truth. */
	struct sim_there {
		uint32_t job;
		struct sim_take takes;
	} there[SIM_NODES][SIM_BESIDE];
	int64_t registers[SIM_NODES]; /* when it tells what runs there; microseconds, 0: it has */
	int64_t in_use[SIM_NODES];    /* when something was last in its way; microseconds */
	int64_t back_at[SIM_NODES];   /* when a node in trouble serves again */
	int64_t lost_at[SIM_NODES];   /* since when it does not; microseconds, 0: it does */
	uint64_t asleep;	      /* nodes, also those that wake up */
	int64_t awake_at[SIM_NODES];  /* of those that wake up; microseconds */

	struct sim_jobs saved_jobs, older_jobs;
	struct sim_resvs saved_resvs, older_resvs;
	int64_t saved_at, saved_resvs_at, older_at; /* seconds */
	int64_t save_due, save_resvs_due;	    /* microseconds, 0: nothing has changed */

	struct sim_file files[SIM_FILES];
	bool power;  /* the kill is one of power: what is not synced may be lost */
	bool damage; /* with the kill, what is synced is damaged */
	size_t next_action;
	uint32_t labels; /* the last that was given */
	uint32_t of_label[SIM_LABELS];
	struct sim_shown shown[SIM_SHOWN];
	int64_t look_at; /* the scheduler has a reason to look for jobs; microseconds */
	struct sim_promise promises[SIM_JOBS];
	uint32_t live[SIM_JOBS], n_live; /* numbers of those that are not over */
	uint32_t n_there[SIM_NODES];	 /* programs there */
	int64_t reboots[SIM_NODES];	 /* how long it will be away once it is empty; seconds */
	struct sim_notice notices[SIM_NOTICES];
	uint64_t n_notices;
	struct sim_doubt doubts[SIM_GONE];
	uint32_t n_doubts;
	struct sim_loser losers[SIM_GONE];
	uint32_t n_losers;
	struct sim_want wants[SIM_GONE];
	uint32_t n_wants;
	bool first_start;  /* as in the settings, since rspb.conf was changed */
	int64_t losers_at; /* when these were looked at last; seconds */
	struct sim_together together;
	struct sim_group groups[SIM_GROUPS];
	struct sim_gone gone[SIM_GONE];
	uint32_t n_gone;
	int64_t given_up_at;	/* seconds: when a booking came to an end last */
	int64_t calm_at;	/* microseconds: until then what is late is forgiven */
	int64_t disk_bad_until; /* likewise: syncs fail */
	int64_t disk_slow_until;
	int64_t began;	   /* this life, microseconds */
	uint64_t sections; /* how often slurmctld's locks were taken */

	struct sim_counts counts;
	uint64_t faults;
	char fault[SIM_FAULTS][256];
};
extern struct sim_world *sim_world;

/* The keys of rspb.conf that the seed sets. */
struct sim_settings {
	int64_t reserve_ahead, min_notice, horizon; /* seconds */
	int64_t max_duration, max_ahead, remind;    /* likewise, 0: any, none */
	int64_t max_series_ahead, account_ahead;    /* likewise */
	uint32_t max_waiting, charge_percent;
	uint32_t account_waiting, node_hours; /* likewise */
	bool charge_unused, no_show;	      /* no_show: what was not used counts */
	bool overrun_ends;		      /* jobs are ended at the end of their slots */
	bool groups; /* users have more than their jobs: bookings without a job, or unused ones */
	uint32_t booked_percent, max_nodes; /* max_nodes 0: any number */
	bool release_early;
	bool keeps_stuck;	      /* Unstartable=hold */
	bool first_start;	      /* a request gets the first start of its window, or none */
	bool clock_steps, disk_fails; /* not of rspb.conf: what happens */
	bool preempts, power_saving;  /* of slurm.conf */
	bool shares;		      /* some bookings have shares of nodes */
	bool parts;		      /* nodes are lent in parts, and are of several kinds */
	bool partitions, weights, switches; /* there are several */
	bool priorities;		    /* jobs of higher uids have higher ones */
	enum { SIM_NO, SIM_YES, SIM_FORCE, SIM_EXCLUSIVE } small_over; /* OverSubscribe of small, */
	bool small_first;    /* its PriorityTier is above that of main, */
	uint32_t small_cpus; /* and its MaxCPUsPerNode; 0: any */
	bool backfill;	     /* regular jobs that wait are planned ahead */
	bool node_list;	     /* slurm.conf lists other nodes now and then */
};

/* The settings of a run: the same settings and seed give the same run. */
struct sim_run {
	uint64_t seed;
	int64_t until; /* microseconds */
	double kills;  /* a day, about */
	uint32_t nodes;
	struct sim_settings settings;
	bool calm; /* nothing happens by itself: no long epilog, no slow disk */
	int verbose;
	bool stop; /* at the first fault */
};
extern struct sim_run sim_run;

/* world.c */
int64_t sim_now(void); /* seconds, as people see them */
struct sim_job *sim_job_find(uint32_t id);
/* RET the place of the first number of a list that is no lower. */
uint32_t sim_ids_place(const uint32_t *ids, uint32_t n, uint32_t id);
/* RET a new job, all 0 but its number; NULL: there is no room. */
struct sim_job *sim_job_add(void);
void sim_job_forget(uint32_t id);
void sim_job_changed(struct sim_job *job);
bool sim_job_placed(const struct sim_job *job);
/* RET the first component of a heterogeneous job, or the job. */
struct sim_job *sim_job_leader(struct sim_job *job);
/* The job gets these nodes now. */
void sim_job_begin(struct sim_job *job, uint64_t nodes, int64_t end);
/* Its program is over, its nodes are cleaned up; requeued: it waits again. */
void sim_job_end(struct sim_job *job, bool cancelled, bool by_owner, bool requeued);
struct sim_resv *sim_resv_find(const char *name);
struct sim_resv *sim_resv_add(const char *name);
/* others: somebody else has changed it, not the broker. */
void sim_resv_changed(bool others);
uint64_t sim_nodes_all(void);
/* Nodes have numbers in Slurm's table, which change when slurm.conf lists others: how many there
 * are, the node with a number (SIM_NODES: there is none), and the number of a node. */
uint32_t sim_width(void);
uint32_t sim_node_at(uint32_t number);
uint32_t sim_number_of(uint32_t node);
/* slurm.conf does not list a node for a while, and Slurm is reconfigured. */
void sim_node_unlisted(uint32_t node, int64_t for_us);
/* Whether maintenance has one of these nodes now. */
bool sim_resv_blocks(uint64_t nodes);
uint64_t sim_nodes_used(void);	   /* jobs are on them, or being cleaned up */
uint64_t sim_nodes_unusable(void); /* nobody may count on them */
uint64_t sim_nodes_silent(void);   /* they do not answer, or not yet */
/* Between sets of numbers and of nodes; those that are not listed are left out. */
uint64_t sim_bits(const struct rspb_nodeset *set);
void sim_bits_add(uint64_t nodes, struct rspb_nodeset *set);
/* RET the nodes with these names, commas between them. */
uint64_t sim_nodes_parse(const char *names);
/* RET malloc'ed names with commas between. */
char *sim_names(uint64_t nodes);
void sim_node_fails(uint32_t node, int64_t back_after);
/* Let Slurm do what is due by itself. */
void sim_world_tick(void);
/* It will do so a little later, as many jobs may come or go at a time. */
void sim_world_look(int64_t seconds);
void sim_save_jobs(void);
/* slurmctld is killed: what it has saved is what there is. */
void sim_world_restart(void);

/* room.c: what nodes have, and what fits there */
struct sim_take sim_node_has(uint32_t node);
uint32_t sim_node_threads(uint32_t node);
struct sim_take sim_job_takes(const struct sim_job *job, uint32_t node);
bool sim_job_whole(const struct sim_job *job);
/* The nodes of partition small, and those that are lent in parts. */
uint64_t sim_small_nodes(void);
uint64_t sim_lent_nodes(void);
/* CPUs of a node that count against MaxCPUsPerNode of a job; 0: none do. */
uint32_t sim_job_capped(const struct sim_job *job, uint32_t node);
/* RET the CPUs of a node that other jobs of the partition small have while a job would run; *laid:
 * those of bookings whose reservations are there. */
uint32_t sim_capped_on(const struct sim_job *own, uint32_t node, int64_t start, int64_t end,
		       uint32_t *laid);
/* Whether the scheduler looks at a job before another one. */
bool sim_job_before(const struct sim_job *job, const struct sim_job *other);
void sim_take_add(struct sim_take *sum, const struct sim_take *takes);
/* RET NULL: it is within; else what there is too little of. */
const char *sim_take_exceeds(const struct sim_take *sum, const struct sim_take *has);
/* What jobs have of each node, as Slurm knows. */
void sim_used(struct sim_take used[SIM_NODES]);
/* Whether a job finds room there, beside what is used. */
bool sim_fits(const struct sim_take used[SIM_NODES], const struct sim_job *job, uint32_t node);
/* RET whether it would be given nodes, in out, as rspb_layout_pick() has them without a layout. */
bool sim_pick(const struct sim_job *job, const struct rspb_pick *pick, struct rspb_nodeset *out);
/* The same as sim_fits() beside the programs that are there, whatever Slurm knows. */
bool sim_fits_there(const struct sim_job *job, uint32_t node);
/* The program of a job is on a node, or no longer. */
void sim_there_add(struct sim_job *job, uint32_t node);
void sim_there_drop(uint32_t job, uint32_t node);
bool sim_there(uint32_t job, uint32_t node);
bool sim_there_any(uint32_t node);

/* slurm_parts.c: what is counted besides cores, by the keys of rooms */
struct rspb_quotas;
uint32_t sim_take_of(const struct sim_take *takes, uint64_t key);
void sim_take_keys(const struct sim_take *takes, struct rspb_quotas *quotas);

/* select.c: Slurm's scheduler looks for regular jobs to start. */
/* backfill: it is a pass of backfill, too. */
void sim_world_schedule(bool backfill);
/* slurm_select.c: ask the select plugin where a regular job may begin now, or when, which is in
 * job->planned. among: nodes that it may have; taken: those that others are to have before a
 * time. RET the nodes, 0: none. */
typedef uint64_t (*sim_planned_fn)(int64_t end);
uint64_t sim_select(struct sim_job *job, uint64_t among, bool run_now, bool backfill,
		    sim_planned_fn taken);

/* schedule.c: one thread runs at a time, chosen by the seed. */
uint64_t sim_random(void);
uint64_t sim_below(uint64_t n); /* a number below n */
void sim_seed(uint64_t seed);
void sim_threads_begin(void);
void sim_sleep(int64_t us);
/* Wait until sim_wake() of the same address, or that moment. */
void sim_wait(const void *on, int64_t until);
void sim_wake(const void *on);
extern uint64_t sim_switches;

/* disk.c */
/* After a loss of power: cut what was not synced. */
void sim_disk_cut(void);
/* Change a bit of the journal, if Slurm has saved all that is in it. */
void sim_disk_damage(void);
/* Syncs fail for so many microseconds. */
void sim_disk_fails(int64_t us);
void sim_disk_slow(int64_t us);
void sim_die(void) __attribute__((noreturn));
/* kill.c: slurmctld is to be killed the n-th time that it passes such a place. */
void sim_kill_arm(const char *way, uint64_t n, bool power, bool damage);
/* It passes one. RET whether it is killed there. */
bool sim_kill_passes(enum sim_kill way);
/* A step of the run begins, from which passes are counted. */
void sim_kill_step(void);
/* The dice of a seed choose how a life ends; and do what is due at a time. */
void sim_kill_choose(void);
void sim_kill_due(void);

/* log.c: each line has its time; the same run gives the same lines. */
void sim_log_open(const char *path);
void sim_log_close(void);
void sim_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void sim_log_lines(const char *level, const char *fmt, va_list args);
/* Something is wrong. */
void sim_fault(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* checks.c */
void sim_check_contract(const struct sim_job *job);
/* A request is about to be told that it is booked. */
void sim_check_decision(const struct sim_job *job);
void sim_check_begins(const struct sim_job *job);
void sim_check_ended_early(const struct sim_job *job, const char *how);
void sim_check_cancelled(uint32_t id);
/* Its owner wants it changed. */
void sim_check_asked(uint32_t id);
/* Note the bookings of a job's series that wait for their starts. */
void sim_check_series(uint32_t id, struct sim_together *all);
/* RET whether a request was made, or made again, at that second. */
bool sim_asked_at(uint32_t id, int64_t second);
void sim_check_all(void);
/* Somebody other than a booking begins there. */
void sim_check_regular(const struct sim_job *job, uint64_t nodes, int64_t start);

/* A notice is delivered. start, nodes: what it says of the booking; 0: of several. */
void sim_check_notice(uint32_t id, const char *event, int64_t start, uint32_t nodes);
/* Likewise of a booking without a job. */
void sim_check_group_notice(const char *name, int64_t start);
/* A booking is asked for. */
void sim_check_submitted(struct sim_job *job);
/* A regular job waits. */
void sim_check_waits(struct sim_job *job);
/* Slurm forgets a job that is over. */
void sim_check_forgotten(const struct sim_job *job);

/* check_state.c: what Slurm has agrees with what was promised. */
void sim_check_state(void);
/* slurmctld has begun a short while ago. */
bool sim_recovering(void);

/* wants.c: an owner asks for other terms, is answered, or asks for something else. */
void sim_want_note(const struct sim_want *want);
void sim_want_answered(uint64_t line, bool yes);
void sim_want_forget(uint32_t id);
/* The contract of a job has changed. */
void sim_want_told(const struct sim_job *job);

/* features.c */
uint64_t sim_feature_nodes(char feature);
uint64_t sim_eligible(const struct sim_job *job);
int64_t sim_licenses_used(void);
/* world.c: nodes that sleep begin to wake up. */
void sim_wake_nodes(uint64_t nodes);

/* states.c */
void sim_states_open(const char *file);
void sim_states_step(void);

/* settings.c */
void sim_settings_choose(void);
void sim_settings_write(void);

/* workload.c */
void sim_dice_seed(uint64_t seed);
uint64_t sim_dice(uint64_t n); /* a number below n */
void sim_workload_step(void);

/* door.c: messages of users, through what answers them. */
void sim_door_ask(uint32_t uid, const char *text);
/* The same of somebody who may not have that done. */
void sim_door_refuses(uint32_t uid, const char *text);
/* Ask what a job could have instead, and accept the first, or the `which`-th, by its word. */
void sim_door_accept(const struct sim_job *job, uint32_t which);
/* Likewise: its answer has the name of a booking without a job. */
/* RET how many questions were asked in this life. */
uint64_t sim_door_lines(void);
void sim_door_reserve(uint32_t uid, const char *text, uint32_t label);

#endif
