"""Describe an answer's quality: sample, invented, missing and old inputs. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.insight.intelligence import labels
from apps.reference.signals.points import SAMPLE
from apps.reference.signals.sample_origins import INVENTED

LABEL_MEANINGS = {
    "LIVE": "All its inputs were observed and are recent enough.",
    "PARTIAL": "An input is missing, too old or an estimate.",
    "ESTIMATED": "More than a tenth of its weight is no observation of a publisher.",
}
THEORY_PREFIX = "prior:"
# what a reason begins with -> the sentence of the series that it names
REASON_SENTENCES = {
    "stale:": "Too old to count: {}.",
    "held:": "Kept at its last figure, so that missing data ends no alarm: {}.",
    "missing:": "No data for: {}.",
    "short:": "Its history is too short to be used: {}.",
    "proxy:": "A proxy replaces data that is not public: {}.",
    "static:": "A static table that is not updated: {}.",
}


@dataclass(frozen=True, slots=True)
class QualitySummary:
    """The label of an answer, what it means, its coverage, and why it is so."""

    label: str
    means: str
    coverage: str
    why: tuple[str, ...]


def describe_quality(body: Mapping[str, Any]) -> QualitySummary:
    """Return how good an answer is."""
    label, reasons = body["dataQuality"], list(body["reasons"])
    sources = body.get("sources", ())
    named = {reason.partition(":")[2] for reason in reasons}
    reasons += [f"missing:{name}" for name in body["missing"] if name not in named]
    if not any(reason.startswith(THEORY_PREFIX) for reason in reasons):
        theory = []
    else:
        theory = ["The weights of the graph rest on theory too, not on figures alone."]
    messages = []
    for begins, sentence in REASON_SENTENCES.items():
        names = [labels.title_of_series(reason.removeprefix(begins)) for reason in reasons
                 if reason.startswith(begins)]  # fmt: skip
        if names:
            messages.append(sentence.format("; ".join(names)))
    why = [
        *_describe_sample(reasons, sources),
        *messages,
        *theory,
        *_describe_ages(sources),
    ]
    return QualitySummary(
        label, LABEL_MEANINGS.get(label, ""), labels.format_share(body["coverage"]), tuple(why)
    )


def _describe_sample(reasons: Sequence[str], sources: Sequence[Mapping[str, Any]]) -> list[str]:
    if SAMPLE.lower() not in reasons:
        return []
    parts = [source["source"].split("+") for source in sources]
    total = sum(SAMPLE in part for part in parts)
    is_sample = sum(INVENTED in part for part in parts)
    if not total:
        return ["It is based on the bundled sample."]
    of = "is" if total == 1 else "are"
    rest = (
        f"; {is_sample} of these {'is' if is_sample == 1 else 'are'} invented" if is_sample else ""
    )
    return [
        f"{total} of {len(parts)} series {of} of the bundled sample, not of publishers now{rest}."
    ]


def _describe_ages(sources: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return of when the oldest and the newest of the figures are."""
    if not sources:
        return []
    ranked = sorted(sources, key=lambda source: str(source["asOf"]))
    first, last = ranked[0], ranked[-1]
    if labels.format_day(first["asOf"]) == labels.format_day(last["asOf"]):
        return [f"Its figures are of {labels.format_day(first['asOf'])}."]
    return [
        f"Its oldest figure is of {labels.format_day(first['asOf'])} "
        f"({labels.title_of_series(first['series'])}), "
        f"its newest of {labels.format_day(last['asOf'])} "
        f"({labels.title_of_series(last['series'])})."
    ]
