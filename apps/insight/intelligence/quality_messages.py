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
    "ESTIMATED": "Observations by publishers make up less than nine tenths of its weight.",
}
THEORY_PREFIX = "prior:"
# prefix of a reason -> the sentence about the series that it names
REASON_SENTENCES = {
    "stale:": "Too old to be used: {}.",
    "held:": "Held at the last figure, so that missing data does not end an alarm: {}.",
    "missing:": "No data for: {}.",
    "short:": "History too short to be used: {}.",
    "proxy:": "Proxy used for data that is not public: {}.",
    "static:": "Static table, not updated: {}.",
}


@dataclass(frozen=True, slots=True)
class QualitySummary:
    """The quality label of an answer, what it means, the coverage, and the reasons."""

    label: str
    means: str
    coverage: str
    why: tuple[str, ...]


def describe_quality(body: Mapping[str, Any]) -> QualitySummary:
    """Return the quality summary of an answer."""
    label, reasons = body["dataQuality"], list(body["reasons"])
    sources = body.get("sources", ())
    # a series with a reason of its own need not be listed as missing again
    named = {reason.partition(":")[2] for reason in reasons}
    reasons += [f"missing:{name}" for name in body["missing"] if name not in named]
    if not any(reason.startswith(THEORY_PREFIX) for reason in reasons):
        theory = []
    else:
        theory = ["The graph's weights rest partly on theory, not on data alone."]
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
        return ["Based on the bundled sample."]
    of = "is" if total == 1 else "are"
    rest = (
        f"; {is_sample} of these {'is' if is_sample == 1 else 'are'} invented" if is_sample else ""
    )
    return [
        f"{total} of {len(parts)} series {of} from the bundled sample, not current publisher "
        f"data{rest}."
    ]


def _describe_ages(sources: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence on the dates of the oldest and the newest figure."""
    if not sources:
        return []
    ranked = sorted(sources, key=lambda source: str(source["asOf"]))
    first, last = ranked[0], ranked[-1]
    if labels.format_day(first["asOf"]) == labels.format_day(last["asOf"]):
        return [f"Figures are of {labels.format_day(first['asOf'])}."]
    return [
        f"The oldest figure is of {labels.format_day(first['asOf'])} "
        f"({labels.title_of_series(first['series'])}), the newest of "
        f"{labels.format_day(last['asOf'])} ({labels.title_of_series(last['series'])})."
    ]
