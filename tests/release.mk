# SPDX-License-Identifier: GPL-2.0-or-later
# That a release is the same bytes each time, and that its files belong together.
dist_check_SCRIPTS += tests/release/check
TESTS += tests/release/check
