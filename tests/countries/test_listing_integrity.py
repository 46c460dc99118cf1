"""Country listings are held against their records: two officers, or a release, or a fault."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from apps.reference.countries import listings, services
from apps.reference.countries.integrity import verify_country_listings
from apps.reference.countries.models import CountryChange, CountryListing, ListingRecord
from tests.conftest import NOON
from tests.platform.tampering import sql

pytestmark = pytest.mark.django_db
TABLE = CountryListing._meta.db_table
BLACK = "FATF_CALL_FOR_ACTION"


@pytest.fixture(autouse=True)
def changed(db: Any) -> Any:
    """The shipped listings, one country that two officers added, and one that they ended."""
    ann, bob = (User.objects.create(username=name) for name in ("ann", "bob"))
    for kind, country in (("ADD", "NG"), ("END", "MM")):
        change = services.propose_change(
            by=ann,
            kind=kind,
            list=BLACK,
            country=country,
            effective=date(2026, 11, 1),
            source="statement",
            now=NOON,
        )
        services.approve_change(change=change, by=bob, now=NOON + timedelta(hours=1))
    yield
    listings.clear_listings_cache()


def faults() -> list[str]:
    return list(verify_country_listings(lambda done: None))


def test_listings_are_what_releases_and_officers_made_them() -> None:
    assert faults() == []
    assert CountryListing.objects.count() > 80
    assert ListingRecord.objects.exclude(change=None).count() == 2


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM {t} WHERE country = 'KP' AND list = '{b}'", "KP on {b} from .*gone"),
        ("UPDATE {t} SET until = '2026-01-01', ended_at = recorded_at WHERE country = 'KP' "
         "AND list = '{b}'", "KP on {b} from .*until is 2026-01-01, recorded is nothing"),
        ("UPDATE {t} SET until = NULL, ended_at = NULL WHERE country = 'MM' AND list = '{b}'",
         "MM on {b} from .*until is nothing, recorded is 2026-11-01"),
        ("UPDATE {t} SET country = 'CH' WHERE country = 'NG' AND list = '{b}'",
         "CH on {b} from 2026-11-01: it is listed, and no record says so"),
        ("UPDATE {t} SET source = 'x' WHERE country = 'NG' AND list = '{b}'", "source is x"),
        ("UPDATE {c} SET country = 'CH' WHERE country = 'NG'", "not what was approved"),
        ("UPDATE {c} SET state = 'PROPOSED', decided_by_id = NULL, decided_at = NULL "
         "WHERE country = 'NG'", "not what was approved"),
    ],
)  # fmt: skip
def test_a_listing_that_was_changed_by_hand_is_found(statement: str, said: str) -> None:
    names = {"t": TABLE, "b": BLACK, "c": CountryChange._meta.db_table}
    assert sql(statement.format(**names)) > 0
    assert any(re.search(said.format(**names), fault) for fault in faults()), faults()


def test_the_verification_of_the_ledger_says_so() -> None:
    sealer.seal_all_ledgers(now=NOON)
    assert verifier.verify_ledger(ledger="country_listings").faults == []
    sql(f"DELETE FROM {TABLE} WHERE country = 'KP' AND list = '{BLACK}'")
    assert len(verifier.verify_ledger(ledger="country_listings").faults) == 1
