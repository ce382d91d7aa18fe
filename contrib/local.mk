# SPDX-License-Identifier: GPL-2.0-or-later

EXTRA_DIST += contrib/quickstart contrib/quickstart.d/lib.sh \
	contrib/quickstart.d/packages.sh contrib/quickstart.d/build.sh \
	contrib/quickstart.d/conf.sh contrib/quickstart.d/cluster.sh \
	contrib/quickstart.d/slurm.sh contrib/quickstart.d/release.sh contrib/quickstart.d/demo.sh \
	contrib/quickstart.d/sanitized.sh \
	contrib/quickstart.d/under-sanitizers contrib/quickstart.d/chart.awk contrib/quickstart.d/test.sh

# Packages; debian/ is no part of the tarball.
EXTRA_DIST += contrib/rpm/slurm-rspb.spec

# For administrators, on a node.
dist_sbin_SCRIPTS = contrib/rspb-check

# What a site begins with.
dist_doc_DATA = README.md NEWS.md
examplesdir = $(docdir)/examples
dist_examples_DATA = contrib/examples/slurm.conf contrib/examples/rspb.conf \
	contrib/examples/plugstack.conf contrib/examples/rspb-metrics.service
ondemanddir = $(examplesdir)/ondemand
dist_ondemand_DATA = contrib/examples/ondemand/README.md \
	contrib/examples/ondemand/form.yml \
	contrib/examples/ondemand/manifest.yml \
	contrib/examples/ondemand/submit.yml.erb
ondemandtemplatedir = $(ondemanddir)/template
dist_ondemandtemplate_DATA = contrib/examples/ondemand/template/script.sh.erb
calendarappdir = $(examplesdir)/ondemand-calendar
dist_calendarapp_DATA = contrib/ondemand/README.md contrib/ondemand/app.js \
	contrib/ondemand/manifest.yml
calendarapppublicdir = $(calendarappdir)/public
dist_calendarapppublic_DATA = contrib/ondemand/public/README.md
sitesdir = $(examplesdir)/sites
dist_sites_DATA = contrib/examples/sites/abci.conf \
	contrib/examples/sites/alcf.conf \
	contrib/examples/sites/archer2.conf \
	contrib/examples/sites/chameleon.conf \
	contrib/examples/sites/hpcmp.conf \
	contrib/examples/sites/lcrc.conf \
	contrib/examples/sites/nersc.conf \
	contrib/examples/sites/oar.conf \
	contrib/examples/sites/pawsey.conf \
	contrib/examples/sites/university.conf

grafanadir = $(docdir)/grafana
dist_grafana_DATA = contrib/grafana/slurm-rspb.json

include contrib/calendar/local.mk
include contrib/sim/local.mk
include contrib/client/local.mk
include contrib/release/local.mk
