"""Map the header of a message and the shared parts of a `PmtInf`. Pure.

Rows 1 to 8 and 15 to 20 of the mapping table (docs/pain001.md); elements without a row are
reported as unmapped.
"""

from dataclasses import dataclass
from datetime import date

from apps.payments.payments.pain001 import parties
from apps.payments.payments.pain001.message_parts import GROUP, PAYMENT, MessagePart
from apps.payments.payments.pain001.parties import ParsedParty, TextTracker
from apps.platform.common.days import parse_day


@dataclass(frozen=True, slots=True)
class GroupHeader:
    """What the group header says; `initiators` are the ids of the initiating party."""

    message_id: str
    created: str
    count: str
    total: str
    initiator: str
    initiators: frozenset[str]
    unmapped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaymentHeader:
    """What a `PmtInf` says of all its transactions."""

    info_id: str
    method: str
    day: date | None
    count: str
    total: str
    asset: str
    purpose: str
    charges: str
    debtor: ParsedParty
    ultimate: ParsedParty
    unmapped: tuple[str, ...]


def parse_group_header(part: MessagePart) -> GroupHeader:
    """Return the group header (rows 1 to 5)."""
    taken, node = TextTracker(), part.node
    party = node.first("InitgPty")
    organisation = party.first("Id", "OrgId") if party else None
    # from .09 on an element of its own; earlier versions name it among the other ids
    ids = [taken.text(organisation, "LEI")]
    for other in organisation.all("Othr") if organisation else []:
        ids.append(taken.text(other, "Id"))
        # read only so that it does not count as unmapped
        taken.text(other, "SchmeNm", "Prtry")
        taken.text(other, "SchmeNm", "Cd")
    return GroupHeader(
        message_id=taken.text(node, "MsgId"),
        created=taken.text(node, "CreDtTm"),
        count=taken.text(node, "NbOfTxs"),
        total=taken.text(node, "CtrlSum"),
        initiator=taken.text(party, "Nm"),
        initiators=frozenset(id_.upper() for id_ in ids if id_),
        unmapped=taken.unmapped(node, GROUP),
    )


def parse_payment_header(part: MessagePart, *, in_name: bool) -> PaymentHeader:
    """Return what a `PmtInf` says of its transactions (rows 6 to 8, 15 to 20, 23)."""
    taken, node = TextTracker(), part.node
    # a day in .03, a choice of Dt and DtTm from .08 on (row 8)
    day = taken.text(node, "ReqdExctnDt") or taken.text(node, "ReqdExctnDt", "Dt")
    day = day or taken.text(node, "ReqdExctnDt", "DtTm")
    kind = node.first("PmtTpInf")
    return PaymentHeader(
        info_id=taken.text(node, "PmtInfId"),
        method=taken.text(node, "PmtMtd"),
        # a zone or a time may follow the day
        day=parse_day(day[:10]),
        count=taken.text(node, "NbOfTxs"),
        total=taken.text(node, "CtrlSum"),
        asset=taken.text(kind, "LclInstrm", "Prtry"),
        purpose=taken.text(kind, "CtgyPurp", "Cd"),
        charges=taken.text(node, "ChrgBr"),
        debtor=parties.parse_party(
            taken,
            node.first("Dbtr"),
            side="debtor",
            accounts=parties.parse_account(taken, node.first("DbtrAcct"), in_name=in_name),
            institution=parties.parse_agent(taken, node.first("DbtrAgt")),
        ),
        ultimate=parties.parse_party(taken, node.first("UltmtDbtr"), side="ultimate debtor"),
        unmapped=taken.unmapped(node, PAYMENT),
    )
