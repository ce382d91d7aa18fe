/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks up all that our files want of slurmctld when they are loaded. What a function
 * does there it cannot see. */
#include "plugins/compat/load/imports.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An object's symbols, those that it wants being the first of them. */
struct imports {
	const ElfW(Sym) * symbols;
	const char *names;
	uint32_t count;
};

/* The C library has put its own address there, or, on a few processors, left
 * what is relative to the object. */
static const void *value_of(const struct link_map *map, ElfW(Sxword) tag)
{
	for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return (const void *) (d->d_un.d_ptr < map->l_addr
						       ? d->d_un.d_ptr + map->l_addr
						       : d->d_un.d_ptr);
	return NULL;
}

/* Its hash table knows what it offers alone, from the second number on. The
 * older kind knows all, as many as its second number says. */
static bool imports_of(const struct link_map *map, struct imports *out)
{
	const uint32_t *hash = value_of(map, DT_GNU_HASH);

	if (!hash)
		hash = value_of(map, DT_HASH);
	out->symbols = value_of(map, DT_SYMTAB);
	out->names = value_of(map, DT_STRTAB);
	out->count = hash ? hash[1] : 0;
	return hash && out->symbols && out->names;
}

/* Names that begin so are the compiler's, which works without them. */
static bool is_wanted(const ElfW(Sym) * symbol, const char *name)
{
	return symbol->st_shndx == SHN_UNDEF && *name && *name != '_';
}

int rspb_imports_check(const void *within, struct rspb_err *err)
{
	const struct link_map *map = NULL;
	struct imports imports;
	Dl_info info;

	if (!dladdr1(within, &info, (void **) &map, RTLD_DL_LINKMAP) || !map ||
	    !imports_of(map, &imports))
		return rspb_fail(err, "the table of symbols is not where the "
				      "C library has it");
	for (uint32_t i = 1; i < imports.count; i++) {
		const ElfW(Sym) *symbol = &imports.symbols[i];
		const char *name = imports.names + symbol->st_name;

		if (is_wanted(symbol, name) && !dlsym(RTLD_DEFAULT, name))
			return rspb_fail(
				err,
				"%s needs %s, which this slurmctld lacks; build it for exactly "
				"this Slurm",
				map->l_name, name);
	}
	return 0;
}
