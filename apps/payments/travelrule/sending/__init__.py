"""Messages sent to counterparties: prepared, posted, recorded, and sent again."""
