"""Whether money is clean: signals, profiles, weights that learn (document 1 section 2.4)."""
