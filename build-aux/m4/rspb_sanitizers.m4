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
		LDFLAGS="$LDFLAGS -fsanitize=$enable_sanitizers"
	])
])
