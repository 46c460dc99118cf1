"""Ledger tables in monthly partitions, on PostgreSQL; models and SQLite do not know of them.

A partition is a range of ids, not of times: the proof of a ledger needs an id to be one row, and
only a key that includes the partition column is unique across partitions. Each month has
IDS_A_MONTH ids; when a month begins the sequence jumps to its first id. A missing partition or a
sequence that did not jump does no harm: rows go on in the month before.

Other unique constraints are kept by small tables of keys, which a trigger fills.
"""
