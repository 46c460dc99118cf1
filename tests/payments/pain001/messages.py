"""Small messages of pain.001, built from the published structure; the twin of each in JSON."""

import re
from typing import Any

from lxml import etree

WALLET = "0x52908400098527886E0F7030069857D2E4169EE7"
LEI = "INR2EJN1ERAN0W5ZP974"
NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:"
DAY = "2026-11-25"
NONE = "<Othr><Id>NOTPROVIDED</Id></Othr>"
REPEATED = ("PmtInf", "CdtTrfTxInf", "Ustrd", "AdrLine", "Strd", "SvcLvl")


def wallet(number: int) -> str:
    """Another wallet for each number."""
    return f"0x{10**38 + number:040x}"


def account(address: str = WALLET) -> str:
    """An account that is a wallet (row 24)."""
    return f"<Id>{NONE}</Id><Prxy><Tp><Prtry>WALLET</Prtry></Tp><Id>{address}</Id></Prxy>"


def transaction(number: int = 1, **parts: str) -> str:
    """One transaction; `parts` replace what it says."""
    said = {
        "ids": f"<EndToEndId>E2E-{number}</EndToEndId>",
        "before": "",
        "amount": '<InstdAmt Ccy="USD">250.00</InstdAmt>',
        "mid": "",
        "agent": "",
        "creditor": "<Nm>Blue Heron Stationery Limited</Nm>",
        "account": account(wallet(number)),
        "after": "",
    } | parts
    creditor = f"<Cdtr>{said['creditor']}</Cdtr>" if said["creditor"] else ""
    held = f"<CdtrAcct>{said['account']}</CdtrAcct>" if said["account"] else ""
    return (
        f"<CdtTrfTxInf><PmtId>{said['ids']}</PmtId>{said['before']}<Amt>{said['amount']}</Amt>"
        f"{said['mid']}{said['agent']}{creditor}{held}{said['after']}</CdtTrfTxInf>"
    )


def message(*transactions: str, version: str = "09", **parts: Any) -> str:
    """A message; `parts` replace what it says of itself and of its debtor."""
    found = transactions or (transaction(),)
    day = DAY if version == "03" else f"<Dt>{DAY}</Dt>"
    amounts = [re.search(r">([0-9.]+)</(?:InstdAmt|Amt)>", one) for one in found]
    total = sum(int(float(amount.group(1)) * 100) for amount in amounts if amount)
    said: dict[str, Any] = {
        "namespace": f"{NAMESPACE}pain.001.001.{version}",
        "id": "MSG-1",
        "count": len(found),
        "sum": f"<CtrlSum>{total / 100:.2f}</CtrlSum>",
        "initiator": "<Nm>Alder Treasury</Nm>",
        "method": "TRF",
        "totals": "",
        "kind": "",
        "day": day,
        "debtor": f"<Nm>Microsoft Corporation</Nm><Id><OrgId><LEI>{LEI}</LEI></OrgId></Id>"
        if version not in ("03", "08")
        else "<Nm>Microsoft Corporation</Nm>",
        "from": f"<Id>{NONE}</Id>",
        "ultimate": "",
        "prolog": '<?xml version="1.0" encoding="UTF-8"?>\n',
    } | parts
    return (
        f'{said["prolog"]}<Document xmlns="{said["namespace"]}"><CstmrCdtTrfInitn>\n'
        f"<GrpHdr><MsgId>{said['id']}</MsgId><CreDtTm>2026-11-20T09:30:00</CreDtTm>"
        f"<NbOfTxs>{said['count']}</NbOfTxs>{said['sum']}"
        f"<InitgPty>{said['initiator']}</InitgPty></GrpHdr>\n"
        f"<PmtInf><PmtInfId>PMT-1</PmtInfId><PmtMtd>{said['method']}</PmtMtd>{said['totals']}"
        f"{said['kind']}<ReqdExctnDt>{said['day']}</ReqdExctnDt>\n"
        f"<Dbtr>{said['debtor']}</Dbtr><DbtrAcct>{said['from']}</DbtrAcct>"
        f"<DbtrAgt><FinInstnId>{NONE}</FinInstnId></DbtrAgt>"
        f"{said['ultimate']}\n" + "\n".join(found) + "\n</PmtInf></CstmrCdtTrfInitn></Document>"
    )


def twin(xml: str | bytes) -> dict[str, Any]:
    """The ISO JSON twin of a message, by the rules of the Registration Authority."""
    root = etree.fromstring(xml.encode() if isinstance(xml, str) else xml)
    return {"Document": _said(root)}


def _said(element: Any) -> Any:
    if not len(element):
        text = element.text or ""
        return {"amt": text, **element.attrib} if element.attrib else text
    found: dict[str, Any] = {}
    for kid in element:
        name = etree.QName(kid).localname
        if name in REPEATED or name in found:
            held = found.setdefault(name, [])
            found[name] = [*(held if isinstance(held, list) else [held]), _said(kid)]
        else:
            found[name] = _said(kid)
    return found
