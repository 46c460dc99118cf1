"""Payments in transit, and the notifications about them.

Instructions and rails, settlements, the chain, the bank, the travel rule, and the callbacks that
notify owners.
"""
