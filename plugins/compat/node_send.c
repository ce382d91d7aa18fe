/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does what slurm_forward_data() does, but can be given up. The function of Slurm waits for
 * MessageTimeout and more. A thread in it can neither be woken nor be left when slurmctld ends. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugins/compat/clock.h"
#include "plugins/compat/node.h"
#include "plugins/compat/release/conn.h"
#include "plugins/compat/slurm.h"

/* The message is sent to so many branches; the nodes of a branch pass it on to each other. */
enum { BRANCHES = 16 };

struct branch {
	struct rspb_release_conn conn;
	int steps;  /* levels below its head */
	char *head; /* malloc */
};

struct errand {
	slurm_msg_t message;
	int stop;
	int64_t began_ms; /* with waiting for answers */
	int wait_ms;	  /* of each level */
	struct branch branches[BRANCHES];
	int n;
	struct hostlist *failed;
	int why; /* Slurm's code of the last failure */
};

static bool stopped(int stop)
{
	struct pollfd fd = { .fd = stop, .events = POLLIN };

	return poll(&fd, 1, 0) > 0;
}

/* Note a node that was not reached, and the last reason. */
static void fail(struct errand *errand, const char *name, int why)
{
	hostlist_push_host(errand->failed, name);
	errand->why = why ? why : SLURM_ERROR;
}

/* Send the message to a node, which passes it on to the others. The answer is read later, so that
 * all branches work at the same time. RET 0, or the code of Slurm. */
static int send_to(struct errand *errand, struct branch *branch, const char *head,
		   struct hostlist *others)
{
	slurm_msg_t *message = &errand->message;
	int rc = SLURM_SUCCESS;

	if (slurm_conf_get_addr(head, &message->address, message->flags))
		return SLURM_UNKNOWN_FORWARD_ADDR;
	rspb_release_forward_init(message);
	message->ret_list = NULL;
	/* The address and the forwarding differ for each branch; the message itself is the same. */
	message->forward.cnt = (uint16_t) hostlist_count(others);
	message->forward.timeout = errand->wait_ms;
	message->forward.tree_width = slurm_conf.tree_width;
	if (message->forward.cnt)
		message->forward.nodelist = hostlist_ranged_string_xmalloc(others);
	/* As Slurm computes it: its receive function allows more time for each level. */
	branch->steps = message->forward.cnt
				? 1 + message->forward.cnt / (slurm_conf.tree_width
								      ? slurm_conf.tree_width
								      : 1)
				: 0;
	branch->conn = rspb_release_conn_open(&message->address);
	if (!rspb_release_conn_is_open(branch->conn) ||
	    slurm_send_node_msg(branch->conn.conn, message) < 0) {
		rc = errno ? errno : SLURM_COMMUNICATIONS_CONNECTION_ERROR;
		if (rspb_release_conn_is_open(branch->conn))
			rspb_release_conn_close(branch->conn);
		branch->conn = rspb_release_no_conn;
	}
	xfree(message->forward.nodelist);
	return rc;
}

/* Start one branch: the first of these nodes that can be reached passes the message on. Those that
 * cannot be reached are noted as failed. */
static void start_branch(struct errand *errand, struct hostlist *names)
{
	struct branch *branch = &errand->branches[errand->n];
	int rc = SLURM_ERROR;

	*branch = (struct branch){ .conn = rspb_release_no_conn };
	while (rc && !stopped(errand->stop) && (branch->head = hostlist_shift(names))) {
		rc = send_to(errand, branch, branch->head, names);
		if (rc) {
			fail(errand, branch->head, rc);
			free(branch->head);
			branch->head = NULL;
		}
	}
	if (rc)
		return;
	errand->n++;
}

static void start_all(struct errand *errand, struct hostlist *names)
{
	int left = hostlist_count(names), size, i;
	struct hostlist *some;
	char *name;

	/* The names are dealt out in parts of nearly the same size. */
	for (i = BRANCHES; i > 0 && left > 0; i--) {
		some = hostlist_create(NULL);
		for (size = (left + i - 1) / i; size > 0; size--, left--) {
			name = hostlist_shift(names);
			hostlist_push_host(some, name);
			free(name);
		}
		start_branch(errand, some);
		hostlist_destroy(some);
	}
}

/* RET whether an answer is there. The time runs for all branches at once, so that a slow branch
 * does not add to the wait for the next. */
static bool await(const struct errand *errand, const struct branch *branch)
{
	int64_t left = errand->began_ms - rspb_clock_us(CLOCK_MONOTONIC) / 1000 +
		       (branch->steps + 1) * (int64_t) errand->wait_ms;
	struct pollfd fds[] = {
		{ .fd = rspb_release_conn_fd(branch->conn), .events = POLLIN },
		{ .fd = errand->stop, .events = POLLIN },
	};

	return poll(fds, 2, left > 0 ? (int) left : 0) > 0 && !fds[1].revents;
}

static void take_answers(struct errand *errand, struct branch *branch)
{
	ret_data_info_t *one;
	list_t *answers = NULL;
	int rc;

	if (await(errand, branch))
		answers = slurm_receive_msgs(branch->conn.conn, branch->steps, 0);
	/* The nodes that the head stands for are not known to have failed, so that only the head is
	 * named. */
	if (!answers)
		fail(errand, branch->head, ETIMEDOUT);
	while (answers && (one = list_pop(answers))) {
		rc = slurm_get_return_code(one->type, one->data);
		if (rc)
			fail(errand, one->node_name ? one->node_name : branch->head, rc);
		destroy_data_info(one);
	}
	FREE_NULL_LIST(answers);
	rspb_release_conn_close(branch->conn);
	free(branch->head);
}

int rspb_node_send(const char *names, const char *socket, const char *data, int wait_s, int stop,
		   struct rspb_err *err)
{
	char *path = xstrdup(socket), *left;
	forward_data_msg_t body = {
		.address = path,
		.len = (uint32_t) strlen(data),
		.data = (char *) data,
	};
	struct hostlist *all = hostlist_create(names);
	struct errand errand = {
		.stop = stop,
		.wait_ms = 1000 * (wait_s && wait_s < slurm_conf.msg_timeout
					   ? wait_s
					   : slurm_conf.msg_timeout),
		.failed = hostlist_create(NULL),
	};
	int i;

	slurm_msg_t_init(&errand.message);
	slurm_msg_set_r_uid(&errand.message, SLURM_AUTH_UID_ANY);
	errand.message.msg_type = REQUEST_FORWARD_DATA;
	errand.message.data = &body;
	start_all(&errand, all);
	errand.began_ms = rspb_clock_us(CLOCK_MONOTONIC) / 1000;
	for (i = 0; i < errand.n; i++)
		take_answers(&errand, &errand.branches[i]);
	/* A request that was given up is a failure, whatever has arrived by then. */
	if (stopped(stop)) {
		errand.why = SLURM_ERROR;
		rspb_fail(err, "slurmctld is shutting down");
	} else if (errand.why) {
		left = hostlist_ranged_string_xmalloc(errand.failed);
		rspb_fail(err, "%s on %s: %s", socket, left, slurm_strerror(errand.why));
		xfree(left);
	}
	hostlist_destroy(errand.failed);
	hostlist_destroy(all);
	xfree(path);
	return errand.why ? -1 : 0;
}
