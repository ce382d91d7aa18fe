/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames, as they go over the broker's socket: four bytes, the length of what
 * follows, the highest first, then so many bytes of text (doc/protocol.md).
 */
#ifndef RSPB_WIRE_FRAME_H
#define RSPB_WIRE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	RSPB_FRAME_HEAD = 4,
	RSPB_FRAME_ASKED = 64 * 1024,	      /* the longest text of a client */
	RSPB_FRAME_ANSWERED = 2 * 1024 * 1024 /* of the broker */
};

/* A frame as it comes in. Zeroed, it waits for its first byte. */
struct rspb_frame {
	uint8_t head[RSPB_FRAME_HEAD];
	size_t got; /* bytes, of head and text together */
	size_t len; /* of the text, once the head is whole */
	char *text; /* owned; ends in a NUL when it is whole */
};

enum rspb_frame_state {
	RSPB_FRAME_MORE,   /* not whole yet, nothing more to read now */
	RSPB_FRAME_WHOLE,  /* the text is there */
	RSPB_FRAME_ENDED,  /* the other side has closed, or the line failed */
	RSPB_FRAME_REFUSED /* empty, or longer than `most`, or out of memory */
};

/* Read what is there of one frame, and nothing behind it, from a socket that
 * may be non-blocking. Whole: fini() before the next one. */
enum rspb_frame_state rspb_frame_read(struct rspb_frame *frame, int fd, size_t most);
/* Be ready for the next one. */
void rspb_frame_fini(struct rspb_frame *frame);
/* RET a text as a frame of *size bytes, malloc'ed; NULL: out of memory. */
char *rspb_frame_make(const char *text, size_t len, size_t *size);

#endif
