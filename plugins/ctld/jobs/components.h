/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a booking: one, or all components of a heterogeneous one. */
#ifndef RSPB_CTLD_JOBS_COMPONENTS_H
#define RSPB_CTLD_JOBS_COMPONENTS_H

#include <stdint.h>

#include "common/request/request.h"

/* RET how many there are, RSPB_MAX_PARTS at most, their ids by part; 0: the
 * leader is gone. id: the leader's. With at least the read lock. */
uint32_t rspb_components(uint64_t id, uint32_t ids[RSPB_MAX_PARTS]);

#endif
