/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reservations are made without Slurm's own walks over all that there are, and get
 * the names and numbers that Slurm would have given: beside others who make and
 * delete theirs, and ours, unseen.
 */
#include <malloc.h>
#include <string.h>

#include "plugins/compat/resv_internal.h"
#include "tests/unit/compat/lists.h"
#include "tests/unit/runner.h"

enum { MOST = 9999, NAMES = 3000, BUFFER = 8192 };

list_t *resv_list;
time_t last_resv_update;
uint32_t top_suffix;
static list_t *real;  /* what slurmctld's list must be between calls */
static int walked;    /* records that Slurm looked at */
static unsigned seed; /* of this test */

static unsigned draw(unsigned below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % below;
}

/* --- Slurm, as its source has it ------------------------------------------- */

slurmctld_resv_t *find_resv_name(char *name)
{
	for (int i = 0; i < list_count(resv_list); i++, walked++)
		if (!strcmp(((slurmctld_resv_t *) list_at(resv_list, i))->name,
			    name))
			return list_at(resv_list, i);
	return NULL;
}

static bool number_taken(list_t *list, uint32_t number)
{
	for (int i = 0; i < list_count(list); i++, walked++)
		if (((slurmctld_resv_t *) list_at(list, i))->resv_id == number)
			return true;
	return false;
}

static uint32_t next_of(list_t *list, uint32_t last)
{
	do
		last = last >= MOST ? 1 : last + 1;
	while (number_taken(list, last));
	return last;
}

static int make(const char *name)
{
	slurmctld_resv_t *resv;

	top_suffix = next_of(resv_list, top_suffix);
	if (find_resv_name((char *) name))
		return ESLURM_RESERVATION_NAME_DUP;
	resv = calloc(1, sizeof(*resv));
	resv->resv_id = top_suffix;
	resv->name = strdup(name);
	resv->node_list = calloc(1, BUFFER);
	strcpy(resv->node_list, "n1");
	list_append(resv_list, resv);
	return SLURM_SUCCESS;
}

#ifdef RSPB_HAVE_RESV_MESSAGE
int create_resv(resv_desc_msg_t *desc, char **text)
{
	*text = NULL;
	return make(desc->name);
}
#else
int create_resv(resv_desc_msg_t *desc)
{
	return make(desc->name);
}
#endif

int delete_resv(reservation_name_msg_t *msg)
{
	slurmctld_resv_t *resv = find_resv_name(msg->name);

	for (int i = 0; resv && i < list_count(resv_list); i++)
		if (list_at(resv_list, i) == resv)
			list_take(resv_list, i);
	return SLURM_SUCCESS; /* leaked: another one never lies at its place */
}

int validate_job_resv(job_record_t *job)
{
	job->resv_ptr = find_resv_name(job->resv_name);
	return job->resv_ptr ? SLURM_SUCCESS : ESLURM_RESERVATION_INVALID;
}

void slurm_init_resv_desc_msg(resv_desc_msg_t *desc)
{
	memset(desc, 0, sizeof(*desc));
}

/* --- ours that is not looked at here ---------------------------------------- */

bool rspb_resv_by_account(void)
{
	return true;
}

void rspb_resv_view(slurmctld_resv_t *resv, int64_t now, struct rspb_resv *out)
{
	(void) now;
	out->handle = resv;
}

bool rspb_resv_of_job(const char *name, uint64_t *id, uint32_t *part)
{
	*id = strtoull(name + strlen(RSPB_BOOKING_PREFIX), NULL, 10);
	*part = 0;
	return !strncmp(name, RSPB_BOOKING_PREFIX, strlen(RSPB_BOOKING_PREFIX));
}

/* --- the tests --------------------------------------------------------------- */

static char *name_of(unsigned i)
{
	static char name[32];

	snprintf(name, sizeof(name), RSPB_BOOKING_PREFIX "%u", i);
	return name;
}

static int make_ours(char *name)
{
	struct rspb_resv_spec spec = { .name = name, .nodes = "n1", .end = 60 };

	return rspb_resv_create(&spec, NULL);
}

/* Ours comes out as Slurm's would, or is refused as Slurm would. */
static void one_of_ours(char *name)
{
	bool known = find_resv_name(name);
	uint32_t number = next_of(resv_list, top_suffix);
	job_record_t job = { .resv_name = name };
	slurmctld_resv_t *resv;

	ck_assert_int_eq(make_ours(name), known ? -1 : 0);
	ck_assert_ptr_eq(resv_list, real);
	ck_assert_int_eq(rspb_resv_validate(&job), SLURM_SUCCESS);
	ck_assert_ptr_eq(resv_list, real);
	resv = find_resv_name(name);
	ck_assert_ptr_eq(job.resv_ptr, resv);
	if (!known)
		ck_assert_uint_eq(resv->resv_id, number);
	if (!known)
		ck_assert_str_eq(resv->node_list, "n1");
}

static void begin(uint32_t last)
{
	real = resv_list = list_create(NULL);
	top_suffix = last;
}

START_TEST(beside_others)
{
	reservation_name_msg_t msg;

	begin(MOST - 700);
	for (int i = 0; i < test_rounds(20000); i++) {
		char *name = name_of(draw(NAMES));

		rspb_resv_unlocked();
		switch (draw(8)) {
		case 0:
			make(draw(2) ? name : "");
			break;
		case 1:
			msg.name = name;
			delete_resv(&msg);
			break;
		case 2:
			ck_assert_int_eq(rspb_resv_delete(name, NULL), 0);
			break;
		default:
			one_of_ours(name);
		}
	}
	ck_assert_int_gt(list_count(resv_list), 100);
}
END_TEST

START_TEST(as_many_as_there_can_be)
{
	begin(17);
	for (int i = 0; i < MOST; i++)
		ck_assert_int_eq(make_ours(name_of(i)), 0);
	ck_assert_int_eq(list_count(resv_list), MOST);
	ck_assert_int_eq(make_ours(name_of(MOST)), -1);
	for (uint32_t n = 1; n <= MOST; n++)
		ck_assert(number_taken(resv_list, n));
}
END_TEST

/* What Slurm looks at does not grow with how many there are. */
START_TEST(without_walks)
{
	job_record_t job = { .resv_name = NULL };
	uint32_t n;

	begin(0);
	for (n = 0; n < 5000; n++)
		ck_assert_int_eq(make_ours(name_of(n)), 0);
	walked = 0;
	for (; n < 5100; n++) {
		ck_assert_int_eq(make_ours(name_of(n)), 0);
		job.resv_name = name_of(n);
		ck_assert_int_eq(rspb_resv_validate(&job), SLURM_SUCCESS);
	}
	ck_assert_int_le(walked, 100);
}
END_TEST

/* Between two sections Slurm may read all of its records anew. */
START_TEST(records_read_anew)
{
	job_record_t job = { .resv_name = NULL };
	slurmctld_resv_t *anew = calloc(1, sizeof(*anew));

	begin(0);
	ck_assert_int_eq(make_ours(name_of(1)), 0);
	*anew = *(slurmctld_resv_t *) list_at(resv_list, 0);
	list_take(resv_list, 0);
	list_append(resv_list, anew);
	rspb_resv_unlocked();
	job.resv_name = name_of(1);
	ck_assert_int_eq(rspb_resv_validate(&job), SLURM_SUCCESS);
	ck_assert_ptr_eq(job.resv_ptr, anew);
}
END_TEST

/* The names of its nodes take the room of their letters, not of Slurm's buffer. */
START_TEST(names_of_nodes)
{
	slurmctld_resv_t *resv;

	begin(0);
	ck_assert_int_eq(make_ours(name_of(1)), 0);
	resv = list_at(resv_list, 0);
	ck_assert_str_eq(resv->node_list, "n1");
	ck_assert_uint_lt(malloc_usable_size(resv->node_list), 64);
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = {
		beside_others,	   as_many_as_there_can_be, without_walks,
		records_read_anew, names_of_nodes,
	};

	return suite_of("resv", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
