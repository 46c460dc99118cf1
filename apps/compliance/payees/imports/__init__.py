"""Import many wallets from a file: parsed, checked completely, then registered one by one."""
