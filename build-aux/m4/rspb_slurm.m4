dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl RSPB_SLURM: decide whether the plugins are built.
dnl They need two things of exactly one version of Slurm: its installed headers
dnl (slurm/slurm.h, slurm/slurm_version.h) and its internal ones, which no
dnl binary package holds, from an unpacked source tree (no build of it needed).
AC_DEFUN([RSPB_SLURM], [
	AC_ARG_WITH([slurm-src],
		[AS_HELP_STRING([--with-slurm-src=DIR],
			[unpacked source of the Slurm the plugins are for])],
		[], [with_slurm_src=no])
	AC_ARG_WITH([plugindir],
		[AS_HELP_STRING([--with-plugindir=DIR],
			[where the plugins go; first in PluginDir @<:@LIBDIR/slurm-rspb@:>@])],
		[plugindir=$withval], [plugindir='${libdir}/slurm-rspb'])
	AC_SUBST([plugindir])
	AC_SUBST([SLURM_SRC], [$with_slurm_src])
	rspb_plugins=no
	rspb_plugins_summary="no (give --with-slurm-src=DIR)"
	rspb_plugindir_summary="-"
	AS_IF([test "$with_slurm_src" != no], [
		AS_IF([test -f "$with_slurm_src/src/slurmctld/slurmctld.h"], [],
			[AC_MSG_ERROR([--with-slurm-src=$with_slurm_src: no src/slurmctld/slurmctld.h there])])
		AC_CHECK_HEADERS([slurm/slurm.h slurm/slurm_version.h slurm/spank.h], [],
			[AC_MSG_ERROR([Slurm's installed headers are missing (Debian: libslurm-dev)])])
		AC_CHECK_HEADER([munge.h], [], [:])
		AC_MSG_CHECKING([that Slurm's headers and source are of one version])
		rspb_meta() { sed -n "s/^@<:@@<:@:space:@:>@@:>@*$[]1:@<:@@<:@:space:@:>@@:>@*//p" "$with_slurm_src/META"; }
		rspb_src_version="`rspb_meta Major`.`rspb_meta Minor`.`rspb_meta Micro`"
		rspb_src_triple="`rspb_meta Major`, `expr \`rspb_meta Minor\` + 0`, `rspb_meta Micro`"
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM([
			#include <slurm/slurm_version.h>
			_Static_assert(SLURM_VERSION_NUMBER == SLURM_VERSION_NUM($rspb_src_triple), "version");])],
			[AC_MSG_RESULT([$rspb_src_version])],
			[AC_MSG_ERROR([$with_slurm_src is Slurm $rspb_src_version, the installed headers are of another version])])
		AC_SUBST([SLURM_VERSION_STRING], [$rspb_src_version])
		rspb_plugins=yes
		rspb_plugins_summary="$rspb_src_version"
		rspb_plugindir_summary="$plugindir"
	])
	AM_CONDITIONAL([BUILD_PLUGINS], [test "$rspb_plugins" = yes])
])
