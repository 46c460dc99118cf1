"""Levels, proofs and spending limits of agents, as tables of pure functions."""
