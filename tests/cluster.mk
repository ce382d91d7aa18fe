# SPDX-License-Identifier: GPL-2.0-or-later
# Not in TESTS: they need root and some minutes; contrib/quickstart test
# runs them.
EXTRA_DIST += .ci/run .shellcheckrc tests/cluster/run tests/cluster/lib.sh \
	tests/cluster/10-start.sh \
	tests/cluster/12-site.sh \
	tests/cluster/15-scontrol.sh \
	tests/cluster/20-degrade.sh \
	tests/cluster/22-presets.sh \
	tests/cluster/25-gres.sh \
	tests/cluster/30-lifecycle.sh tests/cluster/40-ordinary.sh \
	tests/cluster/45-moved.sh tests/cluster/47-journal.sh \
	tests/cluster/50-trust.sh tests/cluster/55-accounting.sh \
	tests/cluster/60-restart.sh tests/cluster/61-crash.sh \
	tests/cluster/62-nodes.sh tests/cluster/65-takeover.sh \
	tests/cluster/70-load.sh tests/cluster/80-shares.sh \
	tests/cluster/82-used-shares.sh tests/cluster/83-daemons.sh \
	tests/cluster/launch-cost \
	tests/cluster/85-shares-v2.sh tests/cluster/guest.sh \
	tests/cluster/guest-init \
	tests/cluster/burn.pl
