"""Parties, accounts and agents of a message, as the native instruction has them. Pure.

Rows 15 to 27 of the mapping table (docs/pain001.md).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from apps.compliance.payees.wallets import BadWallet, parse_wallet
from apps.payments.chain.burn_addresses import BURN_ADDRESS_MESSAGE, is_burn_address
from apps.payments.payments.instructions import Address, Agent, Party, Person, PersonalNumber
from apps.payments.payments.pain001.rules import NO_REFERENCE, PartyFacts
from apps.payments.payments.pain001.tree import Node
from apps.platform.api.shapes import COUNTRIES
from apps.platform.common.days import parse_day
from apps.platform.common.hidden_characters import find_hidden_character
from apps.platform.common.lei import is_valid_lei

WALLET, E_WALLET = "WALLET", "EWAL"
WALLET_NAME_PREFIX = "WALLET:"
TWO_WALLETS = "Two wallets are given, one in Prxy/Id and one in Id/Othr/Id: give only one."
LEI_SCHEMES = ("LEI", "LEIX")
# ISO 20022's codes of what a person is identified by, in those of IVMS 101
PERSONAL_NUMBER_TYPES = {
    "CCPT": "CCPT", "DRLC": "DRLC", "ARNU": "ARNU", "TXID": "TXID", "SOSE": "SOCS", "NIDN": "IDCD",
}  # fmt: skip
ADDRESS_TAGS = {
    "street_name": "StrtNm",
    "building_number": "BldgNb",
    "building_name": "BldgNm",
    "floor": "Flr",
    "post_box": "PstBx",
    "room": "Room",
    "post_code": "PstCd",
    "town_name": "TwnNm",
    "town_location_name": "TwnLctnNm",
    "district_name": "DstrctNm",
    "country_sub_division": "CtrySubDvsn",
    "country": "Ctry",
}


class TextTracker:
    """Reads texts of a tree and remembers which: the rest is reported as unmapped."""

    def __init__(self) -> None:
        # by identity: nodes live as long as the part that is mapped
        self._seen: set[int] = set()

    def text(self, node: Node | None, *path: str) -> str:
        """Return the text at a path, "" where there is none."""
        first_node = node.first(*path) if node is not None else None
        if first_node is None:
            return ""
        self._seen.add(id(first_node))
        return first_node.text

    def texts(self, node: Node | None, tag: str) -> list[str]:
        """Return the texts of all elements of a tag directly below."""
        nodes = node.all(tag) if node is not None else []
        self._seen.update(id(text_node) for text_node in nodes)
        return [item.text for item in nodes if item.text]

    def unmapped(self, node: Node, path: str) -> tuple[str, ...]:
        """Return the paths of unread texts, each once, in their order."""
        rest = (where for where, leaf in node.leaves(path) if id(leaf) not in self._seen)
        return tuple(dict.fromkeys(rest))


@dataclass(frozen=True, slots=True)
class ParsedAccount:
    """An account: its wallet, what is wrong with that, and other numbers."""

    wallet: str = ""
    fault: str = ""
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedParty:
    """A party with what the rules look at."""

    party: Party
    facts: PartyFacts


NO_PARTY = ParsedParty(Party(), PartyFacts())


def parse_account(taken: TextTracker, node: Node | None, *, in_name: bool) -> ParsedAccount:
    """Return an account; `in_name` takes a wallet from its name too (row 26)."""
    if node is None:
        return ParsedAccount()
    numbers = [taken.text(node, "Id", "IBAN")]
    wallet = _parse_proxy_wallet(taken, node)
    other, scheme = node.first("Id", "Othr"), ""
    if other is not None:
        scheme = other.value("SchmeNm", "Prtry").upper()
        number = taken.text(other, "Id")
        if scheme == WALLET:
            taken.text(other, "SchmeNm", "Prtry")
            # beside a Prxy, .09 requires an Id, for which NOTPROVIDED is written (row 24)
            second = number if number.upper() != NO_REFERENCE else ""
            if wallet and second and not _is_same_wallet(wallet, second):
                return ParsedAccount(
                    wallet,
                    TWO_WALLETS,
                    tuple(given_number for given_number in numbers if given_number),
                )
            wallet = wallet or second
        elif number.upper() != NO_REFERENCE:
            numbers.append(number)
    # row 26: only .03 and .08, and only where the client's profile says so
    if not wallet and in_name and node.value("Nm").startswith(WALLET_NAME_PREFIX):
        wallet = taken.text(node, "Nm").removeprefix(WALLET_NAME_PREFIX).strip()
    return _validate_wallet(wallet, tuple(given_number for given_number in numbers if given_number))


def _parse_proxy_wallet(text_tracker: TextTracker, node: Node) -> str:
    """Return the wallet in the account's proxy (row 24), which holds only wallets."""
    proxy = node.first("Prxy")
    if proxy is None:
        return ""
    # an e-mail address or a phone number is a proxy too, and no wallet
    kind = proxy.value("Tp", "Prtry").upper() == WALLET or proxy.value("Tp", "Cd") == E_WALLET
    if not kind:
        return ""
    text_tracker.text(proxy, "Tp", "Prtry")
    text_tracker.text(proxy, "Tp", "Cd")
    return text_tracker.text(proxy, "Id")


def _is_same_wallet(wallet: str, other: str) -> bool:
    """Tell whether two texts are one wallet, however each is spelt."""
    try:
        return parse_wallet(wallet).address == parse_wallet(other).address
    except BadWallet:
        return wallet == other


def _validate_wallet(wallet: str, numbers: tuple[str, ...]) -> ParsedAccount:
    if not wallet:
        return ParsedAccount(numbers=numbers)
    try:
        address = parse_wallet(wallet).address
    except BadWallet as error:
        return ParsedAccount(wallet, str(error), numbers)
    return ParsedAccount(address, BURN_ADDRESS_MESSAGE if is_burn_address(address) else "", numbers)


def parse_agent(taken: TextTracker, node: Node | None) -> tuple[Agent | None, str]:
    """Return a financial institution and what is wrong with its LEI (row 23)."""
    inner = node.first("FinInstnId") if node is not None else None
    if inner is None:
        return None, ""
    # a debtor agent is mandatory in pain.001: who has none writes NOTPROVIDED
    if inner.value("Othr", "Id").upper() == NO_REFERENCE:
        taken.text(inner, "Othr", "Id")
    lei = taken.text(inner, "LEI")
    bic = taken.text(inner, "BICFI") or taken.text(inner, "BIC")
    agent = Agent(name=taken.text(inner, "Nm"), lei=lei, bic=bic)
    fault = "" if not lei or is_valid_lei(lei) else _lei_fault("the agent")
    return (agent if agent != Agent() else None), fault


def parse_party(
    taken: TextTracker,
    node: Node | None,
    *,
    side: str,
    accounts: ParsedAccount | None = None,
    institution: tuple[Agent | None, str] = (None, ""),
) -> ParsedParty:
    """Return a party with its account and institution; `side` names it in sentences."""
    if node is None and accounts is None and institution == (None, ""):
        return NO_PARTY
    parsed_account = accounts or ParsedAccount()
    lei = _parse_lei(taken, node)
    name = taken.text(node, "Nm")
    inner = node.first("PstlAdr") if node is not None else None
    if inner is None:
        where = None
    else:
        fields = {name: taken.text(inner, tag) for name, tag in ADDRESS_TAGS.items()}
        address = Address(**fields, address_lines=tuple(taken.texts(inner, "AdrLine")))
        where = address if address != Address() else None
    # the country of residence is stated of the party itself; an address may be elsewhere
    country = taken.text(node, "CtryOfRes") or (where.country if where else "")
    party = Party(
        name=name,
        lei=lei,
        wallet=parsed_account.wallet,
        country=country,
        accounts=parsed_account.numbers,
        address=where,
        agent=institution[0],
        person=_parse_person(taken, node),
    )
    codes = {country, where.country if where else ""} - {""}
    country_fault = (
        "" if codes <= COUNTRIES else f"A country of the {side} is not an ISO 3166-1 alpha-2 code."
    )
    facts = PartyFacts(
        name=name,
        there=node is not None and not node.empty,
        hidden=find_hidden_character(name),
        country_fault=country_fault,
        lei_fault="" if not lei or is_valid_lei(lei) else _lei_fault(f"the {side}"),
        wallet=parsed_account.wallet,
        wallet_fault=parsed_account.fault,
        agent_fault=institution[1],
    )
    return ParsedParty(party, facts)


def _lei_fault(whose: str) -> str:
    return f"The check digits of the LEI of {whose} are wrong (ISO 17442)."


def _parse_lei(text_tracker: TextTracker, node: Node | None) -> str:
    """Return an LEI from its own element, or from another id that is called so (.03)."""
    organisation = node.first("Id", "OrgId") if node is not None else None
    if organisation is None:
        return ""
    if own := text_tracker.text(organisation, "LEI"):
        return own
    for other in organisation.all("Othr"):
        named = other.value("SchmeNm", "Prtry") or other.value("SchmeNm", "Cd")
        if named.upper() in LEI_SCHEMES:
            text_tracker.text(other, "SchmeNm", "Prtry")
            text_tracker.text(other, "SchmeNm", "Cd")
            return text_tracker.text(other, "Id").upper()
    return ""


def _parse_person(text_tracker: TextTracker, node: Node | None) -> Person | None:
    """Return birth and national identification of a person (row 19), if given."""
    private = node.first("Id", "PrvtId") if node is not None else None
    if private is None:
        return None
    birth = private.first("DtAndPlcOfBirth")
    born = text_tracker.text(birth, "BirthDt")[:10]  # a zone may follow the day
    person = Person(
        birth_date=born if parse_day(born) else "",
        birth_city=text_tracker.text(birth, "CityOfBirth"),
        birth_country=text_tracker.text(birth, "CtryOfBirth"),
        numbers=tuple(_parse_personal_numbers(text_tracker, private)),
    )
    return person if person != Person() else None


def _parse_personal_numbers(text_tracker: TextTracker, private: Node) -> Iterator[PersonalNumber]:
    for other in private.all("Othr"):
        if (code := other.value("SchmeNm", "Cd")) in PERSONAL_NUMBER_TYPES:
            text_tracker.text(other, "SchmeNm", "Cd")
            issuer = text_tracker.text(other, "Issr")
            yield PersonalNumber(
                PERSONAL_NUMBER_TYPES[code], text_tracker.text(other, "Id"), issuer
            )
