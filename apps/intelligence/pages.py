"""Pages for people: what each product measures, yesterday's picture of it, and its method. Free.

A picture is computed as of the first moment of the day, in UTC: what is sold is of now.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse

from apps.access.limits import per_address
from apps.core.clock import now as present
from apps.core.problems import reading_only
from apps.intelligence import answering, caveats, drawing, editions, showing, wording
from apps.intelligence.answering import Kept
from apps.intelligence.catalogue import PRODUCTS, Product, product_of
from apps.intelligence.charting import Chart, chart
from apps.intelligence.endpoints import row
from apps.intelligence.layouts import LAYOUTS
from apps.intelligence.methods import graph
from apps.intelligence.rules.regimes import HORIZONS
from apps.signals import reading
from apps.signals.quality import Unavailable
from apps.signals.series import row_of
from config.prices import MICRO

DRAWN = 3  # inputs whose history is drawn
BACK = timedelta(days=3653)
SLOT = re.compile("<[a-z]+:([a-z_]+)>")  # what stands for an id in the path of a row


@dataclass(frozen=True, slots=True)
class Picture:
    """A product at the beginning of a day; `fault` says why there is none."""

    body: Mapping[str, Any]
    fault: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The answer as it would be sold."""
        return json.dumps(self.body, indent=2, ensure_ascii=False)


@reading_only
@per_address
def overview(request: HttpRequest) -> HttpResponse:
    """Show every product with its price."""
    listed = [(one, priced(one)) for one in PRODUCTS]
    return render(request, "intelligence/products.html", {"products": listed})


def priced(product: Product) -> str:
    """Return the price of one call, in USD."""
    return f"{Decimal(product.price.paid or 0) / MICRO:.2f}"


@reading_only
@per_address
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a product: yesterday's picture, the inputs with their histories, the method."""
    product = product_of(name)
    if product is None:
        raise Http404
    today = datetime.combine(present().date(), time(), UTC)
    told = picture(product, today)
    shown = {
        "product": product,
        "price": priced(product),
        "call": call_of(request, product),
        "of": today - timedelta(days=1),
        "picture": told,
    }
    if not told.fault:
        seen = showing.face(LAYOUTS[name], told.body)
        shown |= {"face": seen, "quality": caveats.told(told.body)}
        shown["charts"] = drawn(_series(product, seen.draws), today.date())
    return render(request, OWN.get(name, "intelligence/product.html"), shown)


def picture(product: Product, moment: datetime) -> Picture:
    """Return the picture of a day, computed once for it."""
    key = f"intelligence-page:{product.name}:{product.version}:{moment:%Y%m%d}"
    found: Picture | None = cache.get(key)
    if found is None:
        found = _computed(product, moment)
        cache.set(key, found, 86_400 if not found.fault else 600)
    return found


def _computed(product: Product, moment: datetime) -> Picture:
    if "<" in product.path:
        return Picture({}, fault="it is about one entity, which a call names.")
    try:
        asked = example(product)
        made = answering.compute(product, asked=asked, now=moment)
    except Unavailable as error:
        return Picture({}, fault=error.detail)
    more = MORE[product.name](made) if product.name in MORE else {}
    return Picture(made.wire, more=more)


def _graph(made: Kept) -> Mapping[str, Any]:
    """Return the causal graph with its edges, of which the answer tells only what leads."""
    assert made.known is not None
    told = made.wire["topology"]
    whole = graph.graph(made.known)
    path, first = told["dominantCausalPath"], told["mostInfluential"]
    told = editions.listed(made.known.as_of)
    return {"graph": drawing.graph(whole, path=path, first=first), "editions": told}


def _scores(made: Kept) -> Mapping[str, Any]:
    """Return what came of predictions by horizon, with a diagram where enough are resolved."""
    told = made.wire["summary"]
    rows = []
    for days in HORIZONS:
        scores = told["byHorizon"][f"h{days}"]
        against = [
            ("climatology", scores["againstClimatology"]),
            ("persistence", scores["againstPersistence"]),
        ]
        rows.append((days, scores, against, drawing.reliability(days, scores["reliability"])))
    return {
        "summary": told,
        "horizons": rows,
        "calls": made.wire["calls"],
        "recalibration": made.wire["recalibration"],
    }


# products whose page shows what no other has: what is drawn of the answer, and the template
MORE: Mapping[str, Callable[[Kept], Mapping[str, Any]]] = {
    "causal-graph": _graph,
    "ledger": _scores,
}
OWN = {"causal-graph": "intelligence/causal_graph.html", "ledger": "intelligence/ledger.html"}


def example(product: Product) -> Mapping[str, Any]:
    """Return what the example of a product's row asks, as its shape reads it."""
    if product.asks is None:
        return {}
    shape = product.asks(data=dict(product.example))
    shape.is_valid(raise_exception=True)
    return dict(shape.validated_data)


def _series(product: Product, names: Iterable[str]) -> Iterator[str]:
    """Yield series, for a composite of the product those that are its parts."""
    parts = {one.name: one.parts for one in product.composites}
    for name in names:
        yield from (one.series for one in parts[name]) if name in parts else (name,)


def drawn(names: Iterable[str], until: date) -> list[Chart]:
    """Return the charts of the first of these series that have a history; one query."""
    wanted = [name for name in dict.fromkeys(names) if row_of(name)][:DRAWN]
    if not wanted:
        return []
    since = until - BACK
    past = reading.histories(wanted, as_of=datetime.combine(until, time(), UTC), since=since)
    lines = (
        chart(unit_of(name), past[name], cadence=reading.cadence_of(name), since=since, until=until)
        for name in wanted
    )
    return [line for line in lines if line is not None]


def unit_of(name: str) -> str:
    """Return what a series is, with its unit."""
    told, held = wording.title(name), row_of(name)
    unit = held.unit_of(name) if held else ""
    return told if not unit or told.endswith(unit) else f"{told}, {unit}"


def call_of(request: HttpRequest, product: Product) -> Mapping[str, str]:
    """Return how a product is called on this installation: its path, and a command that works."""
    one = row(product)
    below = SLOT.sub(lambda slot: str(one.ids[slot[1]].example), one.path)
    at = f"{reverse('intelligence-products')}{below}"
    sent = [f"curl -s {request.build_absolute_uri(at)}", '-H "X-API-Key: $KEY"']
    if one.method == "POST":
        asked = json.dumps(dict(product.example))
        sent += ["-H 'Content-Type: application/json'", f"-d '{asked}'"]
    return {"method": one.method, "path": at, "command": " \\\n  ".join(sent)}


def page_urls() -> list[URLPattern]:
    """Return the addresses of the pages; they come behind those of the service's documents."""
    return [
        path("", overview, name="intelligence-products"),
        path("<slug:name>", page, name="intelligence-product"),
    ]
