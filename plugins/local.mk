# SPDX-License-Identifier: GPL-2.0-or-later
# Built only when configure was given Slurm's internal headers.
# slurm-config/ stands in for the config.h of a configured Slurm tree.
PLUGIN_CPPFLAGS = -I$(top_srcdir) \
	-I$(top_srcdir)/plugins/compat/slurm-config -isystem $(SLURM_SRC)
