"""A bank for sandboxes and tests, run by `python -m apps.payments.banking.simulator`.

It speaks the provider's format and uses no Django. A client with its token may also set its
behaviour (`POST /_mode`) and deposit money (`POST /_deposit`).
"""
