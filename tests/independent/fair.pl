#!/usr/bin/perl
# docs/fair-deal.md done again, from that page alone, in bare Perl with sha256sum beside it: for each record, one a line,
# the commitment of its seed, and whether wall, gold and result are what they should be.
use strict; use warnings;
my %size = (m => 9, p => 9, s => 9, z => 7, f => 8);
my @order = map { my $suit = $_; map { "$_$suit" } 1 .. $size{$suit} } qw(m p s z f);
my (@numbers, $key, $block);

sub sha256 { my $bytes = join '', map { sprintf '\\%03o', $_ } unpack 'C*', shift; return substr `printf '$bytes' | sha256sum`, 0, 64 }
sub field { my ($text, $name) = @_; return $text =~ /"$name":\s*(?:"([^"]*)"|(-?\d+)|\[([^\[\]]*)\])/ ? $1 // $2 // $3 : '' }
sub list { return map { 0 + $_ } split /,\s*/, field(@_) }

sub below {    # a number below n
    my $n = shift;
    while (1) {
        @numbers = unpack 'N*', pack 'H*', sha256($key . pack 'NN', 0, $block++) unless @numbers;
        my $u = shift @numbers;
        return $u % $n if $u < 2**32 - 2**32 % $n;
    }
}

while (my $line = <STDIN>) {
    my ($rules, $dealer, @dice) = (field($line, 'rules'), field($line, 'dealer'), list($line, 'dice'));
    my ($zhangzhou, $dark, $seed) = ($rules eq 'zhangzhou', $rules eq 'putian-an', pack 'H*', field($line, 'seed'));
    ($key, $block, @numbers) = ($seed . pack('C*', @dice), 0);
    my @wall = map { my $copies = /f/ ? 1 : 4; ($_) x $copies } grep { $zhangzhou || /[mps]|5z/ } @order;
    for my $i (reverse 1 .. $#wall) { my $j = below($i + 1); @wall[$i, $j] = @wall[$j, $i] }
    my $total = @dice ? $dice[0] + $dice[1] : 0;    # the break: counted clockwise from the dealer's side
    my $start = $total && (@wall / 4 * ((1 - $total) % 4) + 2 * $total) % @wall;
    @wall = @wall[$start .. $#wall, 0 .. $start - 1];
    (my $told = field($line, 'wall')) =~ s/(\d+)([mpszf])/join '', map { "$_$2" } split m{}, $1/ge;
    my @fits = $told eq join '', @wall;
    my @hands = ([], [], [], []);
    for (1 .. 4) { push @{ $hands[($dealer + $_) % 4] }, splice @wall, 0, 4 for 0 .. 3 }
    push @{ $hands[$dealer] }, shift @wall;
    while ($zhangzhou) {    # flowers are laid out and replaced from the end, round by round
        my $found = 0;
        for my $hand (@hands[map { ($dealer + $_) % 4 } 0 .. 3]) {
            my $flowers = grep { /f/ } @$hand;
            @$hand = ((grep { !/f/ } @$hand), map { pop @wall } 1 .. $flowers);
            $found += $flowers;
        }
        last unless $found;
    }
    my @throws;
    while (1) {
        push @throws, 2 + below(6) + below(6);
        my @turned = @wall[map { -$_ } $zhangzhou ? $throws[-1] : (2 * $throws[-1] - 1, 2 * $throws[-1])];
        next if $zhangzhou && $turned[0] =~ /f/;
        next if $dark && $turned[0] eq $turned[1] && !grep { 2 == grep { $_ eq $turned[0] } @$_ } @hands;
        last;
    }
    my ($result) = $line =~ /"result":\s*(\{.*)/;
    my ($owed, @net) = ([(0) x 4], list($result, 'net'));
    while ($result =~ /"from":\s*(\d),\s*"to":\s*(\d),\s*"item":\s*"\w+",\s*"amount":\s*(\d+)/g) { $owed->[$1] -= $3; $owed->[$2] += $3 }
    my @coins = map { (list($line, 'coins'))[$_] + $net[$_] } 0 .. 3;
    push @fits, "@throws" eq join ' ', list($line, 'gold_dice');
    push @fits, $net[0] + $net[1] + $net[2] + $net[3] == 0 && "@$owed" eq "@net" && "@coins" eq join ' ', list($result, 'coins');
    print join(' ', sha256($seed), map { $_ ? 'ok' : 'wrong' } @fits), "\n";
}
