"""What is kept beside the ledgers and made from their records.

Each projection is a function `(progress) -> iterable of faults in words`: it computes a table
anew from a ledger's records and says where the table differs. `verify_ledger` runs those of
each ledger that it verifies. `progress(done)` is called with the number of rows looked at.
"""

PROJECTIONS: dict[str, tuple[str, ...]] = {
    "country_listings": ("apps.countries.projection.compare",),
    "decisions": ("apps.review.projection.compare",),
    "holds": ("apps.core.held.compare",),
    "lists": ("apps.watchlists.projection.compare",),
    "sar": ("apps.sar.projection.compare",),
    "screens": ("apps.screening.projection.compare",),
}
