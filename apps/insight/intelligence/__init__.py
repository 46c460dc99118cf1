"""Intelligence service: computed answers about stress in the world, each by a published method.

A product is one row (`catalogue`) and one pure function of `methods`, `compute(known)`. Addresses,
prices, documents, caches and headers come from the row; `services/paid_answers.py` is the same for
all. `docs/intelligence-methods.md` is generated from the rows.
"""
