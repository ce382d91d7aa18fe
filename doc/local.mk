# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += doc/cpu-shares.md doc/performance.md doc/porting-to-a-new-slurm.md
EXTRA_DIST += doc/policies.md doc/adding-a-kind.md doc/adding-a-policy.md
EXTRA_DIST += doc/protocol.md doc/protocol.schema.json
dist_man_MANS += doc/man/rspb.1 doc/man/rspb.conf.5 doc/man/rspb.7 doc/man/rspb-sim.1 \
	doc/man/rspb-check.8
EXTRA_DIST += doc/architecture.md doc/timeline.svg
EXTRA_DIST += doc/adding-a-benefit.md doc/journal.md
