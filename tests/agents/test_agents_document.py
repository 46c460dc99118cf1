"""docs/agents.md says what the tables say."""

import re
from datetime import UTC, datetime
from pathlib import Path

from apps.compliance.agents import credential_claims, key_proofs
from apps.compliance.agents.owner_proofs import proof_statement
from apps.compliance.agents.rules.levels import LEI_RULES, LEVEL_RULES, TIERS
from apps.compliance.agents.rules.owner_proofs import PROOF_RULES
from apps.compliance.agents.rules.spend_limits import SPEND_RULES
from apps.compliance.agents.secrets import PREFIX

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")


def rows(head: str) -> list[list[str]]:
    lines = TEXT.split(f"| {head} |\n")[1].split("\n\n")[0].splitlines()[1:]
    return [[cell.strip().strip("`") for cell in line.strip("|").split(" | ")] for line in lines]


def test_levels_are_told() -> None:
    told = rows("level | kyaScore | one payment and a UTC day")
    caps = {t.level: f"{t.cap:,} USD" if t.cap else "no platform cap" for t in TIERS.values()}
    assert told == [[t.level, str(t.score), caps[t.level]] for t in TIERS.values()]


def test_rules_are_told_in_their_order() -> None:
    levels = rows("code | reference | when | level")
    assert levels == [[r.code, r.ref, r.title, r.level] for r in LEVEL_RULES]
    assert rows("code | reference | when") == [[r.code, r.ref, r.title] for r in LEI_RULES]
    spends = rows("code | reference | a payment is refused when")
    assert spends == [[r.code, r.ref, r.title] for r in SPEND_RULES]
    proofs = rows("code | reference | a proof is refused when")
    assert proofs == [[r.code, r.ref, r.title] for r in PROOF_RULES]


def test_the_words_that_a_wallet_signs_are_told() -> None:
    signed_at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    words = proof_statement(agent_id="agt_…", lei="…", wallet="0x…", signed_at=signed_at)
    assert f"```text\n{words}\n```" in TEXT


def test_names_of_the_wire_are_told() -> None:
    for name in (
        credential_claims.TYPE,
        credential_claims.ISSUER,
        credential_claims.AUDIENCE,
        key_proofs.PROOF_TYPE,
        f"{PREFIX}…",
    ):
        assert re.search(rf"`{re.escape(name)}`", TEXT), name
