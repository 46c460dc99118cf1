"""Pages of the products: free, for people, of yesterday."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from apps.insight.intelligence import labels, views
from apps.insight.intelligence.catalogue import PRODUCTS, product_of
from apps.insight.intelligence.layouts import LAYOUTS, answer_page
from apps.insight.intelligence.layouts.layout import Layout
from apps.insight.intelligence.rules.layer_links import LINKS
from apps.reference.signals.series import find_series
from tests import sampling
from tests.conftest import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(monkeypatch: Any) -> None:
    monkeypatch.setattr("apps.insight.intelligence.views.clock.now", lambda: NOON)
    cache.clear()


def test_the_first_page_names_every_product_with_its_price(client: Client) -> None:
    html = client.get("/intelligence/").content.decode()
    for product in PRODUCTS:
        assert f'href="/intelligence/{product.name}"' in html


def test_what_is_about_one_entity_has_no_picture_of_yesterday(client: Client) -> None:
    assert "about one entity" in client.get("/intelligence/esg").content.decode()


def test_a_page_shows_the_picture_of_yesterday_and_the_method(client: Client) -> None:
    sampling.load(now=NOON)
    for name in LAYOUTS:
        answer = client.get(f"/intelligence/{name}")
        assert answer.status_code == 200
        html = answer.content.decode()
        assert "Snapshot of 19 November 2026" in html, name
        assert "Cannot see" in html, name
        assert "Not available: " not in html, name


def test_a_picture_is_computed_once_a_day(client: Client, monkeypatch: Any) -> None:
    sampling.load(now=NOON)
    first = client.get("/intelligence/macro-stress").content
    monkeypatch.setattr(
        "apps.insight.intelligence.views._compute_daily_picture",
        lambda *_: pytest.fail("again"),
    )
    assert client.get("/intelligence/macro-stress").content == first


def test_where_nothing_is_known_the_page_says_so(client: Client) -> None:
    html = client.get("/intelligence/macro-stress").content.decode()
    assert "Not available: " in html


def test_a_page_tells_the_address_that_is_called(client: Client) -> None:
    html = client.get("/intelligence/ledger").content.decode()
    assert "GET /intelligence/v1/intelligence/ledger</code>" in html


def test_an_unknown_product_has_no_page(client: Client) -> None:
    assert client.get("/intelligence/no-such-product").status_code == 404


def test_charts_are_titled_by_what_a_series_is_and_prose_has_no_backticks(client: Client) -> None:
    sampling.load(now=NOON)
    for product in PRODUCTS:
        html = client.get(f"/intelligence/{product.name}").content.decode()
        captions = re.findall("<figcaption><b>([^<]*)</b> Newest", html)
        assert captions or product.name in ("esg", "ledger")
        assert len(set(captions)) == len(captions)
        assert not [caption for caption in captions if find_series(caption)]
        told = re.sub("<pre.*?</pre>", "", html, flags=re.DOTALL)
        assert "`" not in told


def bodies() -> Iterator[tuple[str, Layout, Mapping[str, Any]]]:
    """Yield every product that has a picture with its layout and the body of one."""
    sampling.load(now=NOON)
    for product in PRODUCTS:
        if "<" not in product.path:
            yield (
                product.name,
                LAYOUTS[product.name],
                views.load_daily_picture(product, NOON).body,
            )


def leads(found: Any, path: str) -> bool:
    """Tell whether a path of names leads somewhere in a body, be it to null."""
    for name in path.split("."):
        if not isinstance(found, Mapping) or name not in found:
            return False
        found = found[name]
    return True


# a fact that answers will have later on
TO_COME = {"summary.overdue"}


def test_every_path_of_a_layout_leads_somewhere_in_the_answer() -> None:
    for name, layout, body in bodies():
        slots = re.findall(r"{([\w.]+)", layout.label + layout.scale + layout.story)
        wanted = [layout.headline, layout.regime, *slots, *(fact.path for fact in layout.facts)]
        lost = [path for path in wanted if path and not leads(body, path)]
        assert not set(lost) - TO_COME, (name, lost)
        for bar in (*layout.bars, *layout.tables):
            assert leads(body, bar.path), (name, bar.path)


def test_every_column_of_a_layout_has_its_value_in_some_row() -> None:
    for name, layout, body in bodies():
        for table in layout.tables:
            rows = list(answer_page.iterate_rows(body, table.path, table.within))
            for column in table.columns:
                assert not rows or any(leads(row, column.path) for row in rows), (name, column)


def test_a_page_begins_with_a_number_or_a_code_in_large(client: Client) -> None:
    sampling.load(now=NOON)
    for name, layout in LAYOUTS.items():
        html = client.get(f"/intelligence/{name}").content.decode()
        headline = html.split('<p class="headline">')[1].split("</p>")[0]
        large = headline.split("<strong>")[1].split("</strong>")[0]
        assert re.fullmatch(r"−?[\d.,]+(\xa0%)?|L\d", large), (name, large)
        assert ("<b>" in headline) == bool(layout.regime), name


def test_every_product_that_has_a_picture_has_a_layout() -> None:
    assert {product.name for product in PRODUCTS if "<" not in product.path} == set(LAYOUTS)


SOLD = {
    "supply-chain": ["Rhine at Kaub", "Mississippi at Memphis", "Hormuz", "Malacca"],
    "earth-systems": ["Greenland ice sheet", "Amazon rainforest", "Warming, ten years"],
    "cascade": ["Active cascades", "Middle East oil shock", "Not priced in"],
    "instability": ["Origins of instability", "Russia", "Fiscal dominance, of 100"],
    "transition-risk": ["CRITICAL", "Regime probabilities", "In 90 days", "Crisis"],
    "48h-call": [
        "Oil price: probability of the direction called for",
        "days before the call is scored",
    ],
    "aftershock": ["Oil, Brent, of a month moved by 15 % on 2\xa0Apr\xa02025"],
    "contagion": ["United States loses 100\xa0% of its value", "Euro area", "Mexico"],
    "butterfly": ["Example: a shock of 25 points enters at L2, Energy and commodities"],
}


def test_a_page_shows_what_the_product_sells_and_its_example_in_words(client: Client) -> None:
    sampling.load(now=NOON)
    for name, sold in SOLD.items():
        html = unescape(client.get(f"/intelligence/{name}").content.decode())
        before = html.split("Full response")[0]
        assert not [text for text in sold if text not in before], name


def test_no_figure_on_a_page_has_more_than_two_decimals(client: Client) -> None:
    sampling.load(now=NOON)
    for name in LAYOUTS:
        html = client.get(f"/intelligence/{name}").content.decode()
        told = re.sub("<pre.*?</pre>|<svg.*?</svg>", "", html, flags=re.DOTALL)
        told = told.split('id="method"')[0]
        assert not re.findall(r">[^<]*?(?<![\w.])\d+\.\d{3,}[^<]*<", told), name


def test_no_row_of_a_table_is_without_a_name(client: Client) -> None:
    sampling.load(now=NOON)
    for name in LAYOUTS:
        html = client.get(f"/intelligence/{name}").content.decode()
        rows = re.findall('<th scope="row">(.*?)</th>', html)
        assert not [row for row in rows if row.strip() in ("", labels.NONE)], name


def test_inputs_that_share_a_title_are_told_apart(client: Client) -> None:
    sampling.load(now=NOON)
    html = client.get("/intelligence/mycelium").content.decode()
    assert '<th scope="row">Euro reference rate, JPY for 1 EUR</th>' in html
    assert '<th scope="row">Euro reference rate</th>' not in html


def test_the_call_that_a_page_prints_is_answered_here(client: Client, buyer: Any) -> None:
    for product in PRODUCTS:
        html = unescape(client.get(f"/intelligence/{product.name}").content.decode())
        printed = html.split('aria-label="Command">')[1].split("</pre>")[0]
        words = shlex.split(printed)
        address = words[2].removeprefix("http://testserver")
        sent = json.loads(words[words.index("-d") + 1]) if "-d" in words else None
        answer = buyer.post(address, sent, format="json") if sent else buyer.get(address)
        assert answer["Content-Type"].startswith("application/"), product.name
        # of the entity of the example nothing is loaded in this test
        assert answer.status_code == 200 or product.name == "esg", (product.name, answer.content)


def test_a_host_of_its_own_has_addresses_without_the_prefix(client: Client, settings: Any) -> None:
    settings.SERVICE_HOSTS = {"intelligence": "intelligence.example"}
    settings.ALLOWED_HOSTS = ["intelligence.example"]
    html = client.get("/48h-call", headers={"host": "intelligence.example"}).content.decode()
    assert "<code>GET /intelligence/48h-call</code>" in html
    assert "curl -sS http://intelligence.example/intelligence/48h-call" in html


def test_an_address_in_the_path_of_a_call_is_that_of_an_example(client: Client) -> None:
    html = client.get("/intelligence/esg").content.decode()
    assert "&lt;str" not in html
    assert re.search(r"GET /intelligence/v1/intelligence/esg/[A-Z0-9]{20}</code>", html)


def test_why_an_answer_is_no_better_is_told_in_words(client: Client) -> None:
    sampling.load(now=NOON)
    html = client.get("/intelligence/causal-graph").content.decode()
    assert (
        "series are from the bundled sample, not current publisher data; 2 of these are inv" in html
    )
    assert "No data for: " in html
    assert "rest partly on theory" in html
    assert "missing:" not in html.split("Full response")[0]


def test_gaps_of_the_sample_are_open_on_the_page(client: Client) -> None:
    sampling.load(now=NOON)
    html = client.get("/intelligence/macro-stress").content.decode()
    assert html.count("Gaps are periods without observations.") == 3


def test_the_causal_graph_is_drawn_and_every_edge_stands_in_a_table(client: Client) -> None:
    sampling.load(now=NOON)
    html = client.get("/intelligence/causal-graph").content.decode()
    assert html.count('<path class="edge') == len(LINKS)
    assert "The table below has every edge." in html
    edges = html[html.index("Edges of the causal graph") :].split("</table>")[0]
    for link in LINKS:
        assert f'<th scope="row">{link.source} → {link.target}</th>' in edges
    assert edges.count(">yes</td>") >= 1
    assert "Phase " in html


def test_the_ledger_says_that_nothing_is_resolved_yet(client: Client) -> None:
    html = client.get("/intelligence/ledger").content.decode()
    assert "No prediction is resolved yet." in html
    assert "<h3>Reliability</h3>" not in html


def test_the_ledger_shows_scores_with_intervals_and_a_diagram(
    client: Client, monkeypatch: Any
) -> None:
    today = NOON.date()
    days = [(today - timedelta(days=n), 5, 900_000, 300_000, 2_000_000, 1_500_000)
            for n in range(200, 0, -1)]  # fmt: skip
    came = {30: {"n": 1000, "unknown": 0, "hits": 700}}
    told = {"predictions": {30: 1000}, "rough": 0, "last": NOON, "outcomes": came,
            "days": {30: days}, "sure": {30: [(70, 600, 420), (90, 400, 280)]},
            "recalibration": None,
            "calls": {"made": 0, "rough": 0, "subjects": {}, "days": {}}}  # fmt: skip
    row = replace(product_of("ledger"), beside=lambda _: told)  # type: ignore[type-var]
    monkeypatch.setattr("apps.insight.intelligence.views.product_of", lambda _: row)
    html = client.get("/intelligence/ledger").content.decode()
    assert "No prediction is resolved yet." not in html
    assert "Reliability at 30 days: forecast 70 %, observed 70 % (600)" in html
    assert html.count("<circle") == 2
    assert re.search(r'<td data-label="95 % interval" class="num">[\d.]+ to [\d.]+</td>', html)
    assert "too few days" in html


def test_no_page_has_a_script_or_a_style_of_its_own(client: Client) -> None:
    sampling.load(now=NOON)
    for name in ("causal-graph", "ledger", *LAYOUTS):
        html = client.get(f"/intelligence/{name}").content.decode()
        assert "<script" not in html
        assert "style=" not in html
