"""Public pages: what each product measures, its snapshot of yesterday, and its method. Free.

A snapshot is computed as of the start of the day in UTC; only current answers are sold.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse

from apps.access.keys.rate_limits import limit_per_address
from apps.insight.intelligence import diagrams, graph_editions, labels, quality_messages
from apps.insight.intelligence.catalogue import PRODUCTS, Product, product_of
from apps.insight.intelligence.history_charts import Chart, build_history_chart
from apps.insight.intelligence.layouts import LAYOUTS, answer_page
from apps.insight.intelligence.methods import layer_graph
from apps.insight.intelligence.rules.regimes import HORIZONS
from apps.insight.intelligence.services import paid_answers
from apps.insight.intelligence.services.paid_answers import KeptAnswer
from apps.platform.api.routers import operations_of_service
from apps.platform.common import clock
from apps.platform.common.days import start_of_day
from apps.platform.common.problems import read_only_view
from apps.reference.signals.quality import TooFewInputs
from apps.reference.signals.selectors import series_values
from apps.reference.signals.series import find_series
from config.prices import MICRO

# inputs whose history is charted
CHART_LIMIT = 3
# ten years
CHART_PERIOD = timedelta(days=3653)
# a path parameter in an operation's path
PATH_SLOT = re.compile("<[a-z]+:([a-z_]+)>")


@dataclass(frozen=True, slots=True)
class DailyPicture:
    """A product's answer as of the start of a day; `fault` says why there is none."""

    body: Mapping[str, Any]
    fault: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The answer as it would be sold."""
        return json.dumps(self.body, indent=2, ensure_ascii=False)


@read_only_view
@limit_per_address
def show_products(request: HttpRequest) -> HttpResponse:
    """Show every product with its price."""
    listed = [(product, format_call_price(product)) for product in PRODUCTS]
    return render(request, "intelligence/products.html", {"products": listed})


def format_call_price(product: Product) -> str:
    """Return the price of one call, in USD."""
    return f"{Decimal(product.price.paid or 0) / MICRO:.2f}"


@read_only_view
@limit_per_address
def show_product(request: HttpRequest, name: str) -> HttpResponse:
    """Show a product: yesterday's picture, the inputs with their histories, the method."""
    product = product_of(name)
    if product is None:
        raise Http404
    # as of the start of the day: current answers are sold, and the page is free
    today = start_of_day(clock.now().date())
    daily_picture = load_daily_picture(product, today)
    shown = {
        "product": product,
        "price": format_call_price(product),
        "call": build_example_call(request, product),
        "of": today - timedelta(days=1),
        "picture": daily_picture,
    }
    if not daily_picture.fault:
        seen = answer_page.present_answer(LAYOUTS[name], daily_picture.body)
        shown |= {"face": seen, "quality": quality_messages.describe_quality(daily_picture.body)}
        shown["charts"] = build_series_charts(_expand_composites(product, seen.draws), today.date())
    return render(request, OWN_TEMPLATES.get(name, "intelligence/product.html"), shown)


def load_daily_picture(product: Product, moment: datetime) -> DailyPicture:
    """Return the snapshot of a day, computed once."""
    key = f"intelligence-page:{product.name}:{product.version}:{moment:%Y%m%d}"
    daily_picture: DailyPicture | None = cache.get(key)
    if daily_picture is None:
        daily_picture = _compute_daily_picture(product, moment)
        # seconds: a day, or ten minutes for a fault, which data may mend
        cache.set(key, daily_picture, 86_400 if not daily_picture.fault else 600)
    return daily_picture


def _compute_daily_picture(product: Product, moment: datetime) -> DailyPicture:
    if "<" in product.path:
        return DailyPicture(
            {}, fault="this product answers about one entity, which the call names."
        )
    try:
        example_request = build_example_request(product)
        answer = paid_answers.compute_answer(product, asked=example_request, now=moment)
    except TooFewInputs as error:
        return DailyPicture({}, fault=error.detail)
    more = EXTRA_CONTEXT[product.name](answer) if product.name in EXTRA_CONTEXT else {}
    return DailyPicture(answer.wire, more=more)


def _build_graph_context(answer: KeptAnswer) -> Mapping[str, Any]:
    """Return the causal graph with all edges; the answer itself names only the leading ones."""
    assert answer.known is not None
    topology = answer.wire["topology"]
    whole = layer_graph.build_causal_graph(answer.known)
    path, first = topology["dominantCausalPath"], topology["mostInfluential"]
    return {
        "graph": diagrams.draw_causal_graph(whole, path=path, first=first),
        "editions": graph_editions.list_graph_editions(answer.known.as_of),
    }


def _build_ledger_context(answer: KeptAnswer) -> Mapping[str, Any]:
    """Return outcomes of predictions by horizon, with a diagram where enough are resolved."""
    summary = answer.wire["summary"]
    rows = []
    for days in HORIZONS:
        scores = summary["byHorizon"][f"h{days}"]
        against = [
            ("climatology", scores["againstClimatology"]),
            ("persistence", scores["againstPersistence"]),
        ]
        rows.append((days, scores, against, diagrams.draw_reliability(days, scores["reliability"])))
    return {
        "summary": summary,
        "horizons": rows,
        "calls": answer.wire["calls"],
        "recalibration": answer.wire["recalibration"],
    }


# Products with a page of their own: extra context from the answer, and the template.
EXTRA_CONTEXT: Mapping[str, Callable[[KeptAnswer], Mapping[str, Any]]] = {
    "causal-graph": _build_graph_context,
    "ledger": _build_ledger_context,
}
OWN_TEMPLATES = {
    "causal-graph": "intelligence/causal_graph.html",
    "ledger": "intelligence/ledger.html",
}


def build_example_request(product: Product) -> Mapping[str, Any]:
    """Return a product's example request, validated."""
    if product.asks is None:
        return {}
    shape = product.asks(data=dict(product.example))
    shape.is_valid(raise_exception=True)
    return dict(shape.validated_data)


def _expand_composites(product: Product, names: Iterable[str]) -> Iterator[str]:
    """Yield series names, with each composite of the product replaced by its parts."""
    parts = {composite.name: composite.parts for composite in product.composites}
    for name in names:
        yield from (part.series for part in parts[name]) if name in parts else (name,)


def build_series_charts(names: Iterable[str], until: date) -> list[Chart]:
    """Return charts of the first series that have a history; one query."""
    charted = [name for name in dict.fromkeys(names) if find_series(name)][:CHART_LIMIT]
    if not charted:
        return []
    since = until - CHART_PERIOD
    past = series_values.load_histories(charted, as_of=start_of_day(until), since=since)
    lines = (
        build_history_chart(
            title_with_unit(name),
            past[name],
            cadence=series_values.series_cadence(name),
            since=since,
            until=until,
        )
        for name in charted
    )
    return [line for line in lines if line is not None]


def title_with_unit(name: str) -> str:
    """Return the title of a series, with its unit."""
    title, series = labels.title_of_series(name), find_series(name)
    unit = series.unit_of(name) if series else ""
    return title if not unit or title.endswith(unit) else f"{title}, {unit}"


def build_example_call(request: HttpRequest, product: Product) -> Mapping[str, str]:
    """Return how to call a product on this installation: the path and a working command."""
    operation = next(
        row for row in operations_of_service("intelligence") if row.name == product.name
    )
    below = PATH_SLOT.sub(
        lambda slot: str(operation.path_parameters[slot[1]].example), operation.path
    )
    at = f"{reverse('intelligence-products')}{below}"
    sent = [f"curl -sS {request.build_absolute_uri(at)}", '-H "X-API-Key: $KEY"']
    if operation.method == "POST":
        json_text = json.dumps(dict(product.example))
        sent += ["-H 'Content-Type: application/json'", f"-d '{json_text}'"]
    return {"method": operation.method, "path": at, "command": " \\\n  ".join(sent)}


def page_urls() -> list[URLPattern]:
    """Return the URL patterns of the pages; they follow those of the service's documents."""
    return [
        path("", show_products, name="intelligence-products"),
        path("<slug:name>", show_product, name="intelligence-product"),
    ]
