"""Money on its way, and what must be told of it.

Instructions and rails, settlements, the chain, the bank, the travel rule, and the callbacks by
which owners are told.
"""
