/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a job's control group, and makes it where Slurm has none. What is written
 * there is weighed elsewhere (weight.c). */
#include "plugins/spank/tree.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * v1 counts CPU time in the cpuacct controller. Where that is a hierarchy of its
 * own which Slurm does not use, jobs get the same folders there as under cpu.
 */

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

	/* Unknown counts as Slurm's: its folders are left alone. */
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

/* RET the CPU time of a group in microseconds; -1: the kernel does not count it. */
static int64_t tree_counted_us(const struct rspb_tree *tree, const char *path)
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
	/* The folder above goes with its last job, and stays while others are in it. */
	rspb_tree_prune(acct);
}

enum { TABLE = 65536, SCOPE_WEIGHT = 1000 };

/* Find a whole word in a list of mount options: "cpu" is a part of "cpuset" and "cpuacct", too. */
static bool has_option(const char *options, const char *name)
{
	size_t len = strlen(name);
	const char *p = options;

	while ((p = strstr(p, name))) {
		if ((p == options || p[-1] == ',') && (!p[len] || p[len] == ','))
			return true;
		p += len;
	}
	return false;
}

/* Whether a folder is base itself or below it. */
static bool is_below(const char *folder, const char *base)
{
	size_t len = strlen(base);

	return !strncmp(folder, base, len) && (!folder[len] || folder[len] == '/');
}

/* A controller may be mounted at several places: the first one below base is
 * taken, else the first one. RET whether the folder now is. */
static bool take_mount(char taken[RSPB_PATH], const char folder[RSPB_PATH], const char *base)
{
	if (*taken && (is_below(taken, base) || !is_below(folder, base)))
		return false;
	memcpy(taken, folder, RSPB_PATH);
	return true;
}

/* The mounts of each kind in a table. */
struct mounts {
	const char *base;
	bool with_cpuacct;
	char cpu[RSPB_PATH], acct[RSPB_PATH], unified[RSPB_PATH];
};

/* Read a line of the table: device, folder, type, options. */
static void look_at_mount(struct mounts *mounts, const char *line)
{
	char folder[RSPB_PATH] = "", type[32], options[512];

	if (sscanf(line, "%*s %511s %31s %511s", folder, type, options) != 3)
		return;
	if (!strcmp(type, "cgroup2"))
		take_mount(mounts->unified, folder, mounts->base);
	if (strcmp(type, "cgroup"))
		return;
	if (has_option(options, "cpu")) {
		if (take_mount(mounts->cpu, folder, mounts->base))
			mounts->with_cpuacct = has_option(options, "cpuacct");
	} else if (has_option(options, "cpuacct")) {
		take_mount(mounts->acct, folder, mounts->base);
	}
}

int rspb_tree_find(struct rspb_tree *tree, const char *mounts, const char *base,
		   struct rspb_err *err)
{
	struct mounts found = { .base = base };
	char *text = malloc(TABLE), *line, *rest;
	int rc = text ? rspb_file_read(mounts, text, TABLE, err) : rspb_fail(err, "out of memory");

	if (rc >= 0)
		for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
			look_at_mount(&found, line);
	free(text);
	if (rc < 0)
		return -1;
	if (!*found.cpu && !*found.unified)
		return rspb_fail(
			err,
			"%s: no control groups are mounted; CPU shares need the cpu controller "
			"of cgroup v1 or v2",
			mounts);
	memset(tree, 0, sizeof(*tree));
	/* On hosts with both, the cpu controller can be used only where v1 has it. */
	tree->version = *found.cpu ? 1 : 2;
	tree->with_cpuacct = found.with_cpuacct;
	memcpy(tree->root, *found.cpu ? found.cpu : found.unified, RSPB_PATH);
	memcpy(tree->acct, found.acct, RSPB_PATH);
	return 0;
}

int rspb_tree_own_job(const struct rspb_tree *tree, const char *groups, char path[RSPB_PATH],
		      struct rspb_err *err)
{
	char text[4096], *line, *end;

	if (rspb_file_read(groups, text, sizeof(text), err) < 0)
		return -1;
	line = strncmp(text, "0::", 3) ? strstr(text, "\n0::") : text;
	if (!line)
		return rspb_fail(err, "%s: no line of cgroup v2", groups);
	line = strchr(line, '/');
	end = line ? strstr(line, "/step_") : NULL;
	if (!end)
		return rspb_fail(err,
				 "%s: not in a job's group; CPU shares on "
				 "cgroup v2 need ProctrackType=proctrack/cgroup",
				 groups);
	return rspb_path(path, err, "%s%.*s", tree->root, (int) (end - line), line);
}

/* Without write permission by others: mkdir's mode as everywhere in there. */
static int make_group(const char *path, struct rspb_err *err)
{
	return rspb_folder_make(path, 0755, err);
}

int rspb_tree_make_job(const struct rspb_tree *tree, const char *parent, uint32_t job,
		       char path[RSPB_PATH], struct rspb_err *err)
{
	char above[RSPB_PATH], file[RSPB_PATH];

	if (rspb_path(above, err, "%s/%s", tree->root, parent) ||
	    rspb_path(path, err, "%s/job_%" PRIu32, above, job) ||
	    rspb_path(file, err, "%s/cpu.shares", above))
		return -1;
	/* The folder above has the highest weight, since it competes with all else on the host. */
	if (!rspb_file_exists(path) &&
	    (make_group(above, err) || rspb_file_put(file, err, "%d", RSPB_V1_SHARES_TOP) ||
	     make_group(path, err)))
		return -1;
	return 0;
}

int rspb_tree_check_scope(const struct rspb_tree *tree, const char *node, struct rspb_err *err)
{
	char file[RSPB_PATH], text[32];

	for (int i = 0; tree->version == 2 && i < 2; i++) {
		/* Several slurmd on a host have one each. */
		if (rspb_path(file, err,
			      "%s/system.slice/%s%sslurmstepd.scope/"
			      "cpu.weight",
			      tree->root, i ? "" : node, i ? "" : "_"))
			return -1;
		/* A scope that does not exist has no weight to compare. */
		if (rspb_file_read(file, text, sizeof(text), NULL) > 0 &&
		    strtol(text, NULL, 10) < SCOPE_WEIGHT)
			return rspb_fail(
				err,
				"%s is %ld, at least %d is needed, otherwise processes beside "
				"it take CPU time from all jobs; rspb-check shows how",
				file, strtol(text, NULL, 10), SCOPE_WEIGHT);
	}
	return 0;
}

static int apply_v2(const char *path, const struct rspb_cpu_rule *rule, struct rspb_err *err)
{
	int64_t quota = rspb_quota_us(rule->ceiling, rule->n_cpus, rule->period_us);
	char weight[RSPB_PATH], max[RSPB_PATH], limit[32] = "max";

	if (rspb_path(weight, err, "%s/cpu.weight", path) ||
	    rspb_path(max, err, "%s/cpu.max", path))
		return -1;
	if (quota > 0)
		snprintf(limit, sizeof(limit), "%" PRId64, quota);
	if (rspb_file_put(weight, err, "%" PRId64, rspb_weight_v2(rule->share)))
		return -1;
	return rspb_file_put(max, err, "%s %" PRId64, limit, rule->period_us);
}

/* Write a rule into the files of a group. RET 0, or -1 with err; the files before the failing
 * one are written then. */
static int apply_v1(const char *path, const struct rspb_cpu_rule *rule, struct rspb_err *err)
{
	const struct {
		const char *name;
		int64_t value;
	} files[] = {
		{ "cpu.shares", rspb_weight_v1(rule->share) },
		{ "cpu.cfs_period_us", rule->period_us },
		{ "cpu.cfs_quota_us", rspb_quota_us(rule->ceiling, rule->n_cpus, rule->period_us) },
	};
	char file[RSPB_PATH];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (rspb_path(file, err, "%s/%s", path, files[i].name) ||
		    rspb_file_put(file, err, "%" PRId64, files[i].value))
			return -1;
	return 0;
}

int rspb_tree_apply(const struct rspb_tree *tree, const char *path,
		    const struct rspb_cpu_rule *rule, struct rspb_err *err)
{
	return tree->version == 1 ? apply_v1(path, rule, err) : apply_v2(path, rule, err);
}

/* The first number in one of a folder's files; -1: none ("max"), -2: the file
 * can't be read. `second` NULL, or where the next one goes. */
static int64_t number_in(const char *path, const char *name, int64_t *second, struct rspb_err *err)
{
	char file[RSPB_PATH], text[64], *end;
	int64_t first;

	if (rspb_path(file, err, "%s/%s", path, name) ||
	    rspb_file_read(file, text, sizeof(text), err) < 0)
		return -2;
	first = strtoll(text, &end, 10);
	if (second)
		*second = strtoll(end == text ? text + strcspn(text, " ") : end, NULL, 10);
	return end == text ? -1 : first;
}

int rspb_tree_force(const struct rspb_tree *tree, const char *path, int64_t n_cpus,
		    struct rspb_cpu_force *force, struct rspb_err *err)
{
	bool v1 = tree->version == 1;
	int64_t weight, quota, period = 0;

	weight = number_in(path, v1 ? "cpu.shares" : "cpu.weight", NULL, err);
	if (weight == -2)
		return -1;
	quota = number_in(path, v1 ? "cpu.cfs_quota_us" : "cpu.max", &period, err);
	if (v1)
		period = number_in(path, "cpu.cfs_period_us", NULL, err);
	if (quota == -2 || period == -2)
		return -1;
	force->share = rspb_weight_share(weight, v1 ? RSPB_V1_WHOLE : RSPB_V2_WHOLE);
	force->ceiling = rspb_quota_ceiling(quota, n_cpus, period);
	return 0;
}

/* The number behind a word at the begin of a line, -1 when it isn't there. */
static int64_t stat_value(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = text; p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (!strncmp(p, name, len) && p[len] == ' ')
			return strtoll(p + len, NULL, 10);
	}
	return -1;
}

int rspb_tree_use(const struct rspb_tree *tree, const char *path, struct rspb_cpu_use *use,
		  struct rspb_err *err)
{
	char file[RSPB_PATH], text[1024];

	if (rspb_path(file, err, "%s/cpu.stat", path) ||
	    rspb_file_read(file, text, sizeof(text), err) < 0)
		return -1;
	use->usage_us = stat_value(text, "usage_usec");
	use->periods = stat_value(text, "nr_periods");
	use->throttled = stat_value(text, "nr_throttled");
	use->throttled_us = stat_value(text, "throttled_usec");
	if (tree->version == 2)
		return 0;
	/* v1 has nanoseconds, under another name, and counts CPU time elsewhere. */
	use->throttled_us = stat_value(text, "throttled_time");
	if (use->throttled_us > 0)
		use->throttled_us /= 1000;
	use->usage_us = tree_counted_us(tree, path);
	return 0;
}

/* Ending what is left of a job. */

/* A killed process needs a moment to leave its group. */
enum { ROUNDS = 200, ROUND_NS = 10000000, DEPTH = 8 };

/* The function that is called for every folder below one, innermost first. */
typedef void visit_f(const struct rspb_tree *tree, const char *path);

/* Visit the folders below one, then itself. Jobs may make groups of their own: no more than
 * DEPTH levels are followed. Links are not. */
static void walk(const struct rspb_tree *tree, const char *path, int depth, visit_f *visit)
{
	DIR *dir = depth < DEPTH ? opendir(path) : NULL;
	struct dirent *entry;
	char below[RSPB_PATH];

	while (dir && (entry = readdir(dir)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.' &&
		    !rspb_path(below, NULL, "%s/%s", path, entry->d_name))
			walk(tree, below, depth + 1, visit);
	if (dir)
		closedir(dir);
	visit(tree, path);
}

/* Remove a folder that is empty. The kernel refuses others, which the next round tries again. */
static void remove_folder(const struct rspb_tree *tree, const char *path)
{
	(void) tree;
	rmdir(path);
}

/* Whether a process is in a folder of the tree. A table of groups names them
 * from the top of the hierarchy, of which a mount may show a part. */
static bool is_in(const struct rspb_tree *tree, const char *path, pid_t pid)
{
	char file[RSPB_PATH], text[4096], *line, *rest;
	size_t root = strlen(tree->root), len;
	const char *below = strncmp(path, tree->root, root) ? strrchr(path, '/') : path + root;

	if (rspb_path(file, NULL, "/proc/%d/cgroup", (int) pid) ||
	    rspb_file_read(file, text, sizeof(text), NULL) <= 0)
		return false;
	len = strlen(below);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		size_t has = strlen(line);

		if (has >= len && !strcmp(line + has - len, below))
			return true;
	}
	return false;
}

/* A number may be somebody else's by now, a descriptor stays the process's: so
 * it is asked where it is when there is one. */
static void kill_member(const struct rspb_tree *tree, const char *path, pid_t pid)
{
	int fd = (int) syscall(SYS_pidfd_open, pid, 0);

	/* Linux before 5.3 has no such descriptors. With another error the process is gone, or
	 * is tried again in the next round. */
	if (fd < 0 && errno != ENOSYS)
		return;
	if (is_in(tree, path, pid)) {
		if (fd >= 0)
			syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0);
		else
			kill(pid, SIGKILL);
	}
	if (fd >= 0)
		close(fd);
}

/* Line by line: the kernel hands out pieces that end within a number. */
static void kill_procs(const struct rspb_tree *tree, const char *path)
{
	char file[RSPB_PATH], line[32], *end;
	FILE *procs;
	long pid;

	if (rspb_path(file, NULL, "%s/cgroup.procs", path) || !(procs = fopen(file, "re")))
		return;
	while (fgets(line, sizeof(line), procs)) {
		pid = strtol(line, &end, 10);
		if (*end == '\n' && pid > 0 && pid <= INT32_MAX && pid != getpid())
			kill_member(tree, path, (pid_t) pid);
	}
	fclose(procs);
}

/* End all processes of a group. From Linux 5.14 on v2 does so at once, also for those that are
 * just being forked; otherwise each is sent a signal. */
static void end_all(const struct rspb_tree *tree, const char *path)
{
	char file[RSPB_PATH];

	if (tree->version == 2 && !rspb_path(file, NULL, "%s/cgroup.kill", path) &&
	    !rspb_file_put(file, NULL, "1"))
		return;
	walk(tree, path, 0, kill_procs);
}

int rspb_tree_clear(const struct rspb_tree *tree, const char *path, struct rspb_err *err)
{
	const struct timespec pause = { .tv_nsec = ROUND_NS };

	for (int i = 0; i < ROUNDS; i++) {
		walk(tree, path, 0, remove_folder);
		if (!rspb_file_exists(path))
			return 0;
		end_all(tree, path);
		nanosleep(&pause, NULL);
	}
	return rspb_fail(err,
			 "%s: still there after %d s of ending what runs "
			 "in it",
			 path, ROUNDS / (1000000000 / ROUND_NS));
}

bool rspb_tree_prune(const char *path)
{
	return !rmdir(path);
}
