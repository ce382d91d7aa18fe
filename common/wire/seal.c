/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/seal.h"

#include <stdio.h>
#include <string.h>

#define HEAD ",\"crc\":\""

enum { HEAD_LENGTH = sizeof(HEAD) - 1, SEAL = RSPB_SEAL_ROOM + 1 };

uint32_t rspb_seal_sum(const char *text, size_t length)
{
	/* Of each half of a byte, for the polynomial 0x82f63b78. */
	static const uint32_t table[16] = { 0x00000000, 0x105ec76f, 0x20bd8ede,
					    0x30e349b1, 0x417b1dbc, 0x5125dad3,
					    0x61c69362, 0x7198540d, 0x82f63b78,
					    0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
					    0xc38d26c4, 0xd3d3e1ab, 0xe330a81a,
					    0xf36e6f75 };
	uint32_t sum = UINT32_MAX;

	for (size_t i = 0; i < length; i++) {
		sum ^= (unsigned char) text[i];
		sum = sum >> 4 ^ table[sum & 15];
		sum = sum >> 4 ^ table[sum & 15];
	}
	return ~sum;
}

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

int rspb_seal_check(const char *line, size_t length)
{
	size_t body = length > SEAL ? length - SEAL : 0;
	char seal[SEAL];

	if (!body || memcmp(line + body, HEAD, HEAD_LENGTH))
		return 0;
	print(seal, rspb_seal_sum(line, body));
	return memcmp(line + body, seal, SEAL) ? -1 : 1;
}
