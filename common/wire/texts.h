/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that people write and read: amounts, durations and times, and short texts that stand for
 * much. */
#ifndef RSPB_WIRE_TEXTS_H
#define RSPB_WIRE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/base/err.h"
#include "common/base/text.h"

/* --- amounts.c --- */

/* Amounts of generic resources and memory as text. */

/* --- generic resources as --gres takes them: "gpu:a100:2,shard:1" --- */

/* Add them in words: "2 GPUs (a100), 1 shard". */
void rspb_gres_add_words(const char *gres, struct rspb_text *out);
/* Add what is taken of a node in words: "2 cores, 1 GPU (a100), 2048 MiB". The cores and the memory
 * may be 0: they are not named. */
void rspb_cores_add_words(int64_t cores, const char *gres, int64_t mem, struct rspb_text *out);
/* Name the type of those that have none, if the others, which the node has, are of one type
 * of that kind: of "gpu:2" and "gpu:a100:4" this makes "gpu:a100:2". */
void rspb_gres_name_types(const char *gres, const char *has, char *out, size_t size);
/* Whether each of them has a type. */
bool rspb_gres_has_types(const char *gres);
/* Read the next GPUs of a text, with their type, of `*len` letters and not ended (NULL: none), and
 * go on after them. RET how many, 0: there are no further ones. */
int64_t rspb_gres_next_gpus(const char **at, const char **type, int *len);
/* GPUs by type; zeroed before the first are added. */
enum { RSPB_GPU_TYPES = 16 };
struct rspb_gpus {
	struct {
		char type[64];	       /* "": none */
		int64_t count, others; /* counted apart */
	} of[RSPB_GPU_TYPES];
	size_t n;
};
/* Add the GPUs of so many nodes, of which each has these generic resources. GPUs of further types
 * are left out. */
void rspb_gpus_add(struct rspb_gpus *sum, const char *gres, int64_t nodes, bool other);
/* RET how many GPUs they are, of a type (NULL or "": of all types); 0: none. */
int64_t rspb_gres_gpus(const char *gres, const char *type);
/* RET the type of the GPUs, of `*len` letters and not ended, if all are of one entry that
 * has a type; NULL: they are not. */
const char *rspb_gres_gpu_type(const char *gres, int *len);

/* --- nodes of which a part takes other amounts than of its other ones, as a contract has
 * them: "c2/cores=8/memory=800,g1/gpu=1/gpu:a100=1". The name of a node, then its amounts by the
 * names of their kinds (request/request.h) --- */

#define RSPB_ODD_CORES "cores"

/* Zeroed before the first call. */
struct rspb_odd_word {
	char node[64], kind[64];
	int64_t amount;
};

/* Read the next amount of a text, which ends with a blank or as a string, and go on behind it.
 * RET false: there is none, or what follows is no such text. */
bool rspb_odd_next(const char **at, struct rspb_odd_word *word);
/* Whether a contract's text, or a tag's (NULL: none), has any. */
bool rspb_odd_any(const char *contract);
/* RET the amount of a kind that a contract's text, or a tag's, has for a node; the usual one:
 * none. */
int64_t rspb_odd_amount(const char *contract, const char *node, const char *kind, int64_t usual);
/* Take over the amounts that such a text has for its first node: cores and memory that differ, and
 * its devices in place of those in `gres`, which must be of one kind. RET false: they are of
 * several kinds, or the text is none, and all stays as it was. */
bool rspb_odd_take_first(const char *odd, int64_t *cores, int64_t *mem, char *gres, size_t size);
/* Print such a text in words: "8 cores, 1600 MiB of c2; 1 GPU (a100) of k1". */
void rspb_odd_add_words(const char *odd, struct rspb_text *out);

/* --- time_text.c --- */

/* Durations and times as texts of users, among them Slurm's forms. */

/*
 * Durations as text: 90s, 500ms, 15m, 2h, 1d, and Slurm's HH:MM:SS,
 * D-HH, D-HH:MM, D-HH:MM:SS, in milliseconds. MM:SS is refused, since it reads
 * like HH:MM, and a number without a unit, but 0. RET 0 or -1 with err, *ms unchanged.
 */
int rspb_duration_parse_ms(const char *text, int64_t *ms, struct rspb_err *err);
/* A time in whole seconds, 3650 days at most, of the len characters at text. RET as
 * that. */
int rspb_duration_seconds(const char *text, size_t len, int64_t *out, struct rspb_err *err);
/* The shortest of those forms with one unit: "90s", "2h"; as snprintf. */
size_t rspb_duration_print_ms(int64_t ms, char *buf, size_t size);

/* --- the clock of a reader, as a text that goes from host to host: its distance from UTC and
 * its name, now and after its next changes.
 *   -18000:EST,1772953200:-14400:EDT,1793512800:-18000:EST
 * An empty text is this process's own clock --- */

enum { RSPB_ZONE_TEXT = 96, RSPB_ZONE_NAME = 8 };

/* Describe this process's clock from `now` on, for a year. */
void rspb_zone_here(int64_t now, char text[RSPB_ZONE_TEXT]);
/* Whether a text is one. RET 0, or -1 with err. */
int rspb_zone_check(const char *text, struct rspb_err *err);
/* Whether this process's clock says the same, at every moment that it names. */
bool rspb_zone_is_here(const char *zone, int64_t now);
/* A second (since 1970) as that clock shows it, and its name. RET false: there is
 * no such time. */
bool rspb_zone_tm(const char *zone, int64_t at, struct tm *tm, char name[RSPB_ZONE_NAME]);
/* A text for who reads by that clock: its times, which are UTC
 * ("2026-11-24T09:00:00Z"), by it, with its name, but in a flag ("--begin="),
 * where sbatch takes none. What does not fit is left out. */
void rspb_zone_localize(const char *zone, const char *text, char *buf, size_t size);

/* --- unfold.c --- */

/*
 * Short texts of users that stand for much, which Slurm writes out in full before
 * it looks at any of it: how much that would be, without doing so. Never too
 * little; a text that Slurm refuses anyway may count as anything.
 */

/* Names in a list of nodes, n[1-4,7]x[0-1],m; UINT64_MAX: that or more. */
uint64_t rspb_unfold_names(const char *text);
/* RET 0, or -1 with err where a list has more names than four times `nodes`, which
 * is what the cluster has. what: the flag or setting that it is of. */
int rspb_unfold_names_check(const char *what, const char *text, uint32_t nodes,
			    struct rspb_err *err);

/* Sets of features that meet a constraint, (a|b)&(c|d), of which Slurm makes a
 * list from 23.02 on where nodes change their features; UINT64_MAX: that or
 * more. */
uint64_t rspb_unfold_features(const char *text);
/* RET 0, or -1 with err where they are more than 1,024. */
int rspb_unfold_features_check(const char *what, const char *text, struct rspb_err *err);

#endif
