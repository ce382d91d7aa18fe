/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * v1 counts CPU time in the cpuacct controller. Where that is a hierarchy of its
 * own which Slurm does not use, jobs get the same folders there as under cpu.
 */
#include <stdlib.h>
#include <string.h>

#include "plugins/spank/tree.h"

/* The folder that goes with one under cpu. RET false: there is none. */
static bool twin(const struct rspb_tree *tree, const char *path, char acct[RSPB_PATH])
{
	size_t len = strlen(tree->root);

	return tree->version == 1 && *tree->acct && !strncmp(path, tree->root, len) &&
	       !rspb_path(acct, NULL, "%s%s", tree->acct, path + len);
}

/* Whether jobacct_gather/cgroup has put the process with this table of groups
 * into folders of its own. */
static bool slurm_counts(const char *groups)
{
	char text[4096], *line;

	if (rspb_file_read(groups, text, sizeof(text), NULL) < 0)
		return true;
	line = strstr(text, ":cpuacct:");
	if (!line)
		return true;
	line[strcspn(line, "\n")] = '\0';
	return strstr(line, "/slurm") != NULL;
}

int rspb_tree_enter_v1(const char *path, struct rspb_err *err)
{
	char file[RSPB_PATH];

	/* Not cgroup.procs: to move all threads of a process, the kernel waits
	 * until no process is just making another, some 10 ms. */
	if (rspb_path(file, err, "%s/tasks", path))
		return -1;
	return rspb_file_put(file, err, "0");
}

void rspb_tree_count(const struct rspb_tree *tree, const char *path, const char *groups)
{
	char acct[RSPB_PATH], above[RSPB_PATH];

	if (!twin(tree, path, acct) || slurm_counts(groups))
		return;
	memcpy(above, acct, sizeof(above));
	*strrchr(above, '/') = '\0';
	if (!rspb_folder_make(above, 0755, NULL) && !rspb_folder_make(acct, 0755, NULL))
		rspb_tree_enter_v1(acct, NULL);
}

int64_t rspb_tree_counted_us(const struct rspb_tree *tree, const char *path)
{
	char acct[RSPB_PATH], file[RSPB_PATH], text[64];
	const char *folder = tree->with_cpuacct ? path : acct;

	if ((!tree->with_cpuacct && !twin(tree, path, acct)) ||
	    rspb_path(file, NULL, "%s/cpuacct.usage", folder) ||
	    rspb_file_read(file, text, sizeof(text), NULL) <= 0)
		return -1;
	return strtoll(text, NULL, 10) / 1000;
}

void rspb_tree_count_end(const struct rspb_tree *tree, const char *path)
{
	char acct[RSPB_PATH];

	if (!twin(tree, path, acct))
		return;
	rspb_tree_prune(acct);
	*strrchr(acct, '/') = '\0';
	rspb_tree_prune(acct);
}
