"""Verify profiles and labels against the ledgers that they were made from.

An attacker who can write the database can lower a wallet's risk, unmark one that an officer found
to be bad, or add decisions that were never made, but cannot record that it happened. A profile must
be the result of the last screen of its wallet, by the digest in that screen's sealed record; a row
that was reverted or deleted shows in the total number of screens over all rows.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import Q

from apps.backoffice.review import case_types
from apps.backoffice.review.models import Case
from apps.compliance.aml.models import AmlScreen, Label, LabelCount, Standing, WalletProfile
from apps.compliance.aml.models.decision_labels import ALL
from apps.compliance.aml.models.screens import KIND
from apps.compliance.aml.rules.cases import FLAGGED, TRIED_LISTED, is_bad_outcome, wallet_found_bad
from apps.compliance.aml.rules.profile_inclusion import find_count_fault
from apps.platform.common.batches import iter_chunks
from apps.platform.ledger.verification.verified_reads import filter_verified_records

BATCH = 500
Progress = Callable[[int], None]


def verify_profiles_and_labels(progress: Progress) -> Iterator[str]:
    """Yield where profiles, labels and counts are not what was recorded, in words."""
    yield from verify_labels(progress)
    yield from verify_label_counts()
    yield from verify_wallet_profiles(progress)


def verify_wallet_profiles(progress: Progress) -> Iterator[str]:
    """Yield where a profile is not what its last screen left; two queries a batch."""
    confirmed = _wallets_found_bad()
    done = 0
    for batch in iter_chunks(WalletProfile.objects.order_by("pk").iterator(BATCH), BATCH):
        records = AmlScreen.objects.in_bulk([profile.last for profile in batch if profile.last])
        ours = {record.pk: record for record in filter_verified_records(records.values())}
        for row in batch:
            # a screen may come between the two reads of a batch: only what a second look confirms
            # is a fault
            if any(find_profile_faults(row, ours.get(row.last or 0), confirmed)):
                yield from (
                    f"wallet profile {row.pk}: {fault}" for fault in _recheck_profile(row.pk)
                )
        done += len(batch)
        progress(done)
    touched, screens, payments, counted = _count_touches()
    # each counted payment is in two profiles, that of its sender and that of its receiver
    if payments != 2 * counted:
        yield f"profiles have {payments} payments, screens that counted have {2 * counted}"
    # each screen writes two profiles: one that was put back or removed lowers the sum
    if touched == 2 * screens:
        return
    yield f"wallet profiles have {touched} updates, {screens} screens require {2 * screens}"
    # the sum is wrong, so find whose: in order, so that the last screen of each wallet remains
    newest: dict[str, int] = {}
    ends = AmlScreen.objects.order_by("pk").values_list("pk", "wallet", "counterparty")
    for pk, wallet, counterparty in ends.iterator(BATCH):
        newest[wallet] = newest[counterparty] = pk
    for pk, wallet, last in WalletProfile.objects.values_list("pk", "wallet", "last").iterator(
        BATCH
    ):
        if newest.pop(wallet, last) != last:
            yield f"wallet profile {pk}: it was reverted to before its last screen"
    for last in newest.values():
        yield f"a wallet of AML screen {last}: its profile is missing"


def find_profile_faults(
    row: WalletProfile, last: AmlScreen | None, confirmed: frozenset[str]
) -> Iterator[str]:
    """Yield in words where a profile differs from the last screen of its wallet."""
    if why := row.find_fault():
        yield why
    if last is None:
        # a row without a screen is only what `locked` makes before its first one
        if row.touched or row.state:
            yield "its last screen has no valid record"
        return
    if row.wallet not in (last.wallet, last.counterparty):
        yield "the record of its last screen is about other wallets"
        return
    if last.purged:
        return
    evidence = last.data["evidence"]
    if evidence["after"][row.wallet] != row.digest:
        yield "it differs from the result of its last screen"
    if why := find_count_fault(counted=last.counted, action=last.action, evidence=evidence):
        yield why
    if row.profile.count != row.payments:
        yield f"it counts {row.payments} payments, its profile has {row.profile.count}"
    party = next(entry for entry in evidence["parties"] if entry["wallet"] == row.wallet)
    # the listing as of the last screen, and what officers found up to now
    expected = Standing.of(listed=bool(party["listed"]), confirmed=row.wallet in confirmed)
    if row.standing != expected:
        yield f"its status is {row.standing or 'none'}, recorded is {expected or 'none'}"
    if row.cleared_at is not None and not _was_cleared(row.wallet, row.cleared_at):
        yield "no officer released it after it tried to pay a listed wallet"


def _was_cleared(wallet: str, at: datetime) -> bool:
    """Return whether an officer released, at that time, a payment flagged for the attempt."""
    released = Label.objects.filter(bad=False, decided_at=at)
    ids = [label.screen_id for label in released if TRIED_LISTED in label.signals.split()]
    return AmlScreen.objects.filter(screen_id__in=ids, wallet=wallet).exists()


def _recheck_profile(pk: int) -> list[str]:
    """Return the faults of one row as one statement reads it: a screen may come in between."""
    row = WalletProfile.objects.filter(pk=pk).first()
    if row is None:
        return ["it is missing"]
    last = AmlScreen.objects.filter(pk=row.last).first() if row.last else None
    aml_screens = filter_verified_records([last]) if last else []
    return list(
        find_profile_faults(row, aml_screens[0] if aml_screens else None, _wallets_found_bad())
    )


def _wallets_found_bad() -> frozenset[str]:
    """Return the wallets that officers found to be bad, by the reasons of their decisions."""
    refused = Case.objects.filter(kind=KIND, outcome="REJECT").order_by("pk")
    wallets: set[str] = set()
    for batch in iter_chunks(refused.values_list("ref", "reason_code").iterator(BATCH), BATCH):
        reasons = {UUID(ref): reason for ref, reason in batch}
        ends = AmlScreen.objects.filter(screen_id__in=reasons)
        for number, wallet, other in ends.values_list("screen_id", "wallet", "counterparty"):
            wallets.add(wallet_found_bad(reasons[number], wallet=wallet, counterparty=other))
    return frozenset(wallets - {""})


def _count_touches() -> tuple[int, int, int, int]:
    """Return how often profiles were touched and how many screens there are, at one moment.

    Then how many payments all profiles sum, and how many screens counted one.
    """
    profiles_table, screens_table = WalletProfile._meta.db_table, AmlScreen._meta.db_table
    with connection.cursor() as cursor:
        # one statement, so that all four figures are of one moment
        cursor.execute(
            f"SELECT (SELECT SUM(touched) FROM {profiles_table}), "  # noqa: S608
            f"(SELECT COUNT(*) FROM {screens_table}), "
            f"(SELECT SUM(payments) FROM {profiles_table}), "
            f"(SELECT COUNT(*) FROM {screens_table} WHERE counted)"
        )
        touched, screens, payments, counted = (int(total or 0) for total in cursor.fetchone())
    return touched, screens, payments, counted


def verify_labels(progress: Progress) -> Iterator[str]:
    """Yield labels without a decided case, and decided cases without a label."""
    done = 0
    for batch in iter_chunks(Label.objects.order_by("pk").iterator(BATCH), BATCH):
        yield from find_label_faults(batch)
        done += len(batch)
        progress(done)
    for case in find_unlabelled_cases():
        yield f"case {case}: its decision is not counted"


def find_label_faults(batch: Sequence[Label]) -> Iterator[str]:
    """Yield where labels differ from their cases and screens; three queries."""
    ids = [label.screen_id for label in batch]
    screens = {
        aml_screen.screen_id: aml_screen
        for aml_screen in filter_verified_records(AmlScreen.objects.filter(screen_id__in=ids))
    }
    cases = _decided_outcomes(batch, screens)
    for label_row in batch:
        screen, outcome = screens.get(label_row.screen_id), cases.get(label_row.pk)
        if screen is None:
            yield f"label {label_row.pk}: it has no valid screen"
        elif not outcome:
            yield f"label {label_row.pk}: it has no decision of an officer"
        elif label_row.bad is not is_bad_outcome(outcome):
            verdict = "bad" if label_row.bad else "good"
            yield f"label {label_row.pk}: it says {verdict}, the decision is {outcome}"
        elif (label_row.cohort, label_row.sampled) != (screen.cohort, screen.sampled):
            yield f"label {label_row.pk}: its cohort or slice differs from its screen"
        elif not screen.purged and label_row.signals.split() != [
            signal["id"] for signal in screen.data["response"]["signals"]
        ]:
            yield f"label {label_row.pk}: its signals differ from its screen"


def labelled_case_types() -> tuple[str, ...]:
    """Return the case types whose decisions become labels: those that AML flags open."""
    return tuple(
        name for name, kind in case_types.load_case_types().items() if FLAGGED in kind.rules
    )


def _decided_outcomes(batch: Sequence[Label], screens: Mapping[UUID, AmlScreen]) -> dict[int, str]:
    """Return the outcome that each label counts, by its number; two queries.

    It is of the case of its screen, or of the payment that was screened, whichever kind that has.
    """
    own = Case.objects.filter(kind=KIND, ref__in=[str(label.screen_id) for label in batch])
    outcomes = dict(own.values_list("ref", "outcome"))
    decided_outcomes = {label.pk: outcomes.get(str(label.screen_id), "") for label in batch}
    labels = [
        label for label in batch if not decided_outcomes[label.pk] and label.screen_id in screens
    ]
    # a payment that its own caller holds has its case there: found by the moment of the decision,
    # and then by the payment's id
    others = Case.objects.filter(
        kind__in=labelled_case_types(), decided_at__in={label.decided_at for label in labels}
    )
    rows = list(others.exclude(kind=KIND).values_list("ref", "decided_at", "outcome"))
    for label_row in labels:
        screen = screens[label_row.screen_id]
        # a payment may be held several times: its ref, and then which hold
        payment = "" if screen.purged else str(screen.data["request"].get("paymentId", ""))
        alike = (
            outcome
            for ref, at, outcome in rows
            if payment and ref.partition("/")[0] == payment and at == label_row.decided_at
        )
        decided_outcomes[label_row.pk] = next(alike, "")
    return decided_outcomes


def find_unlabelled_cases() -> list[int]:
    """Return the decided cases without a label."""
    decided = Case.objects.filter(kind__in=labelled_case_types()).exclude(outcome="").order_by("pk")
    flagged = decided.filter(Q(kind=KIND) | Q(rule_refs__contains=f"|{FLAGGED}|"))
    labelled = {str(screen_id) for screen_id in Label.objects.values_list("screen_id", flat=True)}
    return [case.pk for case in flagged.iterator(BATCH) if not _screens_of_case(case) <= labelled]


def _screens_of_case(case: Case) -> set[str]:
    """Return the screens that a case was decided on, as its own ref or its evidence names them."""
    if case.kind == KIND:
        return {case.ref}
    screen_id = case.evidence.get("aml", {}).get("response", {}).get("screenId")
    return {str(screen_id)} if screen_id else set()


def verify_label_counts() -> Iterator[str]:
    """Yield counts that are not those of the labels: of each wallet, cohort and class the first."""
    expected: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    seen: set[tuple[str, str, bool]] = set()
    for batch in iter_chunks(Label.objects.order_by("pk").iterator(BATCH), BATCH):
        screens = AmlScreen.objects.filter(screen_id__in=[label.screen_id for label in batch])
        wallets = dict(screens.values_list("screen_id", "wallet"))
        for label_row in batch:
            unit = wallets.get(label_row.screen_id, ""), label_row.cohort, label_row.bad
            # as the counts are made: one client's series of cases teaches once
            if unit not in seen:
                seen.add(unit)
                for name in {ALL, *label_row.signals.split()}:
                    expected[label_row.cohort, name][label_row.bad] += 1
    label_counts = {
        (label_count.cohort, label_count.signal): label_count
        for label_count in LabelCount.objects.all()
    }
    for key in sorted(expected.keys() | label_counts.keys()):
        row, counts = label_counts.get(key), expected[key]
        shown = (row.bad, row.good) if row else (0, 0)
        if shown != (counts[True], counts[False]):
            yield (
                f"count of {key[0]} {key[1] or 'all'}: {shown[0]} bad and {shown[1]} good, "
                f"decided are {counts[True]} and {counts[False]}"
            )
