/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends a text from slurmd to slurmctld in a question about a job, and reports whether it arrived.
 * The meaning of the text is not known here. */
#include "plugins/compat/controller.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "plugins/compat/release/conn.h"
#include "src/common/parse_config.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"

#pragma weak slurm_conf

/* Codes from FIRST_ANSWER on are the answer of a controller; with lower ones it was not reached. */
enum { PATIENCE_MS = 10000, FIRST_ANSWER = 2000 };

/* Fill in the text for job_submit, and a partition that does not exist, so that a slurmctld without
 * our plugin refuses it at once. */
static void fill(job_desc_msg_t *desc, const char *text)
{
	slurm_init_job_desc_msg(desc);
	desc->admin_comment = (char *) text;
	desc->alloc_node = "localhost";
	desc->partition = "rspb/report";
	desc->user_id = geteuid();
	desc->group_id = getegid();
}

/* Wait until the answer can be read. The receive function of Slurm cannot be interrupted, so the
 * end of slurmd is watched here, before it is called. RET 0, else -1 with err. */
static int await(int fd, int stop, struct rspb_err *err)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = stop, .events = POLLIN },
	};
	int n = poll(fds, 2, PATIENCE_MS);

	if (n > 0 && fds[1].revents)
		return rspb_fail(err, "slurmd is shutting down");
	if (n > 0)
		return 0;
	return rspb_fail(err, "slurmctld: %s", n ? strerror(errno) : "no answer");
}

/* RET the code of Slurm, with the sentence that came with it in err. */
static int read_answer(struct rspb_release_conn conn, struct rspb_err *err)
{
	slurm_msg_t answer;
	const return_code2_msg_t *more;
	int rc;

	slurm_msg_t_init(&answer);
	if (slurm_receive_msg(conn.conn, &answer, 0)) {
		rc = errno;
		rspb_fail(err, "slurmctld: %s", slurm_strerror(rc));
		return rc ? rc : SLURM_ERROR;
	}
	if (answer.msg_type == RESPONSE_SLURM_RC) {
		rc = (int) ((return_code_msg_t *) answer.data)->return_code;
		rspb_fail(err, "slurmctld: %s", slurm_strerror(rc));
	} else if (answer.msg_type == RESPONSE_SLURM_RC_MSG) {
		more = answer.data;
		rc = (int) more->return_code;
		rspb_fail(err, "slurmctld: %s", more->err_msg ? more->err_msg : slurm_strerror(rc));
	} else {
		/* A message of any other kind means that no plugin of ours has taken the
		 * question. */
		rc = SLURM_UNEXPECTED_MSG_ERROR;
		rspb_fail(err, "slurmctld has no plugin for bookings");
	}
	if (answer.auth_cred)
		auth_g_destroy(answer.auth_cred);
	slurm_free_msg_data(answer.msg_type, answer.data);
	return rc;
}

/* RET Slurm's code. */
static int ask(int which, slurm_msg_t *question, int stop, struct rspb_err *err)
{
	struct rspb_release_conn conn = rspb_release_conn_controller(which);
	int rc;

	if (!rspb_release_conn_is_open(conn)) {
		rc = errno;
		rspb_fail(err, "slurmctld: %s", slurm_strerror(rc));
		return rc ? rc : SLURM_ERROR;
	}
	if (slurm_send_node_msg(conn.conn, question) < 0) {
		rc = errno ? errno : SLURM_ERROR;
		rspb_fail(err, "slurmctld: %s", slurm_strerror(rc));
	} else if (await(rspb_release_conn_fd(conn), stop, err)) {
		rc = SLURM_ERROR;
	} else {
		rc = read_answer(conn, err);
	}
	rspb_release_conn_close(conn);
	return rc;
}

/* Whether another controller should be asked: this one was not reached, or is not in charge. */
static bool ask_next(int rc)
{
	return rc < FIRST_ANSWER || rc == ESLURM_IN_STANDBY_MODE ||
	       rc == ESLURM_IN_STANDBY_USE_BACKUP;
}

int rspb_controller_tell(const char *text, int stop, struct rspb_err *err)
{
	struct pollfd stopped = { .fd = stop, .events = POLLIN };
	int n = (int) slurm_conf.control_cnt, rc = SLURM_ERROR;
	slurm_msg_t question;
	job_desc_msg_t desc;

	fill(&desc, text);
	/* This sentence remains if there is no controller to try. */
	rspb_fail(err, "no slurmctld is known");
	for (int i = 0; i < n && ask_next(rc) && poll(&stopped, 1, 0) <= 0; i++) {
		/* The message is prepared anew for each controller; the job in it stays the
		 * same. */
		slurm_msg_t_init(&question);
		slurm_msg_set_r_uid(&question, SLURM_AUTH_UID_ANY);
		question.msg_type = REQUEST_JOB_WILL_RUN;
		question.data = &desc;
		rc = ask(i, &question, stop, err);
	}
	return rc == RSPB_CONTROLLER_TAKEN ? 0 : -1;
}

bool rspb_controller_admits(void)
{
	slurm_conf_t *conf = NULL;
	bool admits;

	/* The slurm.conf of this host may be older than that of slurmctld. Only the word of
	 * slurmctld makes the answer no. */
	if (rspb_controller_names_ours(slurm_conf.job_submit_plugins) ||
	    slurm_load_ctl_conf(0, &conf) || !conf)
		return true;
	admits = rspb_controller_names_ours(conf->job_submit_plugins);
	rspb_release_conf_free(conf);
	return admits;
}

/* Look the function up by name, so that nothing depends on the layout of the struct of options. */
bool rspb_controller_asked_only(void)
{
	bool (*isset)(void *options, const char *name) = NULL;
	void *options = dlsym(RTLD_DEFAULT, "opt");

	*(void **) &isset = dlsym(RTLD_DEFAULT, "slurm_option_isset");
	return options && isset && isset(options, "test-only");
}

/* The functions below find out what slurmd knows of itself, in the way slurmd does. They change
 * nothing there. */

bool rspb_slurmd_node(char *name, size_t size)
{
	char host[256] = "", *found;

	if (gethostname(host, sizeof(host) - 1))
		return false;
	/* slurmd tries its short host name, the aliases of the host, and localhost, in this
	 * order. */
	host[strcspn(host, ".")] = '\0';
	found = slurm_conf_get_nodename(host);
	if (!found)
		found = slurm_conf_get_aliased_nodename();
	if (!found)
		found = slurm_conf_get_nodename("localhost");
	if (!found)
		return false;
	snprintf(name, size, "%s", found);
	xfree(found);
	return *name;
}

/* RET a text of Slurm's, to be freed with xfree(), or NULL. */
static char *cgroup_mountpoint(char *conf)
{
	s_p_options_t options[] = {
		{ .key = "CgroupMountpoint", .type = S_P_STRING },
		{ .key = NULL },
	};
	s_p_hashtbl_t *table;
	char *found = NULL;

	/* Slurm would wait a minute for a file that does not exist. */
	if (!conf || access(conf, R_OK))
		return NULL;
	/* The other keys of cgroup.conf are not in the table and are ignored. */
	table = s_p_hashtbl_create(options);
	if (s_p_parse_file(table, NULL, conf, true, NULL) == SLURM_SUCCESS)
		s_p_get_string(&found, "CgroupMountpoint", table);
	s_p_hashtbl_destroy(table);
	return found;
}

bool rspb_slurmd_cgroups(char *path, size_t size)
{
	char *conf = get_extra_conf_path("cgroup.conf");
	char *found = cgroup_mountpoint(conf);
	size_t len = found ? strlen(found) : 0;

	while (len > 1 && found[len - 1] == '/')
		len--;
	if (len && len < size)
		snprintf(path, size, "%.*s", (int) len, found);
	xfree(found);
	xfree(conf);
	return len && len < size;
}
