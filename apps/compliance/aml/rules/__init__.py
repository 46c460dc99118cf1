"""What the AML engine knows and decides. Pure: no clock, no database."""
