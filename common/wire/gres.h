/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generic resources as text: "gpu:a100:2,shard:1", as --gres takes them. */
#ifndef RSPB_WIRE_GRES_H
#define RSPB_WIRE_GRES_H

#include <stdint.h>

#include "common/base/text.h"

/* Add them in words: "2 GPUs (a100), 1 shard". */
void rspb_gres_add_words(const char *gres, struct rspb_text *out);
/* Name the type of those that have none, if the others, which the node has, are of one type
 * of that kind: of "gpu:2" and "gpu:a100:4" this makes "gpu:a100:2". */
void rspb_gres_name_types(const char *gres, const char *has, char *out, size_t size);
/* RET how many GPUs they are, of a type (NULL or "": of all types); 0: none. */
int64_t rspb_gres_gpus(const char *gres, const char *type);
/* RET the type of the GPUs, of `*len` letters and not ended, if all are of one entry that
 * has a type; NULL: they are not. */
const char *rspb_gres_gpu_type(const char *gres, int *len);

#endif
