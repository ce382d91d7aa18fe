/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/seal.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

/* The seal begins in place of the closing brace, and ends with it. */
#define HEAD ",\"crc\":\""

enum { HEAD_LENGTH = sizeof(HEAD) - 1, SEAL = RSPB_SEAL_ROOM + 1 };

/* The sum for each half of a byte, made from the sums of its single bits. */
#define OF_NIBBLE(a, b, c, d)                                                                      \
	{                                                                                          \
		0, (a), (b), (a) ^ (b), (c), (a) ^ (c), (b) ^ (c), (a) ^ (b) ^ (c), (d),           \
			(a) ^ (d), (b) ^ (d), (a) ^ (b) ^ (d), (c) ^ (d), (a) ^ (c) ^ (d),         \
			(b) ^ (c) ^ (d), (a) ^ (b) ^ (c) ^ (d)                                     \
	}

/* A journal is summed up as a whole before anything is decided after a restart. Eight bytes are
 * therefore summed at a time, and their look-ups do not wait for each other. */
uint32_t rspb_seal_sum(const char *text, size_t length)
{
	/* Row k has the sums of a half byte that is followed by k others, for the polynomial
	 * 0x82f63b78. */
	static const uint32_t table[16][16] = {
		OF_NIBBLE(0x105ec76f, 0x20bd8ede, 0x417b1dbc, 0x82f63b78),
		OF_NIBBLE(0xf26b8303, 0xe13b70f7, 0xc79a971f, 0x8ad958cf),
		OF_NIBBLE(0x3fc5f181, 0x7f8be302, 0xff17c604, 0xfbc3faf9),
		OF_NIBBLE(0x13a29877, 0x274530ee, 0x4e8a61dc, 0x9d14c3b8),
		OF_NIBBLE(0x70a27d8a, 0xe144fb14, 0xc76580d9, 0x8b277743),
		OF_NIBBLE(0xa541927e, 0x4f6f520d, 0x9edea41a, 0x38513ec5),
		OF_NIBBLE(0xe964b13d, 0xd725148b, 0xaba65fe7, 0x52a0c93f),
		OF_NIBBLE(0xdd45aab8, 0xbf672381, 0x7b2231f3, 0xf64463e6),
		OF_NIBBLE(0x8f2261d3, 0x1ba8b557, 0x37516aae, 0x6ea2d55c),
		OF_NIBBLE(0x38116fac, 0x7022df58, 0xe045beb0, 0xc5670b91),
		OF_NIBBLE(0xc00c303e, 0x85f4168d, 0x0e045beb, 0x1c08b7d6),
		OF_NIBBLE(0xef306b19, 0xdb8ca0c3, 0xb2f53777, 0x6006181f),
		OF_NIBBLE(0x9c5bfaa6, 0x3d5b83bd, 0x7ab7077a, 0xf56e0ef4),
		OF_NIBBLE(0x68032cc8, 0xd0065990, 0xa5e0c5d1, 0x4e2dfd53),
		OF_NIBBLE(0x847609b4, 0x0d006599, 0x1a00cb32, 0x34019664),
		OF_NIBBLE(0x493c7d27, 0x9278fa4e, 0x211d826d, 0x423b04da),
	};
	uint32_t sum = UINT32_MAX;
	size_t i = 0;

	for (; i + 8 <= length; i += 8) {
		uint64_t word;

		memcpy(&word, text + i, sizeof(word));
		/* The sum of all bytes before is combined with the first four of these eight. */
		word = le64toh(word) ^ sum;
		sum = 0;
#pragma GCC unroll 16
		for (int k = 0; k < 16; k++)
			sum ^= table[15 - k][word >> 4 * k & 15];
	}
	/* At most seven bytes are left. */
	for (; i < length; i++) {
		sum ^= (unsigned char) text[i];
		sum = sum >> 4 ^ table[0][sum & 15];
		sum = sum >> 4 ^ table[0][sum & 15];
	}
	return ~sum;
}

/* Write a seal over `seal`, without the zero byte that snprintf() adds. */
static void print(char *seal, uint32_t sum)
{
	char text[SEAL + 1];

	snprintf(text, sizeof(text), HEAD "%08x\"}", (unsigned int) sum);
	memcpy(seal, text, SEAL);
}

size_t rspb_seal_close(char *line, size_t length)
{
	print(line + length - 1, rspb_seal_sum(line, length - 1));
	return length + RSPB_SEAL_ROOM;
}

/* The seal is made again and compared as text, so that each line has exactly one valid seal. */
int rspb_seal_check(const char *line, size_t length)
{
	size_t body = length > SEAL ? length - SEAL : 0;
	char seal[SEAL];

	if (!body || memcmp(line + body, HEAD, HEAD_LENGTH))
		return 0;
	print(seal, rspb_seal_sum(line, body));
	return memcmp(line + body, seal, SEAL) ? -1 : 1;
}
