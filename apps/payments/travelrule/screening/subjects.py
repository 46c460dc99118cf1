"""Parties named in a counterparty's message, as requests to the combined screen."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import zip_longest
from typing import Any

from django.conf import settings

from apps.compliance.screening.combined.requests import ScreenRequest
from apps.compliance.screening.rules.party_location import parse_place
from apps.compliance.screening.serializers.party import LEAST_LENGTH, MOST_ALIASES, OLDEST
from apps.payments.payments.instructions import LONGEST_ACCOUNT
from apps.payments.payments.payment_checks import IDENTIFIER_KINDS
from apps.payments.travelrule.ivms.text import replace_unsafe_characters
from apps.payments.travelrule.message_readers import format_address, names_of
from apps.payments.travelrule.party_index import split_words
from apps.payments.travelrule.rules.screening_limits import (
    MAX_ADDRESS_LENGTH,
    MAX_NAME_LENGTH,
    MAX_PARTIES,
)
from apps.platform.api.shapes import COUNTRIES
from apps.reference.watchlists.listed_entity import Identifier

# whose screen it is (`side` of the evidence), in words
SIDE_LABELS = {
    "originator": "Originator",
    "beneficiary": "Beneficiary",
    "originating_vasp": "VASP of the originator",
    "beneficiary_vasp": "VASP of the beneficiary",
    "intermediary_vasp": "Intermediary VASP",
}
WALLET_KIND = "wallet"
Person = Mapping[str, Any]
LeftOut = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ScreeningSubject:
    """One party of a message: its side, its request to the screen, and one for each other place.

    `left_out` is what is not screened of it, as label and value.
    """

    side: str
    asked: ScreenRequest
    places: tuple[ScreenRequest, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class ScreeningSubjects:
    """The parties to screen; `left_out` is what is not screened, as label and value."""

    parties: tuple[ScreeningSubject, ...]
    left_out: tuple[LeftOut, ...] = ()


def list_subjects(message: Mapping[str, Any]) -> ScreeningSubjects:
    """Return the parties of a canonical message: both sides, and the VASPs except the operator.

    No amount is given: the screen judges their identity and country.
    """
    # The sides take turns, so that a sender cannot fill the limit of parties with one side and hide
    # a listed party on the other. Names beyond those that one screen compares come after the first
    # screens of all parties.
    turns = [party for turn in zip_longest(*_list_sides(message)) for party in turn if party]
    screens = [party[0] for party in turns] + [more for party in turns for more in party[1:]]
    subjects = tuple(
        {(screen.side, screen.asked, screen.places): screen for screen in screens}.values()
    )
    left = [row for subject in subjects[:MAX_PARTIES] for row in subject.left_out]
    left += [row for subject in subjects[MAX_PARTIES:] for row in _list_unscreened(subject)]
    return ScreeningSubjects(subjects[:MAX_PARTIES], tuple(dict.fromkeys(left)))


def _list_unscreened(screening_subject: ScreeningSubject) -> Iterator[LeftOut]:
    label = f"{SIDE_LABELS[screening_subject.side]}, not screened"
    yield label, "; ".join((screening_subject.asked.name, *screening_subject.asked.aliases))
    accounts = [
        identifier.value
        for identifier in screening_subject.asked.identifiers
        if identifier.kind == WALLET_KIND
    ]
    accounts += (
        [screening_subject.asked.wallet_address] if screening_subject.asked.wallet_address else []
    )
    yield from (
        (f"Account, not screened ({screening_subject.asked.name})", account) for account in accounts
    )


def _list_sides(message: Mapping[str, Any]) -> Iterator[list[tuple[ScreeningSubject, ...]]]:
    """Yield the parties of each side, each as the screens that it takes."""
    for side in ("originator", "beneficiary"):
        side_fields = message.get(side, {})
        accounts = list(side_fields.get("accountNumber", ()))
        persons = [
            person for person in side_fields.get(f"{side}Persons", ()) if any(names_of(person))
        ]
        if not persons and accounts:  # a wallet may be listed even if no party is named for it
            persons = [{"legalPerson": {"name": {"nameIdentifier": [
                {"legalPersonName": accounts[0]}]}}}]  # fmt: skip
        yield [
            # the accounts of a side are screened once, with its first person
            tuple(_build_party_subjects(side, person, () if number else accounts))
            for number, person in enumerate(persons)
        ]
    for role in ("originating", "beneficiary"):
        yield _build_vasp_subjects(
            f"{role}_vasp", message.get(f"{role}VASP", {}).get(f"{role}VASP", {})
        )
    for step in message.get("transferPath", {}).get("transferPath", ()):
        yield _build_vasp_subjects("intermediary_vasp", step.get("intermediaryVASP", {}))


def _build_vasp_subjects(side: str, person: Person) -> list[tuple[ScreeningSubject, ...]]:
    """Return a VASP to be screened; none if its only name is the operator's."""
    names = {tuple(split_words(name)) for name in names_of(person)}
    if not names - {tuple(split_words(settings.OPERATOR_NAME))}:
        return []
    return [tuple(_build_party_subjects(side, person, ()))]


def _build_party_subjects(
    side: str, person: Person, of_side: Sequence[str]
) -> Iterator[ScreeningSubject]:
    """Yield the screens of one party: the first has everything but the names that do not fit."""
    natural, legal = person.get("naturalPerson", {}), person.get("legalPerson", {})
    identity = natural or legal
    person_names = list(
        dict.fromkeys(replace_unsafe_characters(person_name) for person_name in names_of(person))
    )
    name, *others = dict.fromkeys(person_name[:MAX_NAME_LENGTH] for person_name in person_names)
    long = [
        ("Name, compared in part", person_name)
        for person_name in person_names
        if len(person_name) > MAX_NAME_LENGTH
    ]
    accounts = list(dict.fromkeys([*of_side, *person.get("accountNumber", ())]))
    long += [
        ("Account, compared in part", account)
        for account in accounts
        if len(account) > LONGEST_ACCOUNT
    ]
    wallets = list(
        dict.fromkeys(replace_unsafe_characters(account[:LONGEST_ACCOUNT]) for account in accounts)
    )
    addresses = [
        replace_unsafe_characters(format_address(address))
        for address in identity.get("geographicAddress", ())
    ]
    compared, rest = _split_addresses(addresses)
    known = identity.get("nationalIdentification", {})
    number = replace_unsafe_characters(str(known.get("nationalIdentifier", "")))
    kind = known.get("nationalIdentifierType", "")
    bare = ScreenRequest(
        name=name,
        source_given=False,
        payment_type=None if natural else "vendor_payment",
        individual=bool(natural),
        lei=number if kind == "LEIX" and len(number) == 20 else "",
        birth_date=_parse_birth_date(natural),
        identifiers=_build_identifiers(kind, number, known.get("countryOfIssue", "")),
    )
    countries = _find_countries(identity)
    screen_request = replace(
        bare,
        aliases=tuple(others[:MOST_ALIASES]),
        country=next(iter(countries), ""),
        # a wallet may be listed regardless of the party named for it
        wallet_address=next(iter(wallets), ""),
        identifiers=bare.identifiers
        + tuple(Identifier(WALLET_KIND, wallet) for wallet in wallets[1:]),
        address="; ".join(compared),
    )
    places = [replace(screen_request, country=country) for country in countries[1:]]
    places += [
        replace(screen_request, address=place)
        for place in _list_places(identity, addresses, compared)
    ]
    long += [("Address, not compared", address) for address in rest]
    yield ScreeningSubject(side, screen_request, tuple(places), tuple(long))
    for at in range(MOST_ALIASES, len(others), MOST_ALIASES):
        yield ScreeningSubject(side, replace(bare, aliases=tuple(others[at : at + MOST_ALIASES])))


def _find_countries(person: Person) -> list[str]:
    """Return a person's country of residence or registration, else the countries of addresses."""
    stated = [person.get("countryOfResidence"), person.get("countryOfRegistration")]
    known = [str(code) for code in dict.fromkeys(stated) if code in COUNTRIES]
    addresses = (
        geographic_address.get("country")
        for geographic_address in person.get("geographicAddress", ())
    )
    return known or [str(address) for address in dict.fromkeys(addresses) if address in COUNTRIES]


def _split_addresses(addresses: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the addresses that are compared with listed ones, and those that do not fit."""
    compared: list[str] = []
    rest: list[str] = []
    for address in dict.fromkeys(addresses):
        fits = len("; ".join([*compared, address])) <= MAX_ADDRESS_LENGTH
        (compared if fits else rest).append(address)
    return compared, rest


def _list_places(person: Person, addresses: Sequence[str], compared: Sequence[str]) -> list[str]:
    """Return the addresses, and countries of addresses, that are judged separately."""
    person_places = []
    for address, text in zip(person.get("geographicAddress", ()), addresses, strict=True):
        # the end of an address says where it is
        short = text[-MAX_ADDRESS_LENGTH:]
        person_places.append(short)
        country = str(address.get("country", ""))
        # the country is a field of its own: where the other words lead elsewhere, as the name of a
        # state may, it is judged alone as well
        if country in COUNTRIES and parse_place(short, regions=()).country != country:
            person_places.append(country)
    # of the joined addresses, the screen itself judges the last one
    judged = compared[-1:]
    return [place for place in dict.fromkeys(person_places) if place not in judged]


def _parse_birth_date(natural: Person) -> str:
    date_of_birth = str(natural.get("dateAndPlaceOfBirth", {}).get("dateOfBirth", ""))
    try:
        return date_of_birth if date.fromisoformat(date_of_birth).year >= OLDEST else ""
    except ValueError:
        return ""


def _build_identifiers(kind: str, number: str, country: str) -> tuple[Identifier, ...]:
    """Return the number that distinguishes a party from namesakes; none if it is too short."""
    # the LEI has a field of its own in the request
    if kind == "LEIX" or sum(sign.isalnum() for sign in number) < LEAST_LENGTH:
        return ()
    issuer = country if country in COUNTRIES else ""
    return (
        Identifier(kind=IDENTIFIER_KINDS.get(kind, "other"), value=number[:128], country=issuer),
    )
