/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/names.h"

/* The longest name that rspb_text_distance() compares. The table of distances is on the stack, and
 * names come from users. */
enum { NAME_MAX_LETTERS = 63 };

struct rspb_text rspb_text_over(char *buf, size_t size)
{
	if (size)
		buf[0] = '\0';
	return (struct rspb_text){ .buf = buf, .size = size };
}

void rspb_text_add(struct rspb_text *text, const char *fmt, ...)
{
	/* Once the text is cut, later calls still count, so that the caller learns the length that
	 * was needed. */
	bool room = text->len < text->size;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(room ? text->buf + text->len : NULL, room ? text->size - text->len : 0, fmt,
		      ap);
	va_end(ap);
	if (n > 0)
		text->len += (size_t) n;
}

void rspb_text_add_job(struct rspb_text *text, uint64_t id, uint32_t array, uint32_t task)
{
	if (array)
		rspb_text_add(text, "%" PRIu32 "_%" PRIu32, array, task);
	else
		rspb_text_add(text, "%" PRIu64, id);
}

/* Fold the case of ASCII letters. tolower() would depend on the locale of the process, and these
 * names are the same everywhere. */
static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

/* Whether a character of a name does not count. */
static bool skipped(char c)
{
	return c == '_' || c == '-';
}

/* Copy the letters of a name that count, folded, up to the longest that is compared. RET how
 * many. */
static uint32_t letters(const char *name, char out[NAME_MAX_LETTERS + 1])
{
	uint32_t n = 0;

	for (; *name && n < NAME_MAX_LETTERS; name++)
		if (!skipped(*name))
			out[n++] = fold(*name);
	out[n] = '\0';
	return n;
}

int rspb_text_keep(char **at, const char *text)
{
	char *copy = text && *text ? strdup(text) : NULL;

	/* The text is copied before the old one is freed, so that it may be a part of the old
	 * one. */
	free(*at);
	*at = copy;
	return text && *text && !copy ? -1 : 0;
}

bool rspb_text_same(const char *a, const char *b)
{
	for (;; a++, b++) {
		/* The end of a text is not skipped, so a name with trailing dashes equals the same
		 * name without them. */
		while (skipped(*a))
			a++;
		while (skipped(*b))
			b++;
		if (fold(*a) != fold(*b))
			return false;
		if (!*a)
			return true;
	}
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* A single row of the table of edit distances (Wagner and Fischer) is enough, since each row
 * depends on the one before it only. */
uint32_t rspb_text_distance(const char *a, const char *b)
{
	char x[NAME_MAX_LETTERS + 1], y[NAME_MAX_LETTERS + 1];
	uint32_t row[NAME_MAX_LETTERS + 1];
	uint32_t nx = letters(a, x), ny = letters(b, y);

	for (uint32_t j = 0; j <= ny; j++)
		row[j] = j;
	for (uint32_t i = 1; i <= nx; i++) {
		uint32_t corner = row[0];

		row[0] = i;
		for (uint32_t j = 1; j <= ny; j++) {
			uint32_t change = corner + (x[i - 1] != y[j - 1]);

			/* `row[j]` is still the value of the previous row here, which is the corner
			 * of the next column. */
			corner = row[j];
			row[j] = least(change, least(row[j], row[j - 1]) + 1);
		}
	}
	return row[ny];
}

/* Tell whether some member of a list equals `with` (whole), or begins with it. An empty member
 * matches an empty `with` only. */
static bool listed(const char *list, size_t size, const char *with, bool whole)
{
	const char *end = list + size;
	size_t len = strlen(with);

	while (list < end) {
		const char *comma = memchr(list, ',', (size_t) (end - list));
		size_t here = (size_t) ((comma ? comma : end) - list);

		if (here >= len && !memcmp(list, with, len) && (!whole || here == len))
			return true;
		list = comma ? comma + 1 : end;
	}
	return false;
}

bool rspb_text_listed(const char *list, const char *word)
{
	return listed(list, strlen(list), word, true);
}

bool rspb_text_listed_within(const char *list, size_t len, const char *word)
{
	return listed(list, len, word, true);
}

/* Return the length of a host name without its domain. For a numeric address it is the whole
 * length, because its dots separate no domain. */
static size_t host_length(const char *host)
{
	return strspn(host, "0123456789.") == strlen(host) || strchr(host, ':')
		       ? strlen(host)
		       : strcspn(host, ".");
}

bool rspb_text_same_host(const char *a, const char *b)
{
	size_t length = a ? host_length(a) : 0;

	/* Slurm and the credential may name the same host with and without a domain. Different
	 * domains therefore count as the same host. */
	return length && b && length == host_length(b) && !strncasecmp(a, b, length);
}

bool rspb_text_list_begins(const char *list, const char *with)
{
	return listed(list, strlen(list), with, false);
}

const char *rspb_text_quote(struct rspb_quote *out, const char *text, size_t len)
{
	const size_t most = 40;

	if (len <= most) {
		memcpy(out->text, text, len);
		out->text[len] = '\0';
		return out->text;
	}
	/* Step back to the beginning of a character, because half of it would make the sentence
	 * invalid UTF-8 for JSON and the page. */
	len = most;
	while (len && ((unsigned char) text[len] & 0xc0) == 0x80)
		len--;
	memcpy(out->text, text, len);
	strcpy(out->text + len, "...");
	return out->text;
}

bool rspb_text_printable(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char) text[i] < 0x20 || text[i] == 0x7f)
			return false;
	return true;
}

size_t rspb_text_character(const char *text)
{
	const unsigned char *at = (const unsigned char *) text;
	size_t len = at[0] < 0x80		     ? 1
		     : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
		     : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
		     : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
						     : 0;

	for (size_t i = 1; i < len; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	/* The first pair of comparisons refuses overlong forms and halves of surrogate pairs. The
	 * second refuses overlong forms of four bytes and code points beyond U+10FFFF. */
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0) ||
	    (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90))
		return 0;
	return len;
}

/* Tell whether a character of `len` bytes controls a terminal or reverses the direction of the text
 * after it. Users choose job names, and operators see them. */
static bool steers(const unsigned char *at, size_t len)
{
	if (len == 1)
		return !rspb_text_printable((const char *) at, 1);
	/* U+0080 to U+009F are the second set of control characters, which some terminals obey. */
	if (len == 2)
		return at[0] == 0xc2 && at[1] < 0xa0;
	/* U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069 */
	return len == 3 && at[0] == 0xe2 &&
	       ((at[1] == 0x80 &&
		 (at[2] == 0x8e || at[2] == 0x8f || (at[2] >= 0xaa && at[2] <= 0xae))) ||
		(at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

void rspb_text_clean(char *out, size_t size, const char *text)
{
	size_t n = 0;

	while (*text) {
		size_t len = rspb_text_character(text);
		/* A byte that begins no character is replaced alone, so that a valid character
		 * after it survives. */
		bool kept = len && !steers((const unsigned char *) text, len);

		if (n + (kept ? len : 1) >= size)
			break;
		if (kept)
			memcpy(out + n, text, len);
		else
			out[n] = '?';
		n += kept ? len : 1;
		text += len ? len : 1;
	}
	out[n] = '\0';
}

/* Quotes are not replaced, so the result is safe between tags only. A caller that writes attributes
 * has to replace quotes itself. */
const char *rspb_text_entity(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	default:
		return NULL;
	}
}

/* --- sentences of errors --- */

/* Replace control characters that came in with arguments, and mark a cut sentence. Sentences go
 * into logs, contracts and terminals, where a newline could forge a line. */
static void tidy(char *text, int wanted)
{
	for (char *p = text; *p; p++)
		if ((unsigned char) *p < 0x20 || *p == 0x7f)
			*p = '?';
	if (wanted >= RSPB_ERR_TEXT)
		strcpy(text + RSPB_ERR_TEXT - 4, "...");
}

int rspb_fail(struct rspb_err *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	tidy(err->text, vsnprintf(err->text, sizeof(err->text), fmt, ap));
	va_end(ap);
	return -1;
}

int rspb_fail_at(struct rspb_err *err, const char *fmt, ...)
{
	char where[RSPB_ERR_TEXT], old[RSPB_ERR_TEXT];
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(where, sizeof(where), fmt, ap);
	va_end(ap);
	/* The old sentence is copied first, because it is an argument of the text that replaces
	 * it. */
	memcpy(old, err->text, sizeof(old));
	return rspb_fail(err, "%s: %s", where, old);
}

/* --- tables of names --- */

/* The members with which every row of a table begins. */
struct named {
	const char *name, *alias;
};

/* Step to the next row. The type of a row is known to its table only, so its size is passed
 * along. */
static const struct named *next_row(const struct named *row, size_t size)
{
	return (const struct named *) ((const char *) row + size);
}

const void *rspb_names_find(const void *rows, size_t size, const char *name)
{
	for (const struct named *row = rows; row->name; row = next_row(row, size))
		if (rspb_text_same(row->name, name) ||
		    (row->alias && rspb_text_same(row->alias, name)))
			return row;
	return NULL;
}

/* Keep a candidate only if it is strictly nearer, so that the earlier row wins among equals. */
static void keep_nearer(const char *name, const char *candidate, const char **best,
			uint32_t *distance)
{
	uint32_t d = rspb_text_distance(name, candidate);

	if (*best && d >= *distance)
		return;
	*best = candidate;
	*distance = d;
}

const char *rspb_names_nearest(const void *rows, size_t size, const char *name)
{
	const char *best = NULL;
	uint32_t distance = 0;

	for (const struct named *row = rows; row->name; row = next_row(row, size)) {
		keep_nearer(name, row->name, &best, &distance);
		if (row->alias)
			keep_nearer(name, row->alias, &best, &distance);
	}
	return best;
}
