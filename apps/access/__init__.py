"""Callers' rights, and the prices of calls.

Keys, tenants and limits of clients, and payments by HTTP 402.
"""
