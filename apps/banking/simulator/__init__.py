"""A bank for sandboxes and tests, a process of its own: `python -m apps.banking.simulator`.

It speaks the provider's format and knows no Django. Whoever has its token may also set how it
behaves (`POST /_mode`) and put money on an account (`POST /_deposit`).
"""
