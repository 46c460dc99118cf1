"""Who may settle in production, and from which wallets: changed by two people."""
