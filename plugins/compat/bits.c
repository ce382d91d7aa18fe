/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns Slurm's bitmaps of nodes into our sets and back, and names into bitmaps without expanding
 * them first. The state of a node plays no part here. */
#include "plugins/compat/bits.h"

#include <stdlib.h>
#include <string.h>

#include "common/wire/texts.h"
#include "plugins/compat/release/resv.h"

enum { WORD = 64, NAME = 64 /* bytes of a name that is read at once */ };

/* Most words are full or empty, and counting a word costs no more than to look at
 * one bit. */
static void add_word(bitstr_t *bits, int64_t from, int64_t to, struct rspb_nodeset *out)
{
	int64_t left = bit_set_count_range(bits, (int32_t) from, (int32_t) to);

	if (left == WORD) {
		out->bits[from / WORD] = UINT64_MAX;
		return;
	}
	for (int64_t n = from; n < to && left; n++)
		if (bit_test(bits, n)) {
			rspb_nodeset_add(out, (uint32_t) n);
			left--;
		}
}

/* Most bitmaps are those of jobs, whose nodes are close together: only the words from the first to
 * the last node are read. */
void rspb_bits_add(bitstr_t *bits, struct rspb_nodeset *out)
{
	int64_t first = bits ? bit_ffs(bits) : -1, end;

	if (first < 0)
		return;
	end = bit_fls(bits) + 1;
	if (end > out->width)
		end = out->width;
	for (int64_t n = first / WORD * WORD; n < end; n += WORD)
		add_word(bits, n, n + WORD < end ? n + WORD : end, out);
}

bitstr_t *rspb_bits_make(const struct rspb_nodeset *set)
{
	bitstr_t *bits = bit_alloc(node_record_count);
	uint32_t n;

	/* The set may be wider than the table, and bit_set() does not check the width. */
	for (n = rspb_nodeset_next(set, 0); n < set->width && n < (uint32_t) node_record_count;
	     n = rspb_nodeset_next(set, n + 1))
		bit_set(bits, n);
	return bits;
}

bitstr_t *rspb_bits_there(bitstr_t *bits)
{
	bitstr_t *there = bits ? bit_copy(bits) : NULL;

	for (int n = 0; there && n < node_record_count; n++)
		if (!rspb_record_there(node_record_table_ptr[n]))
			bit_clear(there, n);
	return there;
}

/* Turn a name into the next one with as many digits: n09 becomes n10. RET false: no such name
 * follows, because all digits are 9. */
static bool count_up(char *name, size_t digits)
{
	size_t at = strlen(name);

	for (; digits; digits--) {
		if (name[--at] < '9') {
			name[at]++;
			return true;
		}
		name[at] = '0';
	}
	return false;
}

/* RET the node of that name. The expected place is tried first, because a look-up in the hash table
 * of Slurm takes longer. */
static const node_record_t *named(const char *name, int64_t at)
{
	const node_record_t *node = at >= 0 && at < node_record_count ? node_record_table_ptr[at]
								      : NULL;

	if (rspb_record_there(node) && !strcmp(node->name, name))
		return node;
	return find_node_record((char *) name);
}

/* The expected place of the next node: names that differ in the number only are mostly neighbours
 * in the table. */
struct near {
	int64_t at;
	unsigned long number;
};

/* Add the node of that name and the `more` nodes after it. RET false: one does not exist. */
static bool add_run(char *name, size_t digits, unsigned long more, bitstr_t *bits,
		    struct near *near)
{
	const node_record_t *node = named(name, near->at);

	/* Slurm also finds a node by the name of its host, which is not accepted here. */
	while (node && node->name && !strcmp(node->name, name)) {
		bit_set(bits, node->index);
		near->at = (int64_t) node->index + 1;
		if (!more--)
			return true;
		if (!count_up(name, digits))
			return false;
		node = named(name, near->at);
	}
	return false;
}

/* Add the nodes of a range after the common beginning of the names: "4" or "1-4", with as many
 * digits. RET the end of the range, NULL: it is written in another way. */
static const char *add_range(char *name, size_t length, const char *text, bitstr_t *bits,
			     struct near *near)
{
	size_t digits = strspn(text, "0123456789"), last = 0;
	const char *end = text + digits;
	unsigned long from, to;

	if (*end == '-')
		last = strspn(++end, "0123456789");
	if (!digits || digits > 9 || (last && last != digits) || (end[-1] == '-' && !last) ||
	    length + digits >= NAME)
		return NULL;
	memcpy(name + length, text, digits);
	name[length + digits] = '\0';
	from = strtoul(text, NULL, 10);
	to = last ? strtoul(end, NULL, 10) : from;
	/* A range mostly starts as far from the last place as its numbers are apart. */
	if (near->at >= 0)
		near->at += (int64_t) from - (int64_t) near->number;
	near->number = to + 1;
	if (to < from || !add_run(name, digits, to - from, bits, near))
		return NULL;
	return end + last;
}

/* Add the nodes of a text in the notation of Slurm itself: n1,n[2-4,7]. RET false: the text is not
 * in it, or a node does not exist. */
static bool add_plain(const char *text, bitstr_t *bits)
{
	while (*text) {
		size_t length = strcspn(text, ",[] \t\n");
		struct near near = { .at = -1 };
		char name[NAME];

		if (!length || length >= NAME)
			return false;
		memcpy(name, text, length);
		name[length] = '\0';
		text += length;
		if (*text != '[') {
			if (!add_run(name, 0, 0, bits, &near))
				return false;
		} else {
			do
				text = add_range(name, length, text + 1, bits, &near);
			while (text && *text == ',');
			if (!text || *text++ != ']')
				return false;
		}
		if (*text && (*text++ != ',' || !*text))
			return false;
	}
	return true;
}

int rspb_bits_named(const char *what, const char *names, bitstr_t **out, struct rspb_err *err)
{
	bitstr_t *bits = NULL;
	char *copy;
	int rc;

	if (rspb_unfold_names_check(what, names, (uint32_t) node_record_count, err))
		return -1;
	bits = bit_alloc(node_record_count);
	/* Texts in the notation of Slurm itself need no hostlist, which would expand each name. */
	if (add_plain(names, bits)) {
		*out = bits;
		return 0;
	}
	/* add_plain() may have set bits before it gave up, and Slurm allocates a bitmap of its
	 * own. */
	FREE_NULL_BITMAP(bits);
	copy = xstrdup(names);
	rc = rspb_release_nodes(copy, &bits);
	xfree(copy);
	if (!rc) {
		*out = bits;
		return 0;
	}
	/* Slurm also hands out a bitmap when a name is unknown. */
	FREE_NULL_BITMAP(bits);
	return rspb_fail(err, "%s=%s: not all of these nodes exist", what, names);
}
