"""AI agents and their owners: levels, mandates, credentials, and spending limits."""
