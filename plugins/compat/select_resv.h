/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a reservation that somebody asks for would occupy. */
#ifndef RSPB_PLUGINS_COMPAT_SELECT_RESV_H
#define RSPB_PLUGINS_COMPAT_SELECT_RESV_H

#include <stdint.h>

#include "plugins/compat/select_ops.h"

/* The plugin's entry point, which lets prepare(desc, available) take nodes out
 * of those available before the stock plugin is asked. */
/* clang-format off */
#define RSPB_SELECT_RESV_TEST(prepare, stock) \
bitstr_t *select_p_resv_test(resv_desc_msg_t *desc, uint32_t count, \
			     bitstr_t *available, bitstr_t **cores) \
{ \
	prepare(desc, available); \
	return (stock).resv_test(desc, count, available, cores); \
}
/* clang-format on */

/* Its name, "" when Slurm is to find one. */
const char *rspb_select_resv_name(const resv_desc_msg_t *desc);
/* Its first window; end INT64_MAX: for ever. */
void rspb_select_resv_window(const resv_desc_msg_t *desc, int64_t *start,
			     int64_t *end);
/* Seconds after which the window returns, at the least; 0: never. */
int64_t rspb_select_resv_period(const resv_desc_msg_t *desc);

#endif
