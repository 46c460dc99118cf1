"""Editions of the causal graph: one sealed each day, numbered, and what changed between two."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from rest_framework.test import APIClient

from apps.insight.intelligence import graph_editions, tasks
from apps.insight.intelligence.models import GraphEdition
from apps.insight.intelligence.rules.layer_links import LINKS, PHASE_WORDS
from tests import sampling
from tests.conftest import NOON
from tests.intelligence.conftest import ask
from tests.platform.tampering import sql

pytestmark = pytest.mark.django_db
EDGE = {"from": "L1", "to": "L2", "found": True, "weight": "0.3000"}


def edition(number: int, phase: str = "BLENDING", **edge: Any) -> GraphEdition:
    moment = NOON - timedelta(days=10 - number)
    made: GraphEdition = GraphEdition.write(
        payload={"edges": [EDGE | edge]}, now=moment, number=number, day=moment.date(),
        version="1", phase=phase, share=3000, quality="LIVE",
    )  # fmt: skip
    return made


def test_a_day_has_one_edition_with_every_edge(series: None) -> None:
    for hours in (0, 2):
        tasks.resolve_daily_forecasts("", NOON + timedelta(hours=hours))
    graph_edition = GraphEdition.objects.get()
    assert (graph_edition.number, graph_edition.day) == (
        1,
        NOON.date(),
    ) and not graph_edition.mac_fault()
    assert graph_edition.phase in PHASE_WORDS and 0 <= graph_edition.share <= 10_000
    told = [(edge["from"], edge["to"]) for edge in graph_edition.data["edges"]]
    assert told == [(link.source, link.target) for link in LINKS]
    tasks.resolve_daily_forecasts("", NOON + timedelta(days=1))
    assert sorted(GraphEdition.objects.values_list("number", flat=True)) == [1, 2]


def test_there_is_no_edition_of_a_day_of_which_too_little_is_known() -> None:
    tasks.resolve_daily_forecasts("", NOON)
    assert not GraphEdition.objects.exists()


def test_an_edition_cannot_be_changed() -> None:
    edition(1)
    for text in (
        "UPDATE intelligence_graphedition SET phase = 'EMPIRICAL'",
        "DELETE FROM intelligence_graphedition",
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            sql(text)


def test_an_answer_names_the_newest_edition_and_since_when_its_phase_holds(
    buyer: APIClient, at: Callable[[datetime], None]
) -> None:
    assert ask(buyer, "causal-graph").json()["edition"] is None
    edition(1, "PRIOR")
    since = edition(2)
    newest = edition(3)
    at(NOON + timedelta(minutes=5))
    told = ask(buyer, "causal-graph").json()["edition"]
    assert (told["number"], told["day"]) == (3, newest.day.isoformat())
    assert (told["phase"], told["phaseSince"]) == ("BLENDING", since.day.isoformat())
    assert told["empiricalShare"] == 0.3


def test_the_only_edition_and_one_after_another_phase_are_the_first_of_theirs() -> None:
    graph_edition = edition(1, "PRIOR")
    assert graph_editions.load_newest_edition(NOON)["edition"]["phase_since"] == graph_edition.day
    two = edition(2)
    assert graph_editions.load_newest_edition(NOON)["edition"]["phase_since"] == two.day


@pytest.mark.parametrize(
    ("edge", "told"),
    [({}, "nothing"), ({"weight": "0.3001"}, "1 of 1 weights"),
     ({"weight": "0.2", "found": False}, "1 of 1 weights, L1 to L2 no longer found")],
)  # fmt: skip
def test_a_list_says_what_changed_since_the_edition_before(edge: dict[str, Any], told: str) -> None:
    edition(1)
    edition(2, **edge)
    assert [
        graph_edition.changed for graph_edition in graph_editions.list_graph_editions(NOON)
    ] == [told, ""]


def test_the_oldest_edition_of_a_list_says_what_changed_since_one_that_is_not_in_it() -> None:
    for number in (1, 2, 3):
        edition(number, weight=f"0.{number}")
    shown = [
        (graph_edition.number, graph_edition.changed)
        for graph_edition in graph_editions.list_graph_editions(NOON, count=2)
    ]
    assert shown == [(3, "1 of 1 weights"), (2, "1 of 1 weights")]


def test_what_was_written_later_is_not_told_of_a_past_moment() -> None:
    one = edition(1)
    edition(2)
    assert [
        graph_edition.number
        for graph_edition in graph_editions.list_graph_editions(one.recorded_at)
    ] == [1]
    assert graph_editions.load_newest_edition(one.recorded_at)["edition"]["number"] == 1


def test_the_page_lists_editions(client: Client) -> None:
    sampling.load(now=NOON)
    edition(1)
    edition(2, weight="0.4")
    html = client.get("/intelligence/causal-graph").content.decode()
    assert "1 of 1 weights" in html and "<h3>Editions</h3>" in html
