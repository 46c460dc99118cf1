"""How a listed party that was found is drawn: who against whom, and what made the score."""
