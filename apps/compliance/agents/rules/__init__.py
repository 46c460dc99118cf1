"""What is known of an agent, and what it may spend, as tables of pure functions."""
