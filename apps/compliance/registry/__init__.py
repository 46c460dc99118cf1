"""Who is behind a wallet: registrations, each checked against the lists and GLEIF."""
