dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl RSPB_SLURM: decide whether the plugins are built, and for which Slurm.
dnl They need two things of exactly one version of Slurm: its installed headers
dnl (slurm/slurm.h, slurm/slurm_version.h) and its internal ones, which no
dnl binary package holds, from an unpacked source tree (no build of it needed).

dnl Releases for which plugins/compat was written; doc/porting-to-a-new-slurm.md
dnl says how to add one.
m4_define([RSPB_SLURM_RELEASES],
	[22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05 26.11])

AC_DEFUN([RSPB_SLURM], [
	AC_ARG_WITH([slurm-src],
		[AS_HELP_STRING([--with-slurm-src=DIR],
			[unpacked source of the Slurm the plugins are for])],
		[], [with_slurm_src=no])
	AC_ARG_WITH([slurm-headers],
		[AS_HELP_STRING([--with-slurm-headers=installed|source],
			[whose slurm/*.h; source: no Slurm need be installed @<:@installed@:>@])],
		[], [with_slurm_headers=installed])
	AC_ARG_WITH([slurm-header-patches],
		[AS_HELP_STRING([--with-slurm-header-patches=FILE],
			[what the internal headers of --with-slurm-src lack of the installed micro release (build-aux/slurm-headers)])],
		[], [with_slurm_header_patches=no])
	AC_ARG_WITH([slurmctld],
		[AS_HELP_STRING([--with-slurmctld=FILE|no],
			[the program whose symbols the plugins are checked against @<:@found in PATH@:>@])],
		[], [with_slurmctld=yes])
	AC_ARG_WITH([plugindir],
		[AS_HELP_STRING([--with-plugindir=DIR],
			[where the plugins go; first in PluginDir @<:@LIBDIR/slurm-rspb@:>@])],
		[plugindir=$withval], [plugindir='${libdir}/slurm-rspb'])
	AC_SUBST([plugindir])
	rspb_plugins=no
	rspb_plugins_summary="no (give --with-slurm-src=DIR)"
	rspb_plugindir_summary="-"
	SLURM_FEATURES=
	SLURMCTLD=
	AS_IF([test "$with_slurm_src" != no], [
		RSPB_SLURM_SOURCE
		RSPB_SLURM_KNOWN
		RSPB_SLURM_HEADERS
		RSPB_SLURM_TABLE
		AC_CHECK_HEADER([munge.h], [], [:])
		RSPB_SLURM_FEATURES
		RSPB_SLURM_PROGRAM
		rspb_plugins=yes
		rspb_plugins_summary="$rspb_version$rspb_candidate"
		rspb_plugindir_summary="$plugindir"
	])
	dnl The same again, for a build of the tarball.
	AC_SUBST([SLURM_OPTIONS], ["--with-slurm-src=$with_slurm_src --with-slurm-headers=$with_slurm_headers --with-slurm-header-patches=$with_slurm_header_patches --with-slurmctld=$with_slurmctld"])
	AC_SUBST([SLURM_SRC], [$with_slurm_src])
	AC_SUBST([SLURM_VERSION_STRING], [$rspb_version$rspb_candidate])
	AC_SUBST([SLURM_FEATURES])
	AC_SUBST([SLURMCTLD])
	AM_CONDITIONAL([BUILD_PLUGINS], [test "$rspb_plugins" = yes])
])

dnl The source tree, and its version by its META.
AC_DEFUN([RSPB_SLURM_SOURCE], [
	AS_CASE([$with_slurm_src], [/*], [],
		[with_slurm_src=`cd "$with_slurm_src" 2>/dev/null && pwd`])
	AS_IF([test -f "$with_slurm_src/src/slurmctld/slurmctld.h" &&
			test -f "$with_slurm_src/META"], [],
		[AC_MSG_ERROR([--with-slurm-src=$withval: no META and src/slurmctld/slurmctld.h there])])
	rspb_meta() { sed -n "s/^@<:@@<:@:space:@:>@@:>@*$[]1:@<:@@<:@:space:@:>@@:>@*//p" "$with_slurm_src/META"; }
	rspb_number() { printf "0x%02x%02x%02x" `echo "$[]1" | sed 's/^0*\(@<:@0-9@:>@\)/\1/; s/\.0*\(@<:@0-9@:>@\)/ \1/g; s/@<:@^0-9 @:>@.*//'`; }
	rspb_src_version="`rspb_meta Major`.`rspb_meta Minor`.`rspb_meta Micro`"
	rspb_version=$rspb_src_version
	dnl A candidate (Release: 0rc1) has its release's number, and a name of its own.
	AS_CASE([`rspb_meta Release`],
		[0*], [rspb_candidate=-`rspb_meta Release`],
		[rspb_candidate=])
])

dnl A release nobody has looked at would fail in the middle of make, or worse.
AC_DEFUN([RSPB_SLURM_KNOWN], [
	AC_MSG_CHECKING([that this release of Slurm is known])
	AS_CASE([" RSPB_SLURM_RELEASES "],
		[*" ${rspb_src_version%.*} "*], [AC_MSG_RESULT([$rspb_src_version])],
		[AC_MSG_RESULT([no])
		 AC_MSG_ERROR([$with_slurm_src is Slurm $rspb_src_version; this slurm-rspb knows RSPB_SLURM_RELEASES])])
])

dnl Installed headers of the same version; or the source's own, which lack
dnl nothing but slurm_version.h; or installed ones of a later micro release with
dnl a patch that says what its internal headers have more.
AC_DEFUN([RSPB_SLURM_HEADERS], [
	rm -rf slurm-headers
	AS_MKDIR_P([slurm-headers/slurm])
	SLURM_CPPFLAGS="-I`pwd`/slurm-headers -isystem $with_slurm_src"
	AC_SUBST([SLURM_CPPFLAGS])
	AS_CASE([$with_slurm_headers],
	[source], [
		cat > slurm-headers/slurm/slurm_version.h <<RSPB_EOF
#define SLURM_VERSION_NUMBER `rspb_number "$rspb_src_version"`
#define SLURM_VERSION_NUM(a, b, c) (((a) << 16) + ((b) << 8) + (c))
RSPB_EOF
	],
	[installed], [RSPB_SLURM_INSTALLED],
	[AC_MSG_ERROR([--with-slurm-headers=$with_slurm_headers: installed or source])])
	AS_IF([test "$with_slurm_header_patches" != no], [RSPB_SLURM_PATCH])
])

AC_DEFUN([RSPB_SLURM_INSTALLED], [
	AC_CHECK_HEADERS([slurm/slurm.h slurm/slurm_version.h slurm/spank.h], [],
		[AC_MSG_ERROR([Slurm's installed headers are missing (Debian: libslurm-dev)])])
	AC_MSG_CHECKING([that Slurm's headers and source are of one version])
	AC_COMPUTE_INT([rspb_installed], [SLURM_VERSION_NUMBER],
		[#include <slurm/slurm_version.h>], [rspb_installed=0])
	rspb_version=`printf "%d.%02d.%d" $((rspb_installed >> 16)) $((rspb_installed >> 8 & 255)) $((rspb_installed & 255))`
	AS_IF([test $((rspb_installed)) -eq $((`rspb_number "$rspb_src_version"`))],
		[AC_MSG_RESULT([$rspb_version])],
	[test "$with_slurm_header_patches" != no &&
	 test "${rspb_version%.*}" = "${rspb_src_version%.*}"],
		[AC_MSG_RESULT([$rspb_version by a patch of $rspb_src_version])],
	[AC_MSG_RESULT([no])
	 AC_MSG_ERROR([$with_slurm_src is Slurm $rspb_src_version, the installed headers are $rspb_version; see also --with-slurm-header-patches])])
])

dnl Copies of the headers that the patch names, before those of the source. Its
dnl name says between which releases it is: 26.05.3-26.05.5.patch.
AC_DEFUN([RSPB_SLURM_PATCH], [
	AS_CASE([$with_slurm_header_patches], [/*], [],
		[with_slurm_header_patches=`pwd`/$with_slurm_header_patches])
	AS_IF([test -r "$with_slurm_header_patches"], [],
		[AC_MSG_ERROR([--with-slurm-header-patches=$with_slurm_header_patches: cannot be read])])
	AS_CASE([$with_slurm_header_patches],
		[*"$rspb_src_version-$rspb_version.patch"], [],
		[AC_MSG_ERROR([--with-slurm-header-patches=$with_slurm_header_patches: a file named $rspb_src_version-$rspb_version.patch is wanted])])
	for rspb_file in `sed -n 's,^+++ b/\(@<:@^ @:>@*\).*,\1,p' "$with_slurm_header_patches"`; do
		AS_MKDIR_P(["slurm-headers/`AS_DIRNAME(["$rspb_file"])`"])
		cp "$with_slurm_src/$rspb_file" "slurm-headers/$rspb_file" || exit 1
	done
	AS_IF([patch -s -p1 -d slurm-headers < "$with_slurm_header_patches"], [],
		[AC_MSG_ERROR([--with-slurm-header-patches=$with_slurm_header_patches: does not fit $with_slurm_src])])
])

dnl Slurm's table of a select plugin's operations, out of its source.
AC_DEFUN([RSPB_SLURM_TABLE], [
	rspb_room=$with_slurm_src/src/interfaces
	test -f "$rspb_room/select.c" || rspb_room=$with_slurm_src/src/common
	AC_MSG_CHECKING([for Slurm's table of a select plugin])
	AS_MKDIR_P([slurm-headers/plugins/compat])
	AS_IF([$AWK -f "$srcdir/plugins/compat/release/select-table.awk" \
			"$rspb_room/select.h" "$rspb_room/select.c" \
			> slurm-headers/plugins/compat/select_table.h],
		[AC_MSG_RESULT([$rspb_room/select.c])],
		[AC_MSG_RESULT([no])
		 AC_MSG_ERROR([no table of operations in $rspb_room/select.h and select.c])])
])

dnl Where slurmctld is, to look up there what the plugins will ask it for.
AC_DEFUN([RSPB_SLURM_PROGRAM], [
	AS_CASE([$with_slurmctld],
	[no], [],
	[yes], [AS_IF([test "$with_slurm_headers" = installed],
		[AC_PATH_PROG([SLURMCTLD], [slurmctld], [],
			[$PATH$PATH_SEPARATOR/usr/sbin$PATH_SEPARATOR/usr/local/sbin])])],
	[SLURMCTLD=$with_slurmctld
	 AS_IF([test -f "$SLURMCTLD"], [],
		[AC_MSG_ERROR([--with-slurmctld=$SLURMCTLD: no such file])])])
	AS_IF([test -n "$SLURMCTLD"], [RSPB_SLURM_IMPORTS])
])

AC_DEFUN([RSPB_SLURM_IMPORTS], [
	AC_MSG_CHECKING([that $SLURMCTLD has what the plugins want])
	rspb_lacks=`"$srcdir/build-aux/slurm-imports" "$srcdir/plugins/compat/release/imports" "${rspb_version%.*}" "$SLURMCTLD" | head -n 4 | tr '\n' ' '`
	AS_IF([test -z "$rspb_lacks"], [AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		 AC_MSG_ERROR([$SLURMCTLD lacks ${rspb_lacks}and maybe more: it is not the slurmctld of Slurm $rspb_version (--with-slurmctld=FILE or no)])])
])
