# SPDX-License-Identifier: GPL-2.0-or-later
# Not in TESTS: they need root and some minutes; contrib/quickstart test
# runs them.
EXTRA_DIST += .ci/run .shellcheckrc tests/cluster tests/fresh tests/fresh-install
