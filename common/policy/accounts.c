/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/accounts.h"

#include <stdlib.h>
#include <string.h>

/* Compare by account; requests without one come first, by user. */
static int compare(const struct rspb_request *a, const struct rspb_request *b)
{
	size_t n, m;
	const char *of_a = rspb_request_account_of(a, &n);
	const char *of_b = rspb_request_account_of(b, &m);
	int order;

	if (!n && !m)
		return a->user < b->user ? -1 : a->user > b->user;
	order = memcmp(of_a, of_b, n < m ? n : m);
	return order ? order : n < m ? -1 : n > m;
}

static int compare_accounts(const void *left, const void *right)
{
	const struct rspb_account *a = left, *b = right;

	return compare(a->request, b->request);
}

int rspb_accounts_init(struct rspb_accounts *accounts, const struct rspb_request *const *requests,
		       size_t n)
{
	struct rspb_account *list = calloc(n + 1, sizeof(*list));

	*accounts = (struct rspb_accounts){ .list = list };
	if (!list)
		return -1;
	for (size_t i = 0; i < n; i++)
		list[i].request = requests[i];
	qsort(list, n, sizeof(*list), compare_accounts);
	for (size_t i = 0; i < n; i++)
		if (!i || compare_accounts(&list[i], &list[accounts->n - 1]))
			list[accounts->n++] = list[i];
	return 0;
}

void rspb_accounts_fini(struct rspb_accounts *accounts)
{
	free(accounts->list);
	*accounts = (struct rspb_accounts){ .list = NULL };
}

struct rspb_account *rspb_accounts_find(const struct rspb_accounts *accounts,
					const struct rspb_request *request)
{
	const struct rspb_account wanted = { request, 0 };

	return accounts->n ? bsearch(&wanted, accounts->list, accounts->n, sizeof(wanted),
				     compare_accounts)
			   : NULL;
}
