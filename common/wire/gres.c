/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads generic resources as --gres takes them, and puts them into words. */
#include "common/wire/gres.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char gpu[] = "gpu";

/* A generic resource, KIND[:TYPE]:N. */
struct one {
	const char *kind, *type; /* not ended */
	int kind_len, type_len;
	int64_t amount;
};

/* RET what comes after it. */
static const char *read_one(const char *at, struct one *out)
{
	size_t len = strcspn(at, ","), kind = strcspn(at, ":,"), number = len;

	while (number && at[number - 1] != ':')
		number--;
	*out = (struct one){ .kind = at, .kind_len = (int) kind, .amount = 1 };
	if (number > kind) {
		out->amount = strtoll(at + number, NULL, 10);
		if (number > kind + 1) {
			out->type = at + kind + 1;
			out->type_len = (int) (number - kind - 2);
		}
	}
	return at + len + (at[len] == ',');
}

static bool is_gpu(const struct one *one)
{
	return one->kind_len == (int) strlen(gpu) && !strncmp(one->kind, gpu, strlen(gpu));
}

void rspb_gres_add_words(const char *gres, struct rspb_text *out)
{
	const char *between = "";
	struct one one;

	while (*gres) {
		gres = read_one(gres, &one);
		if (one.amount <= 0)
			continue;
		rspb_text_add(out, "%s%" PRId64 " ", between, one.amount);
		between = ", ";
		if (is_gpu(&one))
			rspb_text_add(out, "GPU%s", one.amount == 1 ? "" : "s");
		else
			rspb_text_add(out, "%.*s", one.kind_len, one.kind);
		if (one.type)
			rspb_text_add(out, " (%.*s)", one.type_len, one.type);
	}
}

/* Whether an entry is of a type; NULL or "": of any. */
static bool is_of_type(const struct one *one, const char *type)
{
	if (!type || !*type)
		return true;
	return one->type && one->type_len == (int) strlen(type) &&
	       !strncmp(one->type, type, strlen(type));
}

int64_t rspb_gres_gpus(const char *gres, const char *type)
{
	struct one one;
	int64_t sum = 0;

	while (*gres) {
		gres = read_one(gres, &one);
		if (is_gpu(&one) && is_of_type(&one, type) && one.amount > 0)
			sum += one.amount;
	}
	return sum;
}

static bool same_kind(const struct one *a, const struct one *b)
{
	return a->kind_len == b->kind_len && !strncmp(a->kind, b->kind, (size_t) a->kind_len);
}

/* RET false: there is none of that kind, or none or several types of it. */
static bool find_type(const struct one *of, const char *has, struct one *out)
{
	struct one one;
	int found = 0;

	while (*has) {
		has = read_one(has, &one);
		if (!same_kind(of, &one))
			continue;
		found += one.type ? 1 : 2;
		*out = one;
	}
	return found == 1;
}

const char *rspb_gres_gpu_type(const char *gres, int *len)
{
	const struct one gpus = { .kind = gpu, .kind_len = (int) strlen(gpu) };
	struct one typed;

	if (!find_type(&gpus, gres, &typed))
		return NULL;
	*len = typed.type_len;
	return typed.type;
}

void rspb_gres_name_types(const char *gres, const char *has, char *out, size_t size)
{
	struct rspb_text text = rspb_text_over(out, size);
	const char *between = "";
	struct one one, typed;

	while (*gres) {
		gres = read_one(gres, &one);
		if (!one.type && find_type(&one, has, &typed)) {
			one.type = typed.type;
			one.type_len = typed.type_len;
		}
		rspb_text_add(&text, "%s%.*s%s%.*s:%" PRId64, between, one.kind_len, one.kind,
			      one.type ? ":" : "", one.type ? one.type_len : 0,
			      one.type ? one.type : "", one.amount);
		between = ",";
	}
}
