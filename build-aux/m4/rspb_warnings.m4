dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl RSPB_WARNINGS: warnings always, errors from them only with --enable-werror
AC_DEFUN([RSPB_WARNINGS], [
	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
		[], [enable_werror=no])
	dnl What is a function of another release, or of none, must not compile.
	RSPB_ERRORS="-Werror=implicit-function-declaration -Werror=implicit-int -Werror=int-conversion -Werror=incompatible-pointer-types"
	RSPB_CFLAGS="$RSPB_ERRORS -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla"
	AS_IF([test "$enable_werror" = yes], [RSPB_CFLAGS="$RSPB_CFLAGS -Werror"])
	AC_SUBST([RSPB_CFLAGS])
])
