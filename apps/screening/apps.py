from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ScreeningConfig(AppConfig):
    name = "apps.screening"

    def ready(self) -> None:
        post_migrate.connect(_load_listings, sender=self)


def _load_listings(**_: Any) -> None:
    """Add the country listings that ship with this release; officers' changes stay."""
    from django.db import connection

    from apps.core.clock import now
    from apps.screening.countries import load_country_listings
    from apps.screening.models import CountryListing

    if CountryListing._meta.db_table in connection.introspection.table_names():
        load_country_listings(now=now())
