/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of Slurm's between daemons: descriptors, objects from 25.05 on. */
#ifndef RSPB_PLUGINS_COMPAT_RELEASE_CONN_H
#define RSPB_PLUGINS_COMPAT_RELEASE_CONN_H

#include <stdbool.h>
#include <unistd.h>

#include "config.h"

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "src/common/forward.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_protocol_defs.h"

#if __has_include("src/interfaces/auth.h")
#include "src/interfaces/auth.h"
#else
#include "src/common/slurm_auth.h"
#endif

#ifdef RSPB_HAVE_CONN
#include "src/interfaces/conn.h"

struct rspb_release_conn {
	void *conn;
};
static const struct rspb_release_conn rspb_release_no_conn = { NULL };
#else
struct rspb_release_conn {
	int conn;
};
static const struct rspb_release_conn rspb_release_no_conn = { -1 };
#endif

static inline bool rspb_release_conn_is_open(struct rspb_release_conn c)
{
	return c.conn != rspb_release_no_conn.conn;
}

/* To the controller of that number, by slurm.conf; to an address. Not open:
 * errno says why. */
static inline struct rspb_release_conn rspb_release_conn_controller(int which)
{
#ifdef RSPB_HAVE_CONN
	return (struct rspb_release_conn){ slurm_open_controller(which, NULL) };
#else
	return (struct rspb_release_conn){ slurm_open_controller_conn_spec(which, NULL) };
#endif
}

static inline struct rspb_release_conn rspb_release_conn_open(slurm_addr_t *address)
{
#ifdef RSPB_HAVE_CONN
	return (struct rspb_release_conn){ slurm_open_msg_conn(address, NULL) };
#else
	return (struct rspb_release_conn){ slurm_open_msg_conn(address) };
#endif
}

/* To wait at. */
static inline int rspb_release_conn_fd(struct rspb_release_conn c)
{
#ifdef RSPB_HAVE_CONN
	return conn_g_get_fd(c.conn);
#else
	return c.conn;
#endif
}

static inline void rspb_release_conn_close(struct rspb_release_conn c)
{
#ifdef RSPB_HAVE_CONN
	conn_g_destroy(c.conn, true);
#else
	close(c.conn);
#endif
}

/* Free the result of slurm_load_ctl_conf(). */
static inline void rspb_release_conf_free(slurm_conf_t *conf)
{
#ifdef RSPB_HAVE_FREE_CONF
	slurm_free_conf(conf);
#else
	slurm_free_ctl_conf(conf);
#endif
}

static inline void rspb_release_forward_init(slurm_msg_t *message)
{
#ifdef RSPB_HAVE_FORWARD_INITIALIZER
	message->forward = (forward_t) FORWARD_INITIALIZER;
#else
	forward_init(&message->forward);
#endif
}

#endif
