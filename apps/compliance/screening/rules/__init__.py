"""What follows from what was found, as tables of pure functions."""
