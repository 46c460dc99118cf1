"""Who an AI agent acts for: levels, mandates, credentials, and what it may spend."""
