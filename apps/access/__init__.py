"""Who may call, and what a call costs.

Keys, tenants and limits of clients, and payments by HTTP 402.
"""
