/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/client.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "plugins/wire/credential.h"
#include "plugins/wire/frame.h"

enum { CONNECT_S = 5, ANSWER_S = 40, TRIES = 3, PROTOCOL = 1, TAG_ROOM = 24 };

/* RET a file of one of the folders, opened; NULL: it is in none. */
static void *open_in(const char *folders, const char *name, int how)
{
	char path[RSPB_SITE_PATHS + 64];
	void *handle = NULL;

	while (*folders && !handle) {
		size_t len = strcspn(folders, ":");

		snprintf(path, sizeof(path), "%.*s/%s", (int) len, folders, name);
		handle = dlopen(path, how);
		folders += len + (folders[len] == ':');
	}
	return handle;
}

/* Sign and judge messages by the cluster's AuthType: by MUNGE, or where it is another
 * one by Slurm's plugin for it, which wants libslurmfull.so and our rspb_auth.so in
 * folders of PluginDir on this host. Once a process. RET 0, or -1 with err. */
static int sign_as(const struct rspb_site *site, struct rspb_err *err)
{
	struct rspb_credential_way way;
	int (*begin)(struct rspb_err * err);
	void *ours = NULL;

	if (!site->auth[0] || !strcmp(site->auth, "auth/munge"))
		return 0;
	/* Slurm's plugins look for its functions among those of the program. */
	if (open_in(site->plugins, "libslurmfull.so", RTLD_NOW | RTLD_GLOBAL))
		ours = open_in(site->plugins, "rspb_auth.so", RTLD_LAZY | RTLD_LOCAL);
	if (!ours)
		return rspb_fail(err,
				 "AuthType=%s: no folder of PluginDir=%.200s "
				 "has %s on this host",
				 site->auth, site->plugins, dlerror());
	*(void **) &begin = dlsym(ours, "rspb_auth_begin");
	*(void **) &way.make = dlsym(ours, "rspb_auth_make");
	*(void **) &way.open = dlsym(ours, "rspb_auth_open");
	if (!begin || !way.make || !way.open)
		return rspb_fail(err, "rspb_auth.so is of another version");
	if (begin(err))
		return -1;
	rspb_credential_use(way);
	return 0;
}

int rspb_client_init(struct rspb_client *client, const char *server, struct rspb_err *err)
{
	*client = (struct rspb_client){ .fd = -1 };
	return rspb_site_read(&client->site, server, err) || sign_as(&client->site, err) ? -1 : 0;
}

static void hang_up(struct rspb_client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	client->fd = -1;
}

void rspb_client_fini(struct rspb_client *client)
{
	hang_up(client);
}

static void set_patience(int fd, int option, time_t seconds)
{
	const struct timeval limit = { .tv_sec = seconds };

	setsockopt(fd, SOL_SOCKET, option, &limit, sizeof(limit));
}

static int connect_one(const struct addrinfo *at)
{
	int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	set_patience(fd, SO_SNDTIMEO, CONNECT_S);
	set_patience(fd, SO_RCVTIMEO, ANSWER_S);
	if (!connect(fd, at->ai_addr, at->ai_addrlen))
		return fd;
	close(fd);
	return -1;
}

static int connect_host(const char *host, uint32_t port, struct rspb_err *err)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *list;
	char service[16];
	int fd = -1, rc;

	snprintf(service, sizeof(service), "%u", port);
	rc = getaddrinfo(host, service, &hints, &list);
	if (rc)
		return rspb_fail(err, "%s: %s", host, gai_strerror(rc));
	for (const struct addrinfo *at = list; at && fd < 0; at = at->ai_next)
		fd = connect_one(at);
	if (fd < 0)
		rspb_fail(err, "port %u of %s: %s", port, host,
			  errno == EINPROGRESS ? "no answer" : strerror(errno));
	freeaddrinfo(list);
	return fd;
}

static int dial(struct rspb_client *client, struct rspb_err *err)
{
	const struct rspb_site *site = &client->site;

	if (!site->port)
		return rspb_fail(err, "this cluster has no socket "
				      "(ListenPort=0 in rspb.conf)");
	for (uint32_t i = 0; i < site->n_hosts && client->fd < 0; i++)
		client->fd = connect_host(site->hosts[i], site->port, err);
	return client->fd < 0 ? -1 : 0;
}

static const char *munge_socket(struct rspb_client *client)
{
	return rspb_credential_socket(client->site.auth_info, client->munge, sizeof(client->munge));
}

static int send_all(int fd, const char *data, size_t size, struct rspb_err *err)
{
	while (size) {
		ssize_t n = send(fd, data, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return rspb_fail(err, "slurmctld: %s", strerror(errno));
		data += n;
		size -= (size_t) n;
	}
	return 0;
}

static int send_question(struct rspb_client *client, const char *text, struct rspb_err *err)
{
	char *frame = NULL, *credential;
	size_t size = 0;
	int rc = -1;

	credential = rspb_credential_make(munge_socket(client), text, strlen(text),
					  client->site.slurm_user, err);
	if (!credential)
		return -1;
	if (strlen(credential) > RSPB_FRAME_ASKED)
		rspb_fail(err, "the message is longer than %d bytes", RSPB_FRAME_ASKED);
	else
		frame = rspb_frame_make(credential, strlen(credential), &size);
	free(credential);
	if (frame)
		rc = send_all(client->fd, frame, size, err);
	free(frame);
	return rc;
}

/* RET what is in it, malloc'ed; NULL with err: it is not slurmctld's. */
static char *open_answer(struct rspb_client *client, const char *text, struct rspb_err *err)
{
	struct rspb_credential credential;

	if (rspb_credential_open(munge_socket(client), text, &credential, err))
		return NULL;
	if (!credential.uid || credential.uid == client->site.slurm_user)
		return credential.text;
	rspb_fail(err, "the answer is from uid %u, which is not SlurmUser", credential.uid);
	free(credential.text);
	return NULL;
}

static char *read_answer(struct rspb_client *client, struct rspb_err *err)
{
	struct rspb_frame frame = { .got = 0 };
	char *text = NULL;

	switch (rspb_frame_read(&frame, client->fd, RSPB_FRAME_ANSWERED)) {
	case RSPB_FRAME_WHOLE:
		text = open_answer(client, frame.text, err);
		break;
	case RSPB_FRAME_MORE:
		rspb_fail(err, "slurmctld has not answered for %d s", ANSWER_S);
		break;
	case RSPB_FRAME_ENDED:
		rspb_fail(err, "slurmctld has closed the connection: see its "
			       "log, and whether the clocks agree");
		break;
	case RSPB_FRAME_REFUSED:
		rspb_fail(err, "the answer is too long");
		break;
	}
	rspb_frame_fini(&frame);
	return text;
}

static json_object *parse(const char *text, const char *tag, struct rspb_err *err)
{
	json_object *answer = json_tokener_parse(text);

	if (answer && json_object_is_type(answer, json_type_object) &&
	    !strcmp(rspb_json_text(answer, "tag"), tag))
		return answer;
	rspb_fail(err, "the answer does not belong to the message");
	json_object_put(answer);
	return NULL;
}

static void make_tag(char tag[TAG_ROOM])
{
	uint64_t number = 0;

	if (getrandom(&number, sizeof(number), 0) < 0)
		number = (uint64_t) getpid();
	snprintf(tag, TAG_ROOM, "%016" PRIx64, number);
}

json_object *rspb_client_ask(struct rspb_client *client, json_object *question,
			     struct rspb_err *err)
{
	char tag[TAG_ROOM], *text = NULL;
	json_object *answer = NULL;

	make_tag(tag);
	rspb_json_put_int(question, "version", PROTOCOL);
	rspb_json_put_text(question, "tag", tag);
	if ((client->fd >= 0 || !dial(client, err)) &&
	    !send_question(client, json_object_to_json_string(question), err))
		text = read_answer(client, err);
	if (text)
		answer = parse(text, tag, err);
	if (!answer)
		hang_up(client);
	free(text);
	json_object_put(question);
	return answer;
}

double rspb_answer_part(json_object *item)
{
	double part = rspb_json_real(item, "share");

	if (part <= 0)
		part = rspb_json_real(item, "node_part");
	return part > 0 && part < 100 ? part / 100 : 1;
}

void rspb_answer_append(json_object *object, const char *key, json_object *to)
{
	json_object *list = rspb_json_list(object, key);

	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		json_object_array_add(to, json_object_get(json_object_array_get_idx(list, i)));
}

bool rspb_answer_good(json_object *answer)
{
	return rspb_json_bool(answer, "ok");
}
