# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += doc/claims.md doc/install.md doc/limits.md doc/releasing.md
EXTRA_DIST += doc/cpu-shares.md doc/performance.md doc/porting-to-a-new-slurm.md
EXTRA_DIST += doc/papers.md doc/policies.md doc/security.md doc/glossary.md
EXTRA_DIST += doc/policy-programs.md
EXTRA_DIST += doc/plotting.md
EXTRA_DIST += doc/protocol.md doc/protocol.schema.json
dist_man_MANS += doc/man/rspb.1 doc/man/rspb.conf.5 doc/man/rspb.7 doc/man/rspb-flags.7 doc/man/rspb-sim.1 doc/man/rspb-sim-papers.1 \
	doc/man/rspb-check.8
EXTRA_DIST += doc/architecture.md doc/timeline.json doc/price-frontier.svg doc/timeline.svg
EXTRA_DIST += doc/recipes.md doc/calendar.md doc/calendar-book.png doc/calendar-8.png doc/calendar-1024.png \
	doc/calendar-10240.png doc/calendar-phone.png

# The picture in README.md: a private cluster of 8 nodes as rspb has drawn it. A test
# says when it is drawn otherwise by now.
picture = TZ=PST8 contrib/client/rspb timeline --next=9h --svg=-
.PHONY: picture
picture: contrib/client/rspb
	$(AM_V_GEN)$(picture) --read=$(srcdir)/doc/timeline.json \
		>$(srcdir)/doc/timeline.svg
EXTRA_DIST += doc/journal.md doc/testing.md

# The documentation as pages for a browser, in one folder: `make doc-html`.
.PHONY: doc-html
doc-html:
	$(AM_V_GEN)$(srcdir)/contrib/release/doc-html $(srcdir) doc-html
dist_check_SCRIPTS += tests/release/html
EXTRA_DIST += tests/release/packages
TESTS += tests/release/html
