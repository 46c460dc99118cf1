"""The case of a flagged screen: reasons by rule, hours, second officers, and its picture.

DESIGN.md section 8; the features 2, 3, 4, 16, 17 and 24 of the desk's feature list.
"""

from decimal import Decimal

from apps.review.kinds import Bulk, Kind, Pace, Reason, RuleWords, SecondRule
from apps.screening.combined.picture import picture, sanctions_lists
from apps.screening.rules import notes, triage
from apps.screening.rules.findings import RULES

LARGE_AMOUNT_USD = Decimal(1_000_000)

# References of the rules of a screen (apps/screening/rules/screen.py) by what they are about
NAME = frozenset({"1 §2.7 rule 3 partial", "1 §2.7 rule 3 partial, owner", "1 §2.7 rule 4"})
SANCTIONS = frozenset(
    {"1 §2.7 rule 3 partial", "1 §2.7 rule 3 partial, owner", "D §4 Owners, minority"}
)
SUBJECT = frozenset({"1 §2.7 rule 3 partial"})
PEP = frozenset({"1 §2.7 rule 4"})
COUNTRY = frozenset(
    {
        "1 §2.7 rule 1 grey list",
        "D §4 countries, EU",
        "D §4 countries, embargo",
        "D §4 countries, address",
        "D §4 Owners, country",
    }
)
OWNER = frozenset(
    {
        "1 §2.7 rule 3 partial, owner",
        "D §4 Owners, minority",
        "D §4 Owners, country",
        "D §4 fail closed, ownership",
    }
)
UNCHECKED = frozenset(
    {
        "1 §2.7 rule 2 large",
        "D §4 fail closed, amount",
        "D §4 fail closed, name",
        "D §4 fail closed, LEI of another",
        "D §4 fail closed, lists",
        "D §4 fail closed, PEP",
        "D §4 fail closed, ownership",
    }
)

APPROVE = (
    Reason(
        "DIFFERENT_PARTY",
        "Another party: identifiers or dates differ",
        "FATF R.6",
        NAME,
        notes.different_party,
    ),
    Reason(
        "NAME_ONLY",
        "Another party: only a common name agrees",
        "FATF R.6",
        NAME,
        notes.name_only,
    ),
    Reason(
        "PEP_ACCEPTED",
        "PEP: relationship and source of funds established",
        "FATF R.12",
        PEP,
        notes.about("Relationship and source of funds", PEP),
    ),
    Reason(
        "COUNTRY_EDD",
        "Country risk: enhanced due diligence done",
        "FATF R.19",
        COUNTRY,
        notes.about("Enhanced due diligence done", COUNTRY),
    ),
    Reason(
        "OWNERSHIP_CLEAR",
        "Ownership established, no listed owner",
        "FATF R.24",
        OWNER,
        notes.ownership_clear,
    ),
    Reason(
        "CHECK_COMPLETED",
        "The missing check was made by other means",
        "FATF R.10",
        UNCHECKED,
        notes.about("Checked by other means", UNCHECKED),
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)
REJECT = (
    Reason("LISTED_PARTY", "The party is the listed one", "FATF R.6", SUBJECT, notes.listed_party),
    Reason(
        "LISTED_OWNER",
        "Owned or controlled by a listed party",
        "FATF R.6",
        OWNER,
        notes.listed_owner,
    ),
    Reason(
        "PEP_DECLINED",
        "PEP: source of funds not established",
        "FATF R.12",
        PEP,
        notes.about("Not established", PEP),
    ),
    Reason(
        "COUNTRY_DECLINED",
        "Country risk beyond what is accepted",
        "FATF R.19",
        COUNTRY,
        notes.about("Not accepted because", COUNTRY),
    ),
    Reason(
        "NOT_IDENTIFIED",
        "Party or owner could not be identified",
        "FATF R.10",
        UNCHECKED | NAME,
        notes.about("Asked for and not given", UNCHECKED | NAME),
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)

SECONDS = (  # first match wins
    SecondRule("SECOND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
    SecondRule(
        "SECOND-2",
        "The amount is 1,000,000 USD or more.",
        lambda s: s.usd is not None and s.usd >= LARGE_AMOUNT_USD,
    ),
    SecondRule(
        "SECOND-3",
        "The amount has no known value in USD.",
        lambda s: s.amount is not None and s.usd is None,
    ),
)

SCREEN = Kind(
    title="Flagged screen",
    reasons={"APPROVE": APPROVE, "REJECT": REJECT},
    due=triage.OTHER_DUE,
    paces=(
        Pace("A sanctioned party may be meant", SANCTIONS, triage.SANCTIONS_DUE),
        Pace("A politically exposed person may be meant", PEP, triage.PEP_DUE),
        Pace("A country", COUNTRY, triage.COUNTRY_DUE),
        Pace("Ownership", OWNER, triage.OWNERSHIP_DUE),
    ),
    risks=triage.WORDS,
    seconds=SECONDS,
    # both are about the listed party, so that they can hold for all cases which match it
    bulk=Bulk(reasons=("DIFFERENT_PARTY", "NAME_ONLY")),
    true_matches=("LISTED_PARTY", "LISTED_OWNER"),
    sanctions=SANCTIONS | {"D §4 countries, embargo"},  # as of a screen that blocks: SANCTIONED
    lists=sanctions_lists,
    picture=picture,
    rules={rule.ref: RuleWords(rule.title, rule.decision is None) for rule in RULES},
)
