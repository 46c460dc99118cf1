"""What the case page draws of a flagged payment: the request, the facts, and who pays whom."""

from collections.abc import Iterator
from typing import Any

from apps.aml.drawing import drawing
from apps.aml.rules.profile import Payment, Profile
from apps.aml.rules.scene import money, usd
from apps.aml.rules.stored import read

Row = dict[str, Any]


def picture(evidence: Row) -> Row:
    """Return the parts that pages draw of a screen's evidence (apps/review/pages/evidence.py)."""
    asked, judged = evidence["request"], evidence["response"]
    own = read(evidence["profiles"][asked["wallet"]])
    other = read(evidence["profiles"][asked["counterparty"]])
    return {
        "request": {"payment": list(_payment(asked, evidence)), "party": list(_parties(evidence))},
        "facts": list(_facts(judged, own)),
        "network": drawing(
            wallet=asked["wallet"],
            counterparty=asked["counterparty"],
            own=own,
            other=other,
            payment=_as_payment(asked, evidence),
            near={one[0]: bool(one[2]) for one in evidence["near"]},
        ),
        "lists": [
            {"name": name, "version": str(version), "published": ""}
            for name, version in evidence["versions"]["lists"].items()
        ],
        "record": [
            {"label": "Rules", "value": evidence["versions"]["rules"]},
            {"label": "Weights", "value": str(evidence["versions"]["weights"])},
            {"label": "screenId", "value": judged["screenId"]},
        ],
    }


def _as_payment(asked: Row, evidence: Row) -> Payment:
    sends = asked["direction"] == "SEND"
    ends = (asked["wallet"], asked["counterparty"])
    sender, receiver = ends if sends else ends[::-1]
    return Payment(sender, receiver, int(evidence["usd"] or 0), int(evidence["at"]))


def _payment(asked: Row, evidence: Row) -> Iterator[Row]:
    yield {"label": "Amount", "value": f"{money(asked['amount'])} {asked['currency']}"}
    held = evidence["usd"]
    yield {"label": "In USD", "value": usd(int(held)) if held is not None else "no rate was held"}
    sends = asked["direction"] == "SEND"
    yield {"label": "Direction", "value": "The wallet sends" if sends else "The wallet receives"}
    yield {"label": "Payment", "value": asked["paymentId"]}


def _parties(evidence: Row) -> Iterator[Row]:
    for label, party in zip(("Wallet", "Counterparty"), evidence["parties"], strict=True):
        named = f", registered for {party['name']}" if party["name"] else ", not registered"
        yield {"label": label, "value": f"{party['wallet']}{named}"}


def _facts(judged: Row, own: Profile) -> Iterator[Row]:
    for one in judged["signals"]:
        value = f"{one['sentence']} {one['points']} points."
        yield {"label": one["title"], "value": value}
    brief = judged["profile"]
    yield {
        "label": "Weighed as",
        "value": f"{judged.get('cohort', brief['maturity']).title()}: {own.solid} payments before",
    }
    yield {"label": "Average payment before", "value": usd(own.average)}
    yield {"label": "Running risk", "value": f"{brief['riskScore']} of 100"}
    said = judged.get("reasoning")
    if said:
        advice = said["recommendation"].replace("_", " ").capitalize()
        value = f"{advice} ({said['confidence'].lower()} confidence): {said['rationale']}"
        yield {"label": "Assessment by a model", "value": value}
