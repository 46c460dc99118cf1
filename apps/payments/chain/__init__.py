"""Transfers on a chain: orders that wait for one, the transfers seen, and what proves which.

Nothing here sends money. An order says which transfer is expected; the watcher (`tasks.py`)
reads the chain, and an order is FINAL only when the chain will not take its transfer back.
"""
