"""Reports that are paid for one by one: what is known, what follows from it, and why."""
