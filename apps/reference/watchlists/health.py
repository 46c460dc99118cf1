"""What the check of lists and match index says to an operator."""

from typing import Any

from apps.platform.desk.health import CheckWording, format_short_span


def _describe_lists_health(check: dict[str, Any]) -> list[str]:
    states = {
        "fresh": "are current",
        "stale": "are too old to screen against: refresh them",
        "absent": "are missing",
    }
    sentences = [
        f"The {title} {states.get(str(check.get(key)), check.get(key))}."
        for title, key in (
            ("loaded sanctions lists", "sanctions"),
            ("loaded PEP lists", "pep"),
        )
        if key in check
    ]
    sentences += [str(why) for why in check.get("missing", ())]
    if check.get("notLoaded"):
        sentences.append(f"Switched on but nothing loaded: {', '.join(check['notLoaded'])}.")
    lag = check.get("lagSeconds") or 0
    sentences.append(
        f"The index is {format_short_span(lag)} behind the lists."
        if lag
        else "The index is current."
    )
    if check.get("sample"):
        sentences.append("Screening uses the bundled sample lists: not for real payments.")
    if check.get("versions"):
        versions = ", ".join(f"{name} {number}" for name, number in check["versions"].items())
        sentences.append(f"Live: {versions}.")
    return sentences


WORDS = CheckWording("Lists and match index", _describe_lists_health)
