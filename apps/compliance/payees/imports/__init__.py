"""Many wallets at once, from a file: read, held against everything, then registered one by one."""
