"""Institutions that may settle in production, with their wallets: changed by two people."""
