from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CountriesConfig(AppConfig):
    name = "apps.reference.countries"

    def ready(self) -> None:
        from apps.platform.desk.entries import register_desk
        from apps.platform.ledger.table_proofs import register_table_proofs
        from apps.reference.countries.desk import DESK
        from apps.reference.countries.table_proofs import PROOFS

        post_migrate.connect(_load_listings, sender=self)
        register_table_proofs(PROOFS)
        register_desk(DESK)


def _load_listings(**_: Any) -> None:
    """Add the country listings that ship with this release; officers' changes stay."""
    from django.db import connection

    from apps.platform.common.clock import now
    from apps.reference.countries.models import CountryListing, ListingRecord
    from apps.reference.countries.services import load_country_listings

    # post_migrate also comes after a migration of an earlier state, which lacks some tables
    needed = {model._meta.db_table for model in (CountryListing, ListingRecord)}
    if needed <= set(connection.introspection.table_names()):
        load_country_listings(now=now())
