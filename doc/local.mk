# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += doc/porting-to-a-new-slurm.md
