# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
command_demo() { die "not yet"; }
