/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seals of a journal's lines: the last member of each object is "crc", the
 * CRC-32C of all that stands before it, as eight hexadecimal digits:
 *
 * {"at":1795000000,"purge":{"before":1794990000},"crc":"0c5ae1b7"}
 */
#ifndef RSPB_WIRE_SEAL_H
#define RSPB_WIRE_SEAL_H

#include <stddef.h>
#include <stdint.h>

/* The bytes that a seal adds to a line. */
enum { RSPB_SEAL_ROOM = 17 };

/* CRC-32C (Castagnoli), as in RFC 3720. */
uint32_t rspb_seal_sum(const char *text, size_t length);
/* Seal an object without its line end; there is room for more bytes behind. RET
 * its new length. */
size_t rspb_seal_close(char *line, size_t length);
/* RET 1: what it says is so, 0: it has no seal, -1: it is broken. */
int rspb_seal_check(const char *line, size_t length);

#endif
