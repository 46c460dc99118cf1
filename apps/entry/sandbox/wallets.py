"""Registered wallets in each state, changes of entity, payee checks and an import, as seeded.

Done by the actions that the API and the desk use, so that each has its events, cases and records.
"""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from apps.compliance.payees.imports import services, tasks
from apps.compliance.payees.models import Registration
from apps.compliance.payees.registration_requests import (
    DESK,
    RegistrationActor,
    build_registration_request,
)
from apps.compliance.payees.rules.submission_steps import COOLING_OFF
from apps.compliance.payees.selectors.registration_checks import gather_registration
from apps.compliance.payees.services import entity_changes, ownership_proof
from apps.compliance.payees.services.deactivation import deactivate_registration
from apps.compliance.payees.services.registrations import submit_registration
from apps.compliance.payees.vop.selectors import build_payee_check_request, gather_payee_check
from apps.compliance.payees.vop.services import conclude_payee_check
from apps.compliance.payees.wallets import parse_wallet
from apps.entry.sandbox.stories import DAY, HOUR, SeedWork
from apps.platform.api.callers import Caller
from apps.platform.common.problems import DomainError

MINUTE = timedelta(minutes=1)


def make_wallet(number: int) -> tuple[str, bytes]:
    """Return the address of a made-up wallet, and its key: anybody can compute both."""
    # slow to import, and only needed for seeding
    from eth_account import Account

    key = hashlib.sha256(f"sandbox wallet {number}".encode()).digest()
    return parse_wallet(Account.from_key(key).address).address, key


@dataclass(frozen=True, slots=True)
class WalletEntity:
    """A registered entity: its wallet's number, how many days ago, and what happened then."""

    number: int
    ago: int
    name: str
    country: str
    lei: str = ""
    aliases: list[str] = field(default_factory=list)
    proved: bool = False
    ended: str = ""


ENTITIES = (
    WalletEntity(
        1, 28, "Bloomberg Finance L.P.", "US", "5493001KJTIIGC8Y1R12", ["Bloomberg"], True
    ),
    WalletEntity(2, 27, "Microsoft Corporation", "US", "INR2EJN1ERAN0W5ZP974"),
    WalletEntity(3, 26, "PUMA SE", "DE", "529900GRZ2BQY5ZM9N49", ["PUMA"], True),
    WalletEntity(4, 25, "Haverlund Marine Parts AB", "SE", "", ["Haverlund Marine"]),
    WalletEntity(5, 24, "Blue Heron Stationery Limited", "GB", "", ["Blue Heron"], True),
    WalletEntity(6, 20, "Northwind Traders International GmbH", "DE"),
    # an LEI of another name at GLEIF, one that lapsed, and one of the same entity renamed
    WalletEntity(7, 6, "Frankfurt Airport Retail GmbH", "DE", "5299001ERX0K10IZUL40"),
    WalletEntity(8, 8, "UK EQUITY FUND (OFFSHORE)", "IE", "549300LBI3LRIZ2V8V66"),
    WalletEntity(9, 4, "Nordic LEI Services", "SE", "549300O897ZC5H7CY412"),
    WalletEntity(
        10, 22, "Old Harbour Freight Ltd", "GB", ended="The client left us; its wallet is closed."
    ),
)
# payee checks: wallet, name as a payer writes it, LEI
CHECKS = (
    (1, "Bloomberg Finance L.P.", "5493001KJTIIGC8Y1R12"),
    (1, "Bloomberg Finance LP", ""),
    (3, "Puma", ""),
    (3, "PUMA SE", "INR2EJN1ERAN0W5ZP974"),
    (5, "Blue Heron Stationery Ltd.", ""),
    (5, "Blue Heron Stationary", ""),
    (5, "Heron Stationery Supplies", ""),
    (5, "Harbour Lights Catering", ""),
    (6, "Northwind Traders", ""),
    (6, "Northwind Trading Company", ""),
    (8, "UK EQUITY FUND (OFFSHORE)", "549300LBI3LRIZ2V8V66"),
    (99, "Cedar and Sons", ""),
)
# lines of two import files: wallet, legal name, country, LEI, aliases. Among them are a wallet
# twice, wallets that are registered already, and an unknown country.
IMPORTED = (
    (20, "Apple Inc.", "US", "HWUPKR0MPOU8FGXBT394", "Apple"),
    (21, "SHELL PLC", "GB", "21380068P1DRHMJ8KU70", ""),
    (22, "Commerzbank AG", "DE", "851WYGNLUQLFZBSYGB56", "Commerzbank|Coba"),
    (23, "Ottilie Brackwell Interiors Ltd", "GB", "", ""),
    (2, "Microsoft Corporation", "US", "INR2EJN1ERAN0W5ZP974", ""),
    (6, "Aldermoor Freight GmbH", "DE", "", ""),
    (24, "NFA INTERNATIONAL", "IN", "335800CCCPHKUOXPC332", ""),
    (20, "Apple Inc.", "US", "", ""),
    (25, "Sundries & Co", "XX", "", ""),
)
WAITING = (
    (30, "Apple Energy LLC", "US", "549300YX4S1LLSMK2627", ""),
    (31, "Fraport Malta Services", "MT", "529900YR7EORVQ2U3353", ""),
    (4, "Haverlund Marine Group AB", "SE", "", "Haverlund Yard"),
    (32, "Aldermoor Freight GmbH", "DE", "", ""),
)


def plan_wallets(work: SeedWork) -> None:
    """Plan the steps of the sample wallets, each before `work.now`."""
    rita = User.objects.filter(username="rita", is_staff=True).first()
    if rita is None:
        return
    for entity in ENTITIES:
        work.at(work.now - entity.ago * DAY, partial(_register_wallet, work, rita, entity))
    work.at(
        work.now - 2 * COOLING_OFF, partial(_propose_entity_change, work, rita, 4, "approved", "")
    )
    work.at(work.now - DAY, partial(_propose_entity_change, work, rita, 5, "approved", ""))
    work.at(work.now - 3 * HOUR, partial(_propose_entity_change, work, rita, 6, "", ""))
    for place, check in enumerate(CHECKS):
        work.at(work.now - 3 * DAY - place * 5 * HOUR, partial(_check_payee, work, *check))
    work.at(work.now - 2 * DAY, partial(_import_wallets, work, rita, IMPORTED, True))
    work.at(work.now - HOUR, partial(_import_wallets, work, rita, WAITING, False))


def _register_wallet(work: SeedWork, rita: User, entity: WalletEntity, moment: datetime) -> None:
    address, key = make_wallet(entity.number)
    registration_request = build_registration_request(
        wallet_address=address,
        legal_name=entity.name,
        country=entity.country,
        lei=entity.lei,
        aliases=entity.aliases,
    )
    who = RegistrationActor(DESK, rita)
    try:
        gathered = gather_registration(asked=registration_request, now=moment)
    except DomainError:  # the bundled sample was replaced by another file
        work.made["left out"] += 1
        return
    with transaction.atomic():
        submission_result = submit_registration(
            asked=registration_request, gathered=gathered, who=who, now=moment
        )
    work.made["wallets"] += 1
    if entity.proved and submission_result.registration is not None:
        work.at(moment + HOUR, partial(_prove_wallet, submission_result.registration, key, rita))
    if entity.ended:
        work.at(moment + 9 * DAY, partial(_deactivate_wallet, address, who, entity.ended))


def _deactivate_wallet(wallet: str, who: RegistrationActor, reason: str, moment: datetime) -> None:
    deactivate_registration(wallet=wallet, who=who, now=moment, reason=reason)


def _prove_wallet(row: Registration, key: bytes, rita: User, moment: datetime) -> None:
    """Sign as the holder of the wallet would."""
    from eth_account import Account
    from eth_account.messages import encode_defunct

    message = ownership_proof.build_ownership_challenge(registration=row, now=moment)
    signed = Account.from_key(key).sign_message(encode_defunct(text=message))
    signature = f"0x{signed.signature.hex().removeprefix('0x')}"
    ownership_proof.record_ownership_proof(
        registration=row, signature=signature, by=rita, now=moment + 20 * MINUTE
    )


# by wallet: the entity that a change proposes
OTHERS = {
    4: ("Haverlund Marine Group AB", "SE"),
    5: ("Grey Heron Paper Limited", "GB"),
    6: ("Northwind Logistics SE", "DE"),
}


def _propose_entity_change(
    work: SeedWork, rita: User, number: int, state: str, lei: str, moment: datetime
) -> None:
    """Propose another entity; an approved one counts once its cooling-off has passed."""
    row = Registration.objects.of(make_wallet(number)[0])
    if row is None:
        return
    name, country = OTHERS[number]
    change = entity_changes.propose_entity_change(
        registration=row, legal_name=name, country=country, lei=lei, by=rita, now=moment,
        reason="The business was sold; the purchase contract was seen.",
    )  # fmt: skip
    work.made["changes proposed"] += 1
    if state == "approved":
        approved = moment + HOUR
        entity_changes.approve_entity_change(change=change, by=work.staff["sofia"], now=approved)
        work.at(approved + COOLING_OFF, partial(entity_changes.apply_entity_change, str(change.pk)))


def _check_payee(work: SeedWork, number: int, name: str, lei: str, moment: datetime) -> None:
    address, _ = make_wallet(number)
    check_request = build_payee_check_request(
        wallet_address=address, submitted_name=name, submitted_lei=lei
    )
    gathered = gather_payee_check(asked=check_request, now=moment)
    with transaction.atomic():
        caller = Caller(work.tenants[number % len(work.tenants)], "SUBSCRIPTION")
        conclude_payee_check(asked=check_request, gathered=gathered, caller=caller, now=moment)
    work.made["payee checks"] += 1


def _import_wallets(
    work: SeedWork, rita: User, lines: tuple[Any, ...], started: bool, moment: datetime
) -> None:
    """Import a file: one that is done, and one that waits for its start."""
    rows = "".join(
        f'{make_wallet(number)[0]},"{name}",{country},{lei},{aliases}\r\n'
        for number, name, country, lei, aliases in lines
    )
    content = f"walletAddress,legalName,country,lei,aliases\r\n{rows}".encode()
    name = f"suppliers-{moment:%Y-%m-%d}.csv"
    batch, new = services.upload_wallet_file(content=content, name=name, by=rita, now=moment)
    while new and not tasks.check_next_lines(batch, now=moment + MINUTE):
        pass
    if new and started:
        services.start_import(batch=batch, by=rita, now=moment + HOUR)
        tasks.run_next_lines(batch, now=moment + HOUR)
    work.made["imports"] += new
