"""The entry points of the product.

The sandbox with its samples and people, and the machine-readable documents about all services.
"""
