# SPDX-License-Identifier: GPL-2.0-or-later
# That a release is the same bytes each time, and that its files belong together; and how
# the suites run on another release of Slurm.
dist_check_SCRIPTS += tests/release/check tests/release/another-slurm
TESTS += tests/release/check tests/release/another-slurm
