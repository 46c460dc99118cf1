"""What a settlement costs, and the quotes that bind it (document 3)."""
