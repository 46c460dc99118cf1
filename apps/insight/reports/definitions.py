"""The definition of a report in the catalogue, and the inputs and results of its parts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from apps.insight.reports.rules.charts import Chart
from apps.insight.reports.rules.findings import Data, Rule
from apps.insight.reports.rules.tables import ReportTable
from apps.platform.api.callers import Caller
from apps.platform.api.shapes import Shape
from apps.platform.common.problems import DomainError
from config.prices import Unit

ReportRequest = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartResult:
    """The result of a part: `data` as sent, its quality and its publishers.

    `inputs` identify the data used, so that it can be found or recomputed; no floats. `keep` writes
    the part's own records once the report is paid for. `mark` marks its figures if they are from
    the bundled sample or a sandbox (rules/sample_marks.py).
    """

    data: Mapping[str, Any]
    quality: str
    sources: Sequence[str]
    inputs: Mapping[str, Any]
    keep: Callable[[Caller, datetime], None] | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPart:
    """One part of a report; `gather(asked=…, now=…)` reads, and raises if it is unavailable.

    Without a `required` part there is no report, and nothing is charged.
    """

    name: str
    title: str
    gather: Callable[..., PartResult]
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSubject:
    """What a report is about: `key` tells it from all others, `title` says it in words.

    `request` has the parameters of the parts; `owner` is the institution whose figures it shows.
    """

    key: tuple[str, ...]
    title: str
    period: str
    request: ReportRequest = field(default_factory=dict)
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineFigure:
    """A headline number of a report: its name, and the number in words; empty where none is."""

    title: str
    read: Callable[[Data], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrativeParagraph:
    """A section of the narrative; empty where there is nothing to say."""

    heading: str
    tell: Callable[[Data], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One report (document 2 section 4). `gives` is what a 402 says is in it.

    `resolve(asked=…, now=…)` names the subject before anything is gathered. `headline` is the last
    sentence of the summary. With `opinion`, a language model may add a paragraph.
    """

    name: str
    title: str
    about: str
    price: Unit
    gives: tuple[str, ...]
    resolve: Callable[..., ReportSubject]
    parts: tuple[ReportPart, ...]
    rules: tuple[Rule, ...]
    story: tuple[NarrativeParagraph, ...]
    figures: tuple[HeadlineFigure, ...]
    headline: Callable[[Data], str]
    charts: tuple[Chart, ...]
    tables: tuple[ReportTable, ...] = ()
    asks: type[Shape] | None = None
    example: Mapping[str, Any] = field(default_factory=dict)
    make: Callable[..., Any] = dict
    beside: tuple[str, ...] = ()
    problems: tuple[type[DomainError], ...] = ()
    # only for reports on the world: the model may run elsewhere, and parties stay here
    opinion: bool = False
