"""Transfers on a chain: orders that wait for one, the transfers seen, and how they are matched.

Nothing here sends money. An order describes the expected transfer; the watcher (`tasks.py`) reads
the chain, and an order is FINAL only when the chain will not take its transfer back.
"""
