"""Screens the parties of counterparties' messages, after the answer and apart from it."""
