/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text in a credential, MUNGE's unless another way is set: who wrote it, unchanged, for one
 * user's eyes, and good for once within a few minutes. munged does all of that; these calls wait
 * for it, some 50 microseconds, and for seconds where it hangs.
 */
#ifndef RSPB_WIRE_CREDENTIAL_H
#define RSPB_WIRE_CREDENTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* May be opened by anybody. */
#define RSPB_CREDENTIAL_ALL UINT32_MAX

/* The content of a credential. */
struct rspb_credential {
	uint32_t uid; /* who wrote it, where it is genuine */
	char *text;   /* owned, ends in a NUL; NULL: it is not good */
	size_t len;
};

/* Another way than MUNGE, each as the function below that it stands in for. */
struct rspb_credential_way {
	char *(*make)(const char *text, size_t len, uint32_t for_uid, struct rspb_err *err);
	int (*open)(const char *credential, uint32_t *uid, char **text, size_t *len,
		    struct rspb_err *err);
};
/* From now on all go that way (make NULL: by MUNGE); before any other thread uses
 * them. */
void rspb_credential_use(struct rspb_credential_way way);

/* munged's socket of Slurm's AuthInfo= ("socket=PATH,..."), in buf; NULL: the
 * usual one. */
const char *rspb_credential_socket(const char *auth_info, char *buf, size_t size);

/* RET the credential of a text for that user alone, malloc'ed; NULL with err. */
char *rspb_credential_make(const char *socket, const char *text, size_t len, uint32_t for_uid,
			   struct rspb_err *err);
/*
 * Judge a credential. RET 0 with what is in it, the caller frees the text. 1
 * with err: it is genuine, and so its uid, but was used before, or is too old or
 * of a time to come: no text. -1 with err: it is not genuine, not for us, or
 * munged is not there.
 */
int rspb_credential_open(const char *socket, const char *credential, struct rspb_credential *out,
			 struct rspb_err *err);

#endif
