"""The banking connector: the bank's webhooks, recipients, sends and what becomes of them."""
