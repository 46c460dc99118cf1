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
            (("lookup",), "the secret is compared by its digest, which is recorded"),
            (
                (
                    *("framework", "protocols", "has_email", "note", "lei_status", "lei_entity"),
                    *("looked_at", "registered_at"),
                ),
                "shown; what counts is its level, which is recorded",
            ),
        ),
        "agents.Mandate": (
            (
                ("mandate_id", "level", "made_at", "made_by"),
                "shown; what counts are its limits, which are recorded",
            ),
        ),
        "agents.Revocation": ((("at", "by", "reason"), SHOWN),),
        "agents.Spend": (
            (
                ("counterparty_lei", "esg_score", "mandate", "pair", "reference", "spent_at"),
                "shown; what counts is the sum of a day, which is recorded",
            ),
        ),
    },
    beside={
        "agents.Credential": "a list of issued credentials; each proves itself by its signature",
    },
    witnessed=("agents",),
)
