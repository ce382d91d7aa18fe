#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What no honest client of the broker's socket does.
#
#	socket.pl PORT ask CREDENTIAL	one frame; prints the credential that
#					answers, or "closed"
#	socket.pl PORT bytes HEX	these bytes, then "closed" after how many ms
#	socket.pl PORT many N SECONDS	N connections with half a frame each,
#					held so long; how many are still open
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(time sleep);

my ($port, $what, @args) = @ARGV;

sub call {
	return IO::Socket::INET->new(PeerAddr => '127.0.0.1',
		PeerPort => $port, Timeout => 10);
}

sub take {
	my ($socket, $size) = @_;
	my $got = '';
	while (length($got) < $size) {
		sysread($socket, $got, $size - length($got), length($got))
			or return;
	}
	return $got;
}

$| = 1;
$SIG{PIPE} = 'IGNORE';
if ($what eq 'ask') {
	my $socket = call() or die "no connection: $!\n";
	syswrite($socket, pack('N', length($args[0])) . $args[0]);
	my $head = take($socket, 4);
	print defined $head ? take($socket, unpack('N', $head)) : 'closed', "\n";
} elsif ($what eq 'bytes') {
	my $socket = call() or die "no connection: $!\n";
	my $began = time;
	syswrite($socket, pack('H*', $args[0]));
	my $head = take($socket, 4);
	printf "%s %d\n", defined $head ? 'answered' : 'closed',
		(time - $began) * 1000;
} else {
	my ($n, $seconds) = @args;
	my @open;
	for (1 .. $n) {
		my $socket = call() or next;
		syswrite($socket, "\0\0\1");
		push @open, $socket;
	}
	print scalar(@open), " connected\n";
	sleep($seconds);
	my $left = 0;
	for (@open) {
		$_->blocking(0);
		my $got = sysread($_, my $byte, 1);
		$left++ if !defined $got;
	}
	print "$left left\n";
}
