# SPDX-License-Identifier: GPL-2.0-or-later
# The files of a release, in one folder: `make release` (doc/releasing.md). The same source,
# Autotools and xz give the same bytes: each file of the tarball has the time of the last
# commit, or of configure.ac where there is no repository.
EXTRA_DIST += contrib/release/sbom contrib/release/make-release \
	contrib/release/checked contrib/release/doc-html
dist_epoch = $${SOURCE_DATE_EPOCH:-$$( \
	test -e $(srcdir)/.git && git -C $(srcdir) log -1 --format=%ct || \
	stat -c %Y $(srcdir)/configure.ac)}
# Files that Python left beside a test's source are left out.
dist-hook:
	find $(distdir) -name __pycache__ -exec rm -rf {} +
release_folder = release-$(VERSION)
.PHONY: release
release: all dist
	$(AM_V_GEN)epoch=$(dist_epoch) && \
	$(srcdir)/contrib/release/make-release $(VERSION) "$$epoch" \
		$(distdir).tar.xz . $(srcdir) $(release_folder)
