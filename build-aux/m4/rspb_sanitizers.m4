dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl RSPB_SANITIZERS: --enable-sanitizers=address,undefined (or thread)
AC_DEFUN([RSPB_SANITIZERS], [
	AC_ARG_ENABLE([sanitizers],
		[AS_HELP_STRING([--enable-sanitizers=LIST],
			[build with these sanitizers, e.g. address,undefined])],
		[], [enable_sanitizers=no])
	rspb_sanitizers=$enable_sanitizers
	AS_IF([test "$enable_sanitizers" != no], [
		CFLAGS="$CFLAGS -g -fno-omit-frame-pointer -fsanitize=$enable_sanitizers -fno-sanitize-recover=all"
		dnl A leak that is found at the end has names only if the plugin is still there.
		LDFLAGS="$LDFLAGS -fsanitize=$enable_sanitizers -Wl,-z,nodelete"
	])
	dnl For tests/races alone; no other goes with it.
	THREAD_SANITIZER=
	AS_IF([test "$enable_sanitizers" = no], [
		rspb_save_cflags=$CFLAGS
		CFLAGS="$CFLAGS -fsanitize=thread"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
			[THREAD_SANITIZER="-fsanitize=thread -g"])
		CFLAGS=$rspb_save_cflags
	])
	AC_SUBST([THREAD_SANITIZER])
])

dnl RSPB_FUZZING: --enable-fuzzing: the fuzz targets with libFuzzer (CC=clang),
dnl and everything they call instrumented for it
AC_DEFUN([RSPB_FUZZING], [
	AC_ARG_ENABLE([fuzzing],
		[AS_HELP_STRING([--enable-fuzzing],
			[build tests/fuzz with libFuzzer; needs CC=clang])],
		[], [enable_fuzzing=no])
	AS_IF([test "$enable_fuzzing" != no], [
		rspb_save_ldflags=$LDFLAGS
		LDFLAGS="$LDFLAGS -fsanitize=fuzzer-no-link"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [],
			[AC_MSG_ERROR([--enable-fuzzing: $CC has no libFuzzer; use CC=clang])])
		LDFLAGS=$rspb_save_ldflags
		CFLAGS="$CFLAGS -g -fsanitize=fuzzer-no-link"
	])
	AM_CONDITIONAL([FUZZING], [test "$enable_fuzzing" != no])
])
