"""What approval brings is told in sentences that nobody reads as what holds today."""

import re
from typing import Any

import pytest
from django.contrib import admin

from apps.platform.desk.proposal_admin import MEANS_TITLES, ProposalAdmin
from apps.reference.countries.models import CountryChange
from apps.reference.watchlists import change_preview
from apps.reference.watchlists.models import Source, SourceChange
from tests import desk_table
from tests.countries.test_admin import FORM
from tests.desk.proposal_steps import look_at, propose
from tests.review.people import NOON, SENIOR, at_desk, check_page, person

pytestmark = pytest.mark.django_db
ADD = "/admin/countries/countrychange/add/"
# "now" is today to one reader and the time after approval to the next
EITHER_TIME = re.compile(r"\bnow\b", re.IGNORECASE)
MADE_AT_A_SHELL = {"published", "shrink"}  # with files in hand; nobody approves them at the desk
TURNED: dict[str, tuple[Any, ...]] = {
    "enabled": (True, False),
    "required": (True, False),
    "max_age_hours": (1, 72, None),
    "minimum_percent": (1, 99),
    "urls": (["https://b.example/"],),
}


def proposals() -> dict[type[Any], ProposalAdmin]:
    registered = admin.site._registry.items()
    return {model: one for model, one in registered if isinstance(one, ProposalAdmin)}


def test_no_sentence_of_any_proposal_can_be_read_as_the_other_time() -> None:
    things = desk_table.make_things()
    faults, told = [], set()
    for model, desk in proposals().items():
        change = model.objects.get(pk=things[f"{model._meta.app_label}/{model._meta.model_name}"])
        for sentence in desk.means(change):
            told.add(model)
            if EITHER_TIME.search(sentence):
                faults.append(f"{model.__name__}: {sentence}")
    assert told == set(proposals())
    assert faults == []


def test_no_sentence_of_a_change_of_a_list_can_be_read_as_the_other_time() -> None:
    assert set(TURNED) == set(SourceChange.Field.values) - MADE_AT_A_SHELL
    desk_table.make_things()
    bare = Source.objects.create(slug="bare", title="Bare", topic="sanction", kind="in_house")
    loaded = Source.objects.exclude(versions=None).first()
    faults = [
        f"{source.slug}, {field}: {sentence}"
        for source in (bare, loaded)
        for field, values in TURNED.items()
        for value in values
        for sentence in change_preview.preview_change(
            source=source, field=field, after=value, now=NOON
        ).sentences
        if EITHER_TIME.search(sentence)
    ]
    assert faults == []


@pytest.mark.parametrize(("decision", "state"), [("approve", "APPROVED"), ("reject", "REJECTED")])
def test_the_heading_says_of_which_time_the_sentences_speak(decision: str, state: str) -> None:
    samir, sofia = at_desk(person("samir", SENIOR)), at_desk(person("sofia", SENIOR))
    before = MEANS_TITLES["PROPOSED"]
    assert before in look_at(samir, ADD, FORM)
    propose(samir, ADD, FORM)
    change = CountryChange.objects.get()
    page = f"/admin/countries/countrychange/{change.pk}/"
    assert f"<h2>{before}</h2>" in check_page(sofia.get(f"{page}change/"))
    sofia.post(f"{page}decide/", {"decision": decision, "note": "The statement is withdrawn."})
    html = check_page(sofia.get(f"{page}change/"))
    assert f"<h2>{MEANS_TITLES[state]}</h2>" in html and f"<h2>{before}</h2>" not in html
