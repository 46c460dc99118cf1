"""A bank for sandboxes and tests, run by `python -m apps.payments.banking.simulator`.

It speaks the provider's format and knows no Django. Whoever has its token may also set how it
behaves (`POST /_mode`) and put money on an account (`POST /_deposit`).
"""
