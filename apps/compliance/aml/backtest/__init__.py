"""Replay past payments through the engine, to see what it would have found."""
