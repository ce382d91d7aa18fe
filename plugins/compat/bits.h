/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between Slurm's bitmaps and ours; the numbers of the nodes are the same. */
#ifndef RSPB_PLUGINS_COMPAT_BITS_H
#define RSPB_PLUGINS_COMPAT_BITS_H

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "plugins/compat/slurm.h"

/* Add the nodes of bits (NULL: none) to out; those beyond its width are left
 * out. */
void rspb_bits_add(bitstr_t *bits, struct rspb_nodeset *out);
/* RET a bitmap as wide as the node table; the caller frees it with bit_free. */
bitstr_t *rspb_bits_make(const struct rspb_nodeset *set);
/* RET those of them that there are (rspb_record_there); the caller frees it likewise.
 * NULL: bits is. */
bitstr_t *rspb_bits_there(bitstr_t *bits);
/* The same for those who ask once a job (node_sizes.c): rspb_bits_there() looks at each node of
 * the cluster. */
bitstr_t *rspb_node_those_there(bitstr_t *bits);
/* Read the names, n[1-4], of a flag or setting `what`, unless they are many more than there are
 * nodes: Slurm writes each out, and logs it, before it looks whether there is one. RET 0, or -1
 * with err and *out as it was. */
int rspb_bits_named(const char *what, const char *names, bitstr_t **out, struct rspb_err *err);

#endif
