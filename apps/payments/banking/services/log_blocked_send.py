"""Enter a blocked outgoing payment in the SAR log."""

from datetime import datetime

from apps.backoffice.sar.entry_facts import PaymentFacts
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.backoffice.sar.services.entries import BlockedOutcome, open_entry
from apps.compliance.screening.rules.screen import is_ofac_concerned
from apps.payments.banking.models import Send
from apps.payments.banking.screening.recipients import ScreeningOutcome
from apps.payments.banking.screening.send_findings import BY_CODE as SEND_ROWS_BY_CODE
from apps.payments.banking.services.send_cases import SEND_KIND


def log_blocked_send(
    row: Send, *rules: str, screening_outcome: ScreeningOutcome, now: datetime
) -> None:
    """Enter a payment that the screen stopped into the SAR log, under the name that stopped it."""
    blocked = BlockedOutcome(
        kind=SEND_KIND,
        ref=str(row.send_id),
        owner=row.owner,
        party=screening_outcome.party or row.recipient.name,
        reasons=[SEND_ROWS_BY_CODE[rule].says for rule in rules],
        rules=rules,
        sanctions=is_ofac_concerned(
            screening_outcome.rules, owed=is_ofac_report_owed(screening_outcome.datasets)
        ),
        lists=screening_outcome.datasets,
        risk_score=screening_outcome.score,
        screened_at=now,
        facts=PaymentFacts(
            amount=row.amount,
            currency="USD",
            usd=row.amount,
            country=row.recipient.country,
            reference=row.key[:200],
            picture={
                "facts": [
                    {"label": "Screen", "value": reason} for reason in screening_outcome.reasons
                ]
            },
        ),
    )
    open_entry(blocked=blocked, now=now)
