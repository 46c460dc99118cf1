"""Ledger tables in monthly partitions, on PostgreSQL; models, and SQLite, know nothing of it.

A partition is a stretch of ids, not of times: what proves a ledger rests on an id being one row,
and only a key that holds the partition's own column is unique in all of them. Each month has WIDE
ids to itself; at its turn the sequence goes on where the month begins. A month without a partition,
or a sequence that nobody moved, harms nothing: rows go on in the month before.

Other rules of uniqueness are kept by small tables of keys, which a trigger fills.
"""
