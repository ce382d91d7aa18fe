#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# burn.pl FILE SECONDS PROCESSES: say that it is ready, wait for FILE, compute
# from the time (seconds since the epoch) that it holds, and print the CPU
# seconds that all processes got.
use strict;
use warnings;
use Time::HiRes qw(time sleep);

my ($file, $seconds, $n) = @ARGV;
$| = 1;
print "ready\n";
sleep 0.05 until -s $file;
open(my $in, '<', $file) or die "$file: $!";
my $start = <$in>;
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
