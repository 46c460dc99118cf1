"""The banking connector: the bank's webhooks, recipients, and outgoing payments."""
