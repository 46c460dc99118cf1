"""A match starts the clock of OFAC only where the list may be OFAC's: each list has its own."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from apps.backoffice.sar.models import SarEntry, SarMatter
from apps.backoffice.sar.sanctions_authorities import (
    BY_LIST,
    OFAC,
    is_ofac_report_owed,
    list_authorities_of_lists,
)
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Source, SourceKind
from apps.reference.watchlists.presenters.matches import TITLES

OWNED = {"name": "Sber Trading Swiss AG", "lei": "506700AUNEQF0C694855"}


@pytest.mark.parametrize(
    ("lists", "owed"),
    [
        (["us-ofac-sdn"], True),
        (["us-ofac-cons"], True),
        (["un-sc"], False),
        (["eu-fsf", "uk-sl", "un-sc"], False),
        (["un-sc", "us-ofac-sdn"], True),
        (["house"], True),
        (["opensanctions-sanctions", "un-sc"], True),
        ([], True),
    ],
)
def test_ofac_is_owed_where_a_list_may_be_its_own(lists, owed) -> None:
    assert is_ofac_report_owed(lists) is owed
    assert [name for name, _ in list_authorities_of_lists(lists)] == sorted(lists)


def test_every_authority_says_by_when_and_on_what_that_rests() -> None:
    for authority in BY_LIST.values():
        assert authority.name and authority.due and authority.basis
    assert list_authorities_of_lists(["un-sc", "house", "un-sc"]) == [
        ("house", None),
        ("un-sc", BY_LIST["un-sc"]),
    ]
    assert BY_LIST["us-ofac-sdn"] is OFAC


@pytest.fixture
def listed_by(alice):
    """Let the sanctions list of the sample be that of somebody."""

    def call(slug: str) -> None:
        Source.objects.filter(slug=slug).update(slug=f"no-{slug}", enabled=False)
        Source.objects.filter(slug="sample-sanctions").update(slug=slug, kind=SourceKind.OFFICIAL)
        call_command("build_index", verbosity=0)
        engine.reset_engine()

    return call


CLOCKS = [
    ({"name": "Lazarus Group"}, "un-sc", False),
    ({"name": "Lazarus Group"}, "eu-fsf", False),
    ({"name": "Lazarus Group"}, "us-ofac-sdn", True),
    ({"name": "Lazarus Group"}, "house", True),
    (OWNED, "uk-sl", False),
    (OWNED, "us-ofac-sdn", True),
    ({"name": "Lazarus Group", "country": "CU"}, "un-sc", True),  # an embargo of OFAC's
]


@pytest.mark.parametrize(("fields", "slug", "runs"), CLOCKS)
def test_the_clock_of_ofac_runs_for_a_party_of_its_lists(
    screen, listed_by, admin_client, fields, slug, runs
) -> None:
    listed_by(slug)
    answer = screen(**fields)
    assert answer["decision"] == "BLOCKED"
    entry, matter = SarEntry.objects.get(), SarMatter.objects.get()
    assert entry.data["lists"] == [slug]
    assert (entry.data["sanctions"], matter.sanctions) == (runs, runs)
    page = admin_client.get(reverse("admin:sar_sarentry_change", args=[entry.pk])).content.decode()
    assert ("<dt>Report to OFAC, or record why not</dt>" in page) is runs
    assert f"Matched on {TITLES.get(slug, slug)}</dt>" in page
    if not runs:
        assert "The party was not matched on an OFAC list, so no OFAC deadline is running." in page
        assert BY_LIST[slug].name in page


def test_a_country_alone_is_matched_on_no_list(screen) -> None:
    screen(country="MM")
    assert SarEntry.objects.get().data["lists"] == []
    assert SarEntry.objects.get().data["sanctions"] is False
