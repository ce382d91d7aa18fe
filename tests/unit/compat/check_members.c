/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may book for whom, asked of Slurm's own lists: these lock themselves, and end the
 * process where a walk of one reaches the same list. */
#include "plugins/compat/limit/members.h"

#include "plugins/compat/slurm.h"
#include "tests/unit/runner.h"

slurm_conf_t slurm_conf;
list_t *assoc_mgr_assoc_list, *assoc_mgr_user_list;

enum { ANN = 1001, BOB, CAROL };

static slurmdb_assoc_rec_t assocs[] = {
	{ .acct = "root" },
	{ .acct = "physics", .user = "ann", .uid = ANN },
	{ .acct = "biology", .user = "ann", .uid = ANN },
	{ .acct = "chemistry", .user = "bob", .uid = BOB },
	{ .acct = "biology", .user = "bob", .uid = BOB },
	{ .acct = "chemistry", .user = "carol", .uid = CAROL },
};
static slurmdb_coord_rec_t coordinated = { .name = "chemistry" };
static slurmdb_user_rec_t users[] = { { .uid = ANN }, { .uid = BOB }, { .uid = CAROL } };

static void fill(void)
{
	assoc_mgr_assoc_list = slurm_list_create(NULL);
	assoc_mgr_user_list = slurm_list_create(NULL);
	users[0].coord_accts = slurm_list_create(NULL);
	slurm_list_append(users[0].coord_accts, &coordinated);
	for (size_t i = 0; i < sizeof(assocs) / sizeof(*assocs); i++)
		slurm_list_append(assoc_mgr_assoc_list, &assocs[i]);
	for (size_t i = 0; i < sizeof(users) / sizeof(*users); i++)
		slurm_list_append(assoc_mgr_user_list, &users[i]);
}

START_TEST(a_member_shares_an_account)
{
	fill();
	ck_assert(rspb_member_is(ANN, RSPB_MEMBER_HAS, NULL, "bob"));
	ck_assert(rspb_member_is(BOB, RSPB_MEMBER_HAS, NULL, "ann"));
	ck_assert(rspb_member_is(CAROL, RSPB_MEMBER_HAS, NULL, "bob"));
	ck_assert(!rspb_member_is(CAROL, RSPB_MEMBER_HAS, NULL, "ann"));
	ck_assert(!rspb_member_is(ANN, RSPB_MEMBER_HAS, NULL, "nobody"));
}
END_TEST

START_TEST(a_coordinator_has_the_users_of_the_account)
{
	fill();
	ck_assert(rspb_member_is(ANN, RSPB_MEMBER_COORDINATES, NULL, "carol"));
	ck_assert(rspb_member_is(ANN, RSPB_MEMBER_COORDINATES, NULL, "bob"));
	ck_assert(!rspb_member_is(ANN, RSPB_MEMBER_COORDINATES, NULL, "ann"));
	ck_assert(!rspb_member_is(BOB, RSPB_MEMBER_COORDINATES, NULL, "carol"));
}
END_TEST

START_TEST(an_account_is_asked_for_by_name)
{
	fill();
	ck_assert(rspb_member_is(ANN, RSPB_MEMBER_HAS, "biology", NULL));
	ck_assert(!rspb_member_is(ANN, RSPB_MEMBER_HAS, "chemistry", NULL));
	ck_assert(rspb_member_is(ANN, RSPB_MEMBER_COORDINATES, "chemistry", NULL));
	ck_assert(!rspb_member_is(ANN, RSPB_MEMBER_COORDINATES, "biology", NULL));
}
END_TEST

START_TEST(a_site_without_accounting_has_no_accounts)
{
	ck_assert(!rspb_member_is(ANN, RSPB_MEMBER_HAS, NULL, "bob"));
	ck_assert(!rspb_member_is(ANN, RSPB_MEMBER_COORDINATES, NULL, "bob"));
	ck_assert(!rspb_member_is(ANN, RSPB_MEMBER_HAS, "biology", NULL));
}
END_TEST

RUN_TESTS("members", NULL, NULL, 0, a_member_shares_an_account,
	  a_coordinator_has_the_users_of_the_account, an_account_is_asked_for_by_name,
	  a_site_without_accounting_has_no_accounts)
