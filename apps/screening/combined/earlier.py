"""Answers of earlier releases in the shape that is declared today.

A record keeps its answer as it was given and never changes. What the shape requires by now and an
earlier answer lacks is derived from the facts of the same record; what they do not bear out is
not said. Nothing that was answered is altered, but that rules are named by their codes.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from apps.core.rendering import Wire
from apps.screening.combined import ownership
from apps.screening.rules.released import code_of, reference_of
from apps.screening.rules.screen import r16_words
from apps.screening.rules.ubo import exceptions, owners_identified, shares_missing


def as_declared(kept: Mapping[str, Any]) -> Wire:
    """Return the answer of a record's payload; one that has the shape stays byte for byte."""
    body, evidence = kept["response"], kept["evidence"]
    checks, attested = body["checks"], body["attestations"]
    r16 = attested["fatfR16"]
    note = r16_words(basis=r16["basis"], decision=body["decision"])
    references = [reference_of(rule) for rule in body["rules"]]
    owners = _with(checks["uboChain"], _owners(kept["request"]["lei"], evidence))
    found = _sanctions(checks["sanctions"], evidence["sanctions"])
    return Wire(
        _with(body, {"ruleReferences": references})
        | {
            "rules": [code_of(rule) for rule in body["rules"]],
            "checks": checks | {"sanctions": found, "uboChain": owners},
            "attestations": attested | {"fatfR16": _with(r16, {"note": note})},
        }
    )


def _with(given: dict[str, Any], derived: dict[str, Any]) -> dict[str, Any]:
    """Return what was given, and behind it what it lacks."""
    return given | {name: value for name, value in derived.items() if name not in given}


def _sanctions(check: dict[str, Any], found: Iterable[dict[str, Any]]) -> dict[str, Any]:
    rows = {(row["dataset"], row["entityId"]): row for row in found}
    matches = [_match(one, rows[one["dataset"], one["entityId"]]) for one in check["matches"]]
    return check | {"matches": matches}


def _match(shown: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Return a match with what the record has of the listed party.

    Before there was a matched name the name was that one; what agreed was told as `notes`.
    """
    listed = row["entity"]
    by = "LEI" if row["exact"] else "NAME"  # an LEI was all that was looked up exactly
    derived = {
        "matchedName": shown["name"],
        "matchedBy": row.get("by", by),
        "type": listed["schema"].lower(),
        "programs": listed["programs"],
        "birthDates": listed["birthDates"],
        "listedOn": listed["listedOn"] or None,
        "evidence": shown.get("notes", []),
    }
    return _with({name: value for name, value in shown.items() if name != "notes"}, derived)


def _owners(lei: str, evidence: dict[str, Any]) -> dict[str, Any]:
    """Return what the kept chain says of owners.

    Where no shares were kept nobody knows that none is missing, so owners were not identified.
    """
    chain = ownership.from_record(lei, evidence)
    return {
        "screened": sum(row["status"] != "NOT_CHECKED" for row in evidence["chain"]),
        "ownersIdentified": chain is not None and "ties" in evidence and owners_identified(chain),
        "exceptions": list(exceptions(chain)),
        "sharesMissing": list(shares_missing(chain)),
    }
