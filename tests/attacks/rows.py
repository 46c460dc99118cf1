"""Whoever can write the database changes single rows: each change is refused or found.

Runs on the database of the sandbox that VAR_DIR or DATABASE_URL names, best once `./run` has
served a few payments and `./run manage seed_desk` has filled the desk. Append-only triggers are
taken away for a change and put back. Everything is rolled back.

Besides changes that were thought of one by one, the group `tables` walks each table that
its app says is proved: every column of its newest row, that row gone, and one forged.

    ./run attack rows [GROUP…]

It prints REFUSED (by the database), FOUND (by verify_ledger, with what it says), HARMLESS (and
why), NOTHING (no such row is there) or UNDETECTED, which is what must not be.
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.platform.ledger.records import ledger_models
from apps.platform.ledger.table_proofs import PROVED
from tests.attacks import tables
from tests.attacks.database import (
    FOUND,
    HARMLESS,
    NOTHING,
    REFUSED,
    UNDETECTED,
    attempt,
    find_faults,
    rolled_back,
    unguarded,
)
from tests.platform.tampering import sql

TABLES = "tables"
# in which ledgers a change of a group shows; all of them are verified where none is named
SHOWS_IN = {
    "people": ("staff",),
    "money": ("payment_events", "usage", "chain_events", "agents"),
    "access": ("keys",),
    "parties": ("screens", "lists", "country_listings", "known_false_positives", "registrations"),
    "desk": ("schedules", "decisions"),
    "records": ("decisions", "intelligence_answers"),
}
SCREENED = "kind = 'screened'"
WALLET = "0x52908400098527886E0F7030069857D2E4169EE7"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is written into the database, statement by statement.

    `harmless` says why one that nothing finds cannot matter; `ledgers` are those that are verified
    to find it, those of its group where none is named.
    """

    group: str
    title: str
    statements: tuple[str, ...]
    harmless: str = ""
    ledgers: tuple[str, ...] = ()


def _only(table: str, key: str = "id", where: str = "") -> str:
    """Return the condition that picks the newest row of a table."""
    return f"{key} = (SELECT MAX({key}) FROM {table}{f' WHERE {where}' if where else ''})"


CHANGES = (
    Change("people", "an officer is made a superuser", (
        "UPDATE auth_user SET is_superuser = TRUE WHERE "
        f"{_only('auth_user', where='NOT is_superuser')}",)),
    Change("people", "a password is replaced", (
        f"UPDATE auth_user SET password = 'md5$x$x' WHERE {_only('auth_user')}",)),
    Change("people", "an account gets another user name", (
        f"UPDATE auth_user SET username = 'mallory' WHERE {_only('auth_user')}",)),
    Change("people", "an officer becomes a senior one", (
        "INSERT INTO auth_user_groups (user_id, group_id) SELECT u.id, g.id FROM auth_user u, "
        "auth_group g WHERE g.name = 'Senior officer' AND u.id = (SELECT MAX(id) FROM auth_user "
        "WHERE id NOT IN (SELECT user_id FROM auth_user_groups ug JOIN auth_group gg ON "
        "gg.id = ug.group_id WHERE gg.name = 'Senior officer'))",)),
    Change("people", "a role may read the SAR log", (
        "INSERT INTO auth_group_permissions (group_id, permission_id) SELECT g.id, p.id FROM "
        "auth_group g, auth_permission p WHERE g.name = 'Examiner' AND "
        "p.codename = 'view_sarentry'",)),
    Change("money", "the volume of a month is raised", (
        "UPDATE payments_monthvolume SET settled_usd = settled_usd + 1000000",)),
    Change("money", "calls of a month are set back", (
        "UPDATE access_usagecount SET calls = 0",)),
    Change("money", "the fees of a quote are set to nothing", (
        "UPDATE stability_quote SET core = 0, fx_fee = 0, esg = 0, license = 0",)),
    Change("money", "a payment goes to another wallet", (
        f"UPDATE payments_payment SET creditor_wallet = '{WALLET}'",)),
    Change("money", "a payment is gone", (
        "DELETE FROM payments_handover WHERE payment_id = (SELECT MAX(id) FROM payments_payment)",
        f"DELETE FROM payments_payment WHERE {_only('payments_payment')}")),
    Change("money", "a settled payment is not handed to the travel rule", (
        f"DELETE FROM payments_handover WHERE {_only('payments_handover')}",)),
    Change("money", "a transfer goes to another wallet", (
        f"UPDATE chain_order SET recipient = '{WALLET}'",)),
    Change("money", "a mandate without caps is added", (
        "INSERT INTO agents_mandate (mandate_id, version, max_notional, daily_cap, currency_pairs,"
        " whitelist, esg_floor, ap2_compatible, level, made_at, made_by, agent_id) SELECT "
        "mandate_id, version + 50, NULL, NULL, currency_pairs, whitelist, esg_floor, "
        f"ap2_compatible, level, made_at, made_by, agent_id FROM agents_mandate WHERE "
        f"{_only('agents_mandate')}",)),
    Change("access", "a key that was revoked works again", (
        "UPDATE access_apikey SET revoked_at = NULL, expires_at = NULL, "
        "rate_per_minute = 1000000",)),
    Change("parties", "an entity of the register gets another name", (
        f"UPDATE lei_leirecord SET legal_name = 'Lazarus' WHERE {_only('lei_leirecord')}",)),
    Change("parties", "an entity of the register gets another owner", (
        f"UPDATE lei_relationship SET parent = child WHERE {_only('lei_relationship')}",)),
    Change("parties", "a party is taken off a list", (
        f"DELETE FROM watchlists_entitystate WHERE {_only('watchlists_entitystate')}",)),
    Change("parties", "a party that was screened is gone", (
        f"DELETE FROM watchlists_party WHERE {_only('watchlists_party', where=SCREENED)}",)),
    Change("parties", "a party that was screened gets another name", (
        "UPDATE watchlists_party SET name = 'Nobody' WHERE "
        f"{_only('watchlists_party', where=SCREENED)}",)),
    Change("parties", "a list is switched off", (
        "UPDATE watchlists_source SET enabled = FALSE, required = FALSE",)),
    Change("parties", "a country is taken off the lists", (
        f"DELETE FROM countries_countrylisting WHERE {_only('countries_countrylisting')}",)),
    Change("parties", "a known false positive is kept for ten years more", (
        "UPDATE review_knownfalsepositive SET expires_on = '2046-01-01'",)),
    Change("parties", "another name stands behind a wallet", (
        f"UPDATE registry_registration SET legal_name = 'Mallory' WHERE "
        f"{_only('registry_registration')}",)),
    Change("desk", "the daily verification is switched off", (
        "UPDATE core_periodic SET enabled = FALSE WHERE name LIKE 'core.%'",)),
    Change("desk", "an open case is gone", (
        "DELETE FROM review_passed WHERE case_id = (SELECT MAX(id) FROM review_case)",
        f"DELETE FROM review_case WHERE {_only('review_case')}")),
    Change("desk", "all jobs that wait are gone", (
        "DELETE FROM core_jobattempt", "DELETE FROM core_job"),
        harmless="what a job is for is a row of its own, which a sweep finds each minute"),
    Change("records", "a decision was made by another", (
        "UPDATE review_decisionevent SET by_id = NULL WHERE "
        f"{_only('review_decisionevent', where='by_id IS NOT NULL')}",)),
    Change("records", "a figure that answers rest on is another", (
        f"UPDATE signals_observation SET value = 9 WHERE {_only('signals_observation')}",)),
)  # fmt: skip


def judge(change: Change, before: set[str]) -> tuple[str, str]:
    """Make a change, see what becomes of it, and take it back; return the verdict and why."""
    looked_at = change.ledgers or SHOWS_IN.get(change.group) or tuple(sorted(ledger_models()))
    verdict, why = UNDETECTED, ""
    touched = 0
    with rolled_back():

        def write() -> None:
            nonlocal touched
            with unguarded():
                touched = sum(sql(statement) for statement in change.statements)

        if refusal := attempt(write):
            verdict, why = REFUSED, refusal
        elif not touched:
            verdict = NOTHING
        elif found := find_faults(looked_at) - before:
            verdict, why = FOUND, min(found)
        else:
            why = f"{touched} rows"
    if verdict == UNDETECTED and change.harmless:
        return HARMLESS, change.harmless
    return verdict, why


def run(changes: Sequence[Change]) -> list[tuple[Change, str, str]]:
    """Try changes one after the other; print and return each verdict."""
    before = find_faults(sorted(ledger_models()))
    results = []
    for change in changes:
        verdict, why = judge(change, before)
        print(f"{verdict:10} {change.title:60} {why[:150]}", flush=True)
        results.append((change, verdict, why))
    return results


def walk(labels: Iterable[str] = tuple(PROVED)) -> list[tuple[str, str]]:
    """Change each column of the newest row of tables, delete it and forge one; print verdicts."""
    labels = list(labels)
    results: list[tuple[str, str]] = []
    for one, verdict, why in tables.walk(labels):
        title = f"{one.label}: {one.title}"
        print(f"{verdict:10} {title:60} {why[:150]}", flush=True)
        results.append((title, verdict))
    tried = {title.partition(":")[0] for title, _ in results}
    for label in labels:
        if label not in tried:
            print(f"{NOTHING:10} {label}", flush=True)
    return results


def main(arguments: list[str]) -> int:
    """Return 0 where nothing went undetected."""
    groups = arguments or [*SHOWS_IN, TABLES]
    results = run([change for change in CHANGES if change.group in groups])
    undetected = [one.title for one, verdict, _ in results if verdict == UNDETECTED]
    if TABLES in groups:
        undetected += [title for title, verdict in walk() if verdict == UNDETECTED]
    for title in undetected:
        print(f"UNDETECTED: {title}", file=sys.stderr)
    return 1 if undetected else 0
