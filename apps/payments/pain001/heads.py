"""Maps what a message says of itself and of all transactions of a `PmtInf`. Pure.

Rows 1 to 8 and 15 to 20 of the mapping table (docs/pain001.md); what stands in no row of it is
told as unmapped.
"""

from dataclasses import dataclass
from datetime import date

from apps.core.written import day_from
from apps.payments.pain001 import parties
from apps.payments.pain001.parties import Read, Taken
from apps.payments.pain001.parts import GROUP, PAYMENT, Part


@dataclass(frozen=True, slots=True)
class Group:
    """What the group header says; `initiators` are the ids of the initiating party."""

    message_id: str
    created: str
    count: str
    total: str
    initiator: str
    initiators: frozenset[str]
    unmapped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """What a `PmtInf` says of all its transactions."""

    info_id: str
    method: str
    day: date | None
    count: str
    total: str
    asset: str
    purpose: str
    charges: str
    debtor: Read
    ultimate: Read
    unmapped: tuple[str, ...]


def group_of(part: Part) -> Group:
    """Return the group header (rows 1 to 5)."""
    taken, node = Taken(), part.node
    party = node.first("InitgPty")
    organisation = party.first("Id", "OrgId") if party else None
    ids = [taken.text(organisation, "LEI")]
    for other in organisation.all("Othr") if organisation else []:
        ids.append(taken.text(other, "Id"))
        taken.text(other, "SchmeNm", "Prtry")
        taken.text(other, "SchmeNm", "Cd")
    return Group(
        message_id=taken.text(node, "MsgId"),
        created=taken.text(node, "CreDtTm"),
        count=taken.text(node, "NbOfTxs"),
        total=taken.text(node, "CtrlSum"),
        initiator=taken.text(party, "Nm"),
        initiators=frozenset(one.upper() for one in ids if one),
        unmapped=taken.unmapped(node, GROUP),
    )


def head_of(part: Part, *, in_name: bool) -> Head:
    """Return what a `PmtInf` says of its transactions (rows 6 to 8, 15 to 20, 23)."""
    taken, node = Taken(), part.node
    day = taken.text(node, "ReqdExctnDt") or taken.text(node, "ReqdExctnDt", "Dt")
    day = day or taken.text(node, "ReqdExctnDt", "DtTm")
    kind = node.first("PmtTpInf")
    return Head(
        info_id=taken.text(node, "PmtInfId"),
        method=taken.text(node, "PmtMtd"),
        day=day_from(day[:10]),
        count=taken.text(node, "NbOfTxs"),
        total=taken.text(node, "CtrlSum"),
        asset=taken.text(kind, "LclInstrm", "Prtry"),
        purpose=taken.text(kind, "CtgyPurp", "Cd"),
        charges=taken.text(node, "ChrgBr"),
        debtor=parties.party(
            taken,
            node.first("Dbtr"),
            side="debtor",
            accounts=parties.account(taken, node.first("DbtrAcct"), in_name=in_name),
            institution=parties.agent(taken, node.first("DbtrAgt")),
        ),
        ultimate=parties.party(taken, node.first("UltmtDbtr"), side="ultimate debtor"),
        unmapped=taken.unmapped(node, PAYMENT),
    )
