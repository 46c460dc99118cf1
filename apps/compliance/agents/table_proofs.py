"""Register how the app's tables are protected against changes in the database."""

from apps.compliance.agents.integrity import verify_all_agents
from apps.platform.ledger.table_proofs import (
    ACCESS,
    MONEY,
    SHOWN,
    Comparison,
    TableProof,
    TableProofs,
)

PROOFS = TableProofs(
    comparisons={
        "agents": (Comparison(verify_all_agents),),
    },
    proved={
        "agents.Agent": TableProof(
            ACCESS,
            "agents",
            verify_all_agents,
            "and at every call of the agent",
        ),
        "agents.Mandate": TableProof(
            MONEY,
            "agents",
            verify_all_agents,
            "and at every settlement of the agent",
        ),
        "agents.Revocation": TableProof(
            ACCESS,
            "agents",
            verify_all_agents,
            "and at every call of the agent",
        ),
        "agents.Spend": TableProof(MONEY, "agents", verify_all_agents),
    },
    uncompared={
        "agents.Agent": (
            (("lookup",), "the secret is verified by its digest, which is recorded"),
            (
                (
                    *("framework", "protocols", "has_email", "note", "lei_status", "lei_entity"),
                    *("looked_at", "registered_at"),
                ),
                "display only; the level decides, and is recorded",
            ),
        ),
        "agents.Mandate": (
            (
                ("mandate_id", "level", "made_at", "made_by"),
                "display only; the limits decide, and are recorded",
            ),
        ),
        "agents.Revocation": ((("at", "by", "reason"), SHOWN),),
        "agents.Spend": (
            (
                ("counterparty_lei", "esg_score", "mandate", "pair", "reference", "spent_at"),
                "display only; the sum of a day decides, and is recorded",
            ),
        ),
    },
    beside={
        "agents.Credential": "a list of issued credentials; each is verified by its signature",
    },
    witnessed=("agents",),
)
