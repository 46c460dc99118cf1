from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CountriesConfig(AppConfig):
    name = "apps.countries"

    def ready(self) -> None:
        post_migrate.connect(_load_listings, sender=self)


def _load_listings(**_: Any) -> None:
    """Add the country listings that ship with this release; officers' changes stay."""
    from django.db import connection

    from apps.core.clock import now
    from apps.countries.actions import load_country_listings
    from apps.countries.models import CountryListing, ListingRecord

    needed = {model._meta.db_table for model in (CountryListing, ListingRecord)}
    if needed <= set(connection.introspection.table_names()):
        load_country_listings(now=now())
