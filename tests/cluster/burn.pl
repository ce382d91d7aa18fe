#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# burn.pl START SECONDS PROCESSES: compute from START (seconds since the epoch)
# on, and print the CPU seconds that all of them got.
use strict;
use warnings;
use Time::HiRes qw(time sleep);

my ($start, $seconds, $n) = @ARGV;
sleep($start - time) if $start > time;
for (1 .. $n) {
	next if fork;
	my $end = $start + $seconds;
	1 while time < $end;
	exit 0;
}
1 while wait > 0;
my @t = times;
printf "%.3f\n", $t[2] + $t[3];
