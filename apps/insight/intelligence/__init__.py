"""What the world is about to do: computed answers about stress, each a published method.

A product is one row (`catalogue`) and one pure function (`methods`): `compute(known) -> Made`.
Addresses, prices, documents, caches and headers come from the row; `services/paid_answers.py` is
the same for all. `docs/intelligence-methods.md` is made from the rows.
"""
