"""What a screen must not forget: owners' unread names, a second list of office holders."""

import dataclasses

import pytest
from django.contrib.auth.models import User

from apps.compliance.screening.combined import response
from apps.compliance.screening.combined.replay import replay_screen
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.owners import NodeFact
from apps.platform.common.clock import now
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Source, SourceChange, SourceKind
from apps.reference.watchlists.services import source_changes
from tests import sampling
from tests.lei import golden_copy_files
from tests.screening.test_owners import D, S, company, group, no_gleif, top, ubo  # noqa: F401

LONG = "Anna " * 20 + "Schmidt"


def node(lei: str, score: int | None, *, controls: bool) -> NodeFact:
    return NodeFact("INTERMEDIATE", lei, f"Owner {lei}", score, controls=controls)


def test_of_two_listed_owners_the_one_that_controls_is_named_though_it_scores_less() -> None:
    weak, strong = node("A", 100, controls=False), node("B", 70, controls=True)
    for nodes in ((weak, strong), (strong, weak)):
        facts = ScreenFacts(source="US", source_label="STANDARD", nodes=nodes)
        assert response._serialize_worst_node(facts)["lei"] == "B"
    alone = dataclasses.replace(facts, nodes=(weak, node("C", 69, controls=True)))
    assert response._serialize_worst_node(alone)["lei"] == "A"


def test_an_owner_whose_name_was_not_read_whole_flags(group, screen, alice) -> None:  # noqa: F811
    group({S: company(), D: company(LONG)}, [golden_copy_files.relation(S, D, share="100")], top(D))
    found = screen(lei=S)
    assert found["decision"] == "FLAGGED"
    assert "name.not_checked" in found["rules"]
    (reason,) = (one for one in found["reasons"] if one.startswith("Name not fully checked"))
    assert LONG in reason
    report = ubo(alice)
    assert report["result"] == "REVIEW_REQUIRED" and "chain.not_checked" in report["rules"]
    assert replay_screen(record=Screen.objects.get()).agrees


def second_list(**columns) -> None:
    Source.objects.create(
        **{"slug": "more-peps", "title": "More", "topic": "pep", "kind": "official"} | columns,
        format="csv",
    )
    engine.reset_engine()


def test_a_second_list_of_office_holders_that_is_not_held_flags_who_needs_it(screen) -> None:
    Source.objects.update(kind=SourceKind.OFFICIAL)
    assert screen(individual=True)["decision"] == "APPROVED"
    second_list()
    needed = screen(individual=True)
    assert (needed["decision"], needed["dataQuality"]) == ("FLAGGED", "PARTIAL")
    assert needed["checks"]["pep"]["checked"] is True
    assert needed["rules"] == ["lists.not_checked"]
    assert "more-peps is enabled and not loaded" in needed["reasons"][0]
    assert screen()["decision"] == "APPROVED"


def test_a_report_without_the_second_list_says_that_it_is_partial(alice) -> None:
    Source.objects.update(kind=SourceKind.OFFICIAL)
    ask = ("/compliance/compliance/pep-screen", {"name": "Philippa Quenneville-Thackeray"})
    report = alice.post(*ask, format="json").json()
    assert (report["dataQuality"], report["fatfR12"]["checked"]) == ("LIVE", True)
    second_list()
    report = alice.post(*ask, format="json").json()
    assert (report["dataQuality"], report["fatfR12"]["checked"]) == ("PARTIAL", False)
    missing = report["fatfR12"]["sourcesMissing"]
    assert missing == ["The list more-peps is enabled and not loaded."]


@pytest.mark.parametrize(("field", "value"), [("minimum_percent", 10), ("max_age_hours", 9000)])
def test_a_proposal_of_before_that_may_not_stand_any_more_is_not_approved(
    sample, settings, field, value
) -> None:
    house = Source.objects.get(slug="sample-sanctions")
    Source.objects.filter(pk=house.pk).update(kind=SourceKind.OFFICIAL)
    house.refresh_from_db()
    ada, ben = (User.objects.create(username=name) for name in ("ada", "ben"))
    told = {"field": field, "after": value, "reason": "Shrinks in winter.", "by": ada}
    change = source_changes.propose_source_change(source=house, now=now(), **told)
    sampling.in_production(settings)
    with pytest.raises(source_changes.SourceChangeConflict, match=r"production|percent"):
        source_changes.approve_source_change(change=change, by=ben, now=now())
    house.refresh_from_db()
    assert getattr(house, field) != value
    assert SourceChange.objects.get().state == "PROPOSED"
