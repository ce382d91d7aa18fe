# SPDX-License-Identifier: GPL-2.0-or-later
# Rules of the source tree, for those who change it: what it contains, which module
# may use which, how it is laid out, that the documentation names whatever a user
# can write, that it compiles for every release whose source is at hand. None of
# them says anything of a build, so `make check` leaves them out.
check_PROGRAMS += tests/rules/tables
tests_rules_tables_LDADD = common/librspbcommon.la
house_rules = \
	tests/rules/breath \
	tests/rules/comments \
	tests/rules/cycles \
	tests/rules/doc-paths \
	tests/rules/docs \
	tests/rules/figures \
	tests/rules/format \
	tests/rules/headers \
	tests/rules/layering \
	tests/rules/man-pages \
	tests/rules/never-logged \
	tests/rules/objects \
	tests/rules/releases \
	tests/rules/rooms \
	tests/rules/scripts \
	tests/rules/threads \
	tests/rules/tree \
	tests/rules/walks \
	tests/rules/words
EXTRA_DIST += .clang-format tests/rules/breath.py tests/rules/figures.py \
	tests/rules/walks.py
dist_check_SCRIPTS += tests/rules/house $(house_rules)
check-house: all tests/rules/tables
	@$(AM_TESTS_ENVIRONMENT) srcdir='$(srcdir)' \
		$(srcdir)/tests/rules/house $(house_rules)
.PHONY: check-house
