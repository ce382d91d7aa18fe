/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signs and opens texts by Slurm's own AuthType. Who may say what is not decided here. */
#include "plugins/compat/load/auth.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/release/headers.h"

#ifdef RSPB_HAVE_AUTH_DATA
#include "src/common/pack.h"
#include "src/interfaces/auth.h"

#pragma weak slurm_conf

/* Write Slurm's packed credential as text. It consists of the plugin's number and a text; ours is
 * the number, ':', and that text. */
static char *spell(buf_t *packed, struct rspb_err *err)
{
	uint32_t plugin, len;
	char *token = NULL, *credential = NULL;
	size_t size;

	/* Packing has moved the offset to the end: read from the begin. */
	set_buf_offset(packed, 0);
	if (unpack32(&plugin, packed) || unpackstr_xmalloc(&token, &len, packed) || !token) {
		rspb_fail(err, "%s: its credentials are not text", slurm_conf.authtype);
		return NULL;
	}
	size = strlen(token) + sizeof("4294967295:");
	credential = malloc(size);
	if (credential)
		snprintf(credential, size, "%" PRIu32 ":%s", plugin, token);
	else
		rspb_fail(err, "out of memory");
	xfree(token);
	return credential;
}

/* Make Slurm's credential of our text again. RET NULL with err: the text has no number in front,
 * or the plugin of this number does not take the rest. The caller destroys the credential. */
static void *read_back(const char *credential, struct rspb_err *err)
{
	unsigned long plugin;
	void *cred = NULL;
	buf_t *packed;
	char *end;

	plugin = strtoul(credential, &end, 10);
	/* A credential of MUNGE's own has no number in front. */
	if (*end++ != ':' || plugin > UINT32_MAX) {
		rspb_fail(err, "%s: the message is signed by another plugin", slurm_conf.authtype);
		return NULL;
	}
	/* Slurm reads credentials only in its packed form, as they come with messages. */
	packed = init_buf((uint32_t) strlen(end) + 64);
	pack32((uint32_t) plugin, packed);
	packstr(end, packed);
	set_buf_offset(packed, 0);
	cred = auth_g_unpack(packed, SLURM_PROTOCOL_VERSION);
	free_buf(packed);
	if (!cred)
		rspb_fail(err, "%s: %s", slurm_conf.authtype, slurm_strerror(errno));
	return cred;
}

/* Copy the signed text out of a verified credential. Slurm's copy is freed by its own function,
 * ours by free(). RET 0, or -1 with err and nothing to free. */
static int take_data(void *cred, char **text, size_t *len, struct rspb_err *err)
{
	char *data = NULL;
	uint32_t size = 0;

	if (auth_g_get_data(cred, &data, &size) || !data)
		return rspb_fail(err, "%s: the credential holds no message", slurm_conf.authtype);
	/* Callers free() the text, whichever plugin signed it. */
	*text = malloc((size_t) size + 1);
	if (*text) {
		memcpy(*text, data, size);
		(*text)[size] = '\0';
		*len = size;
	}
	xfree(data);
	return *text ? 0 : rspb_fail(err, "out of memory");
}

const struct rspb_auth_way *rspb_auth_way(void)
{
	static const struct rspb_auth_way way = { rspb_auth_make, rspb_auth_open };

	return slurm_conf.authtype && strcmp(slurm_conf.authtype, "auth/munge") ? &way : NULL;
}

int rspb_auth_begin(struct rspb_err *err)
{
	/* slurm_init() reads slurm.conf, and ends the program if there is none. */
	slurm_init(NULL);
	return auth_g_init() ? rspb_fail(err, "%s: cannot be loaded", slurm_conf.authtype) : 0;
}

char *rspb_auth_make(const char *text, size_t len, uint32_t for_uid, struct rspb_err *err)
{
	char *credential = NULL;
	buf_t *packed;
	void *cred;

	cred = auth_g_create(AUTH_DEFAULT_INDEX, slurm_conf.authinfo,
			     for_uid == UINT32_MAX ? SLURM_AUTH_UID_ANY : for_uid, (void *) text,
			     (int) len);
	if (!cred) {
		rspb_fail(err, "%s: %s", slurm_conf.authtype, slurm_strerror(errno));
		return NULL;
	}
	/* The size is a guess: the buffer grows while the credential is packed. */
	packed = init_buf((uint32_t) len * 2 + 1024);
	if (auth_g_pack(cred, packed, SLURM_PROTOCOL_VERSION))
		rspb_fail(err, "%s: Slurm's daemon on this host returned no credential",
			  slurm_conf.authtype);
	else
		credential = spell(packed, err);
	free_buf(packed);
	auth_g_destroy(cred);
	return credential;
}

int rspb_auth_open(const char *credential, uint32_t *uid, char **text, size_t *len,
		   struct rspb_err *err)
{
	void *cred = read_back(credential, err);
	uid_t user;
	gid_t group;
	int rc;

	if (!cred)
		return -1;
	/* Neither the user nor the text may be believed before this. */
	rc = auth_g_verify(cred, slurm_conf.authinfo);
	if (rc) {
		rspb_fail(err, "%s: %s", slurm_conf.authtype, slurm_strerror(errno ? errno : rc));
		rc = -1;
	} else {
		auth_g_get_ids(cred, &user, &group);
		*uid = user;
		rc = take_data(cred, text, len, err);
	}
	auth_g_destroy(cred);
	return rc;
}
#else
/* Without room for a text in Slurm's credentials, all texts are signed by MUNGE. */
const struct rspb_auth_way *rspb_auth_way(void)
{
	return NULL;
}

int rspb_auth_begin(struct rspb_err *err)
{
	return rspb_fail(err, "this Slurm signs only with MUNGE");
}

char *rspb_auth_make(const char *text, size_t len, uint32_t for_uid, struct rspb_err *err)
{
	(void) text;
	(void) len;
	(void) for_uid;
	rspb_auth_begin(err);
	return NULL;
}

int rspb_auth_open(const char *credential, uint32_t *uid, char **text, size_t *len,
		   struct rspb_err *err)
{
	(void) credential;
	(void) uid;
	(void) text;
	(void) len;
	return rspb_auth_begin(err);
}
#endif
