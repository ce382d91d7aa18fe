/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has munged, or whoever is set instead, sign and open texts. Who may say what is not
 * decided here. */
#include "plugins/wire/credential.h"

#include <munge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Set before other threads use it, and then never changed. Without functions MUNGE is used. */
static struct rspb_credential_way other;

void rspb_credential_use(struct rspb_credential_way way)
{
	other = way;
}

const char *rspb_credential_socket(const char *auth_info, char *buf, size_t size)
{
	const char *at = auth_info ? strstr(auth_info, "socket=") : NULL;

	if (!at)
		return NULL;
	at += strlen("socket=");
	snprintf(buf, size, "%.*s", (int) strcspn(at, ","), at);
	return buf;
}

/* RET a context for munged at that socket (NULL: the usual one); NULL: out of memory, or MUNGE
 * does not take the socket. */
static munge_ctx_t context(const char *socket)
{
	munge_ctx_t ctx = munge_ctx_create();

	if (ctx && socket && munge_ctx_set(ctx, MUNGE_OPT_SOCKET, socket) != EMUNGE_SUCCESS) {
		munge_ctx_destroy(ctx);
		ctx = NULL;
	}
	return ctx;
}

char *rspb_credential_make(const char *socket, const char *text, size_t len, uint32_t for_uid,
			   struct rspb_err *err)
{
	munge_err_t rc = EMUNGE_NO_MEMORY;
	char *credential = NULL;
	munge_ctx_t ctx;

	if (other.make)
		return other.make(text, len, for_uid, err);
	ctx = context(socket);
	if (ctx)
		rc = for_uid == RSPB_CREDENTIAL_ALL
			     ? EMUNGE_SUCCESS
			     : munge_ctx_set(ctx, MUNGE_OPT_UID_RESTRICTION, (uid_t) for_uid);
	if (rc == EMUNGE_SUCCESS)
		rc = munge_encode(&credential, ctx, text, (int) len);
	if (rc != EMUNGE_SUCCESS) {
		rspb_fail(err, "munge: %s",
			  ctx && munge_ctx_strerror(ctx) ? munge_ctx_strerror(ctx)
							 : munge_strerror(rc));
		free(credential);
		credential = NULL;
	}
	if (ctx)
		munge_ctx_destroy(ctx);
	return credential;
}

/* Whether munged vouches for the writer, although the text may not be used: it was used before,
 * or is too old or too new. */
static bool is_genuine(munge_err_t rc)
{
	return rc == EMUNGE_SUCCESS || rc == EMUNGE_CRED_REPLAYED || rc == EMUNGE_CRED_EXPIRED ||
	       rc == EMUNGE_CRED_REWOUND;
}

int rspb_credential_open(const char *socket, const char *credential, struct rspb_credential *out,
			 struct rspb_err *err)
{
	munge_err_t rc;
	void *text = NULL;
	uid_t uid = (uid_t) -1;
	munge_ctx_t ctx;
	gid_t gid;
	int len = 0;

	*out = (struct rspb_credential){ .uid = RSPB_CREDENTIAL_ALL };
	if (other.open)
		return other.open(credential, &out->uid, &out->text, &out->len, err);
	ctx = context(socket);
	if (!ctx)
		return rspb_fail(err, "munge: out of memory");
	rc = munge_decode(credential, ctx, &text, &len, &uid, &gid);
	if (is_genuine(rc))
		out->uid = uid;
	/* MUNGE returns nothing for an empty text. */
	if (rc == EMUNGE_SUCCESS && !text)
		text = calloc(1, 1);
	if (rc == EMUNGE_SUCCESS && text) {
		out->text = text;
		out->len = (size_t) len;
	} else {
		rspb_fail(err, "munge: %s",
			  munge_ctx_strerror(ctx) ? munge_ctx_strerror(ctx) : munge_strerror(rc));
		free(text);
	}
	munge_ctx_destroy(ctx);
	return out->text ? 0 : is_genuine(rc) ? 1 : -1;
}
