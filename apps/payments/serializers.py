"""Shapes of payments (document 2 sections 2.1 and 2.2)."""

from apps.core.shapes import EpochSeconds, Flag, OneOf, Shape, Text, Whole
from apps.payments.rules.lifecycle import STATES
from apps.vop.rules import RESULTS
from apps.vop.serializers import RESOLVED


class SettlementOut(Shape):
    """How a payment settled; `amount` and `fee` together are what was instructed."""

    tx_hash = Text(help_text="SANDBOX-… where nothing was transferred.")
    amount = Text(help_text="What the creditor receives, in `currency`.")
    currency = Text()
    asset = Text()
    network = Text()
    exchange_rate = Text(help_text="USD for one unit of `currency`, locked as it was priced.")
    fee = Text(help_text="In `currency`.")


class PayeeCheckOut(Shape):
    """What the payee check found (document 1 section 2.2)."""

    request_id = Text()
    result = OneOf(choices=RESULTS)
    proceed_safe = Flag()
    score = Whole()
    resolved_by = OneOf(choices=RESOLVED)
    message = Text()


class ComplianceOut(Shape):
    """What the checks came to; all false for a payment that is BLOCKED, whatever blocked it."""

    fatf_r16_compliant = Flag()
    mica_compliant = Flag()
    genius_compliant = Flag()
    regulatory_note = Text()


class PaymentOut(Shape):
    """A payment; a callback's body is the same.

    `vop` is there once the checks ran, `compliance` and `settledAt` at the end.
    """

    svc_payment_id = Text()
    tms_reference = Text()
    status = OneOf(choices=STATES)
    submitted_at = EpochSeconds()
    settled_at = EpochSeconds(required=False)
    settlement = SettlementOut(required=False)
    vop = PayeeCheckOut(required=False)
    compliance = ComplianceOut(required=False)
    error = Text(required=False, help_text="Where it is BLOCKED or FAILED.")
