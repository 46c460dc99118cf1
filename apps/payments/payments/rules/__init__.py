"""The rules of payments, as pure tables: what may be sent, and what becomes of it."""
