"""What a pain.001 message may hold: tables of the published structures, and the check by them."""
