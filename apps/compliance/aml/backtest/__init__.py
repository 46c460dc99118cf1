"""Past payments replayed through the engine, to see what it would have found."""
