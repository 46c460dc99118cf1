"""Registering a wallet: what is asked, what is looked up for it, and what is written."""
