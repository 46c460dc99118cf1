"""A flagged screen that is as full as they come: long names, five matches, owners, history."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.review.rules.case_keys import build_entity_key
from apps.compliance.screening.combined.evidence_view import listed_parties
from apps.compliance.screening.combined.requests import ScreenRequest, serialize_screen_request
from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex, build_index
from tests.review.people import NOON, approve, case

REF = "heavy"
PARTY = "Abdul Rahman Mohammed Al-Tikriti Petrochemical Trading and Shipping Company"
SANCTIONED = "1 §2.7 rule 3 partial"
ASKED = ScreenRequest(
    name=PARTY,
    lei="5493001KJTIIGC8Y1R12",
    country="AE",
    source_country="DE",
    amount=Decimal("125000.00"),
    currency="EUR",
    payment_type="vendor_payment",
    reference="PAY-2026-11-000417/B",
    entity_type="company",
    nationality="AE",
    identifiers=(Identifier("registration", "DMCC-778812"),),
    address="Office 1204, Jumeirah Lakes Towers, Cluster T, Dubai",
    aliases=("Tikriti Petrochem FZE",),
)
NAMES = (
    "Abdul Rahman Al-Tikriti Petrochemical Shipping Establishment",
    "Abdul Rahman Trading Company",
    "Mohammed Al Tikriti Shipping",
    "Tikriti Petrochemical Holding",
    "Rahman Petrochemical Trading and Shipping",
)


def entity(number: int, name: str) -> ListedEntity:
    """Return a listed company that has something of everything."""
    return ListedEntity(
        entity_id=f"NK-{number}",
        schema="Organization",
        names=(
            ListedName(name, "primary"),
            ListedName(f"{name} (Free Zone) Limited Liability Company"),
            ListedName("The Tikriti Group", weak=True),
        ),
        countries=("IQ", "SY"),
        identifiers=(Identifier("registration", "IQ-2003-11", "IQ"), Identifier("imo", "9074729")),
        addresses=("Al-Rashid Street 14, Baghdad, Iraq", "Mezzeh, Damascus"),
        programs=("IRAQ2", "SDGT", "SYRIA"),
        listed_on="2003-11-24",
        remarks="Front company for the procurement of petrochemicals; " * 6,
    )


def evidence(folder: Path) -> dict[str, Any]:
    """Return what a screen of the party keeps, by the matcher itself."""
    rows = [IndexEntry(f"l:NK-{n}", "ofac-sdn", entity(n, name)) for n, name in enumerate(NAMES)]
    build_index(entries=rows, directory=folder)
    engine: Any = SimpleNamespace(sanctions=MatchIndex.open(folder))
    matches = lookup.match_sanctions(engine=engine, subject=ASKED.subject).matches
    owners = ("SUBJECT", "DIRECT_PARENT", "INTERMEDIATE", "ULTIMATE_PARENT")
    return {
        "request": serialize_screen_request(ASKED),
        "sanctions": [match.recorded() for match in matches],
        "rate": {"usd": "145123.5", "rate": "1.160988", "date": "2026-11-19", "source": "ECB"},
        "labels": {"source": "STANDARD", "destination": "STANDARD"},
        "lei": {"counts": True, "note": "", "of": PARTY},
        "chain": [
            {"lei": f"5493001KJTIIGC8Y1R1{n}", "name": f"{PARTY} Holding {n}", "role": role,
             "jurisdiction": "AE", "country": "AE", "headquarters": "", "category": "", "also": [],
             "status": "PARTIAL" if n == 3 else "CLEAR",
             "matches": [matches[1].recorded()] if n == 3 else []}
            for n, role in enumerate(owners)
        ],
        "versions": {"lists": {"ofac-sdn": 12}, "rules": "2026-11.10", "matcher": "877d27bcbf09"},
    }  # fmt: skip


def heavy_case(folder: Path, olivia: User, samir: User) -> Case:
    """Open the case, after three others of the same party that ended in two ways."""
    kept = evidence(folder)
    held = {"party": PARTY, "title": f"Screen of {PARTY}", "evidence": kept, "risk": "MEDIUM"}
    held |= {"entity_key": build_entity_key(listed_parties(kept)), "amount": ASKED.amount}
    held |= {"currency": "EUR", "amount_usd": Decimal("145123.5"), "country": "AE"}
    best = kept["sanctions"][0]
    said = [
        (SANCTIONED, f"Partial sanctions match at {best['score']}%: {best['name']} (OFAC SDN)."),
        ("1 §2.7 rule 3 partial, owner", f"Partial match at an owner: {PARTY} Holding 3."),
        ("1 §2.7 rule 1 grey list", "FATF increased monitoring: AE; enhanced due diligence."),
        ("1 §2.7 rule 2 reporting", "Amount of 10,000 USD or more: CTR-equivalent."),
    ]
    held["reasons"] = [{"ref": ref, "sentence": sentence} for ref, sentence in said]
    for number, outcome in enumerate(("APPROVE", "REJECT", "APPROVE")):
        before = NOON - timedelta(days=30 - number)
        approve(
            case(f"{REF}{number}", now=before, **held), olivia, outcome=outcome, now=before,
            reason_code="DIFFERENT_PARTY" if outcome == "APPROVE" else "LISTED_PARTY",
        )  # fmt: skip
    new_case = case(REF, **held)
    services.escalate_case(
        case=new_case, by=olivia, note="The register extract is of 2019: enough?", now=NOON
    )
    services.claim_case(case=new_case, by=samir, now=NOON)
    new_case.refresh_from_db()
    return new_case
