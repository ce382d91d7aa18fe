/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts texts into frames and takes them out, as much as has come. It waits for nobody
 * and trusts nothing of them. */
#include "plugins/wire/frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* RET how many bytes came, 0: none now, -1: the end. */
static ssize_t take_bytes(int fd, void *to, size_t size)
{
	ssize_t n = recv(fd, to, size, 0);

	if (n > 0)
		return n;
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

/* RET false: it is refused. */
static bool begin_text(struct rspb_frame *frame, size_t most)
{
	const uint8_t *h = frame->head;

	frame->len = (size_t) h[0] << 24 | (size_t) h[1] << 16 | (size_t) h[2] << 8 | h[3];
	/* The length is the sender's word, and bounded before memory is taken. */
	if (!frame->len || frame->len > most)
		return false;
	frame->text = malloc(frame->len + 1);
	return frame->text;
}

enum rspb_frame_state rspb_frame_read(struct rspb_frame *frame, int fd, size_t most)
{
	for (;;) {
		size_t in_text = frame->got - RSPB_FRAME_HEAD;
		bool head = frame->got < RSPB_FRAME_HEAD;
		ssize_t n;

		if (!head && !frame->text && !begin_text(frame, most))
			return RSPB_FRAME_REFUSED;
		if (!head && in_text == frame->len) {
			frame->text[frame->len] = '\0';
			return RSPB_FRAME_WHOLE;
		}
		n = head ? take_bytes(fd, frame->head + frame->got, RSPB_FRAME_HEAD - frame->got)
			 : take_bytes(fd, frame->text + in_text, frame->len - in_text);
		/* The frame keeps what has come until there is more to read. */
		if (n <= 0)
			return n ? RSPB_FRAME_ENDED : RSPB_FRAME_MORE;
		frame->got += (size_t) n;
	}
}

void rspb_frame_fini(struct rspb_frame *frame)
{
	free(frame->text);
	*frame = (struct rspb_frame){ .got = 0 };
}

char *rspb_frame_make(const char *text, size_t len, size_t *size)
{
	char *frame = malloc(RSPB_FRAME_HEAD + len);

	if (!frame)
		return NULL;
	/* The highest byte of the length comes first. */
	for (int i = 0; i < RSPB_FRAME_HEAD; i++)
		frame[i] = (char) (len >> (8 * (RSPB_FRAME_HEAD - 1 - i)));
	memcpy(frame + RSPB_FRAME_HEAD, text, len);
	*size = RSPB_FRAME_HEAD + len;
	return frame;
}
