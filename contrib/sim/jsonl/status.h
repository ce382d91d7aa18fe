/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How rspb-sim ends. */
#ifndef RSPB_SIM_JSONL_STATUS_H
#define RSPB_SIM_JSONL_STATUS_H

enum { SIM_OK, SIM_TROUBLE, SIM_BAD_INPUT };

#endif
