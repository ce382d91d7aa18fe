# SPDX-License-Identifier: GPL-2.0-or-later

EXTRA_DIST += contrib/quickstart contrib/quickstart.d/lib.sh \
	contrib/quickstart.d/packages.sh contrib/quickstart.d/build.sh \
	contrib/quickstart.d/conf.sh contrib/quickstart.d/cluster.sh \
	contrib/quickstart.d/slurm.sh contrib/quickstart.d/demo.sh \
	contrib/quickstart.d/chart.awk contrib/quickstart.d/test.sh

# For administrators, on a node.
dist_sbin_SCRIPTS = contrib/rspb-check

include contrib/sim/local.mk
