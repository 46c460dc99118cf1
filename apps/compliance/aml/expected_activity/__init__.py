"""Expected activity: what an institution declares, who approves it, and who reads it."""
