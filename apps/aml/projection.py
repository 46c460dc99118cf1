"""Profiles and labels held against the ledgers that they were made from (config/ledgers.py).

Whoever can write the database can lower a wallet's risk, unmark one that an officer found to be
bad, or add decisions that nobody took, but not record that it happened. A profile is what the last
screen that touched its wallet left, by the digest in that screen's sealed record; that no row was
put back to an earlier state, or is gone, shows by the count of screens that all rows share.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from uuid import UUID

from django.db import connection

from apps.aml.models import AmlScreen, Label, LabelCount, Standing, WalletProfile
from apps.aml.models.labels import ALL
from apps.aml.models.screens import KIND
from apps.aml.rules.cases import found_bad, is_bad
from apps.aml.rules.counting import count_fault
from apps.core.batches import chunks
from apps.core.chain import proven
from apps.review.models import Case

BATCH = 500
Progress = Callable[[int], None]


def compare(progress: Progress) -> Iterator[str]:
    """Yield where profiles, labels and counts are not what was recorded, in words."""
    yield from labels(progress)
    yield from counts()
    yield from profiles(progress)


def profiles(progress: Progress) -> Iterator[str]:
    """Yield where a profile is not what its last screen left; two queries a batch."""
    confirmed = _confirmed()
    done = 0
    for batch in chunks(WalletProfile.objects.order_by("pk").iterator(BATCH), BATCH):
        records = AmlScreen.objects.in_bulk([one.last for one in batch if one.last])
        ours = {one.pk: one for one in proven(records.values())}
        for row in batch:
            if any(profile_faults(row, ours.get(row.last or 0), confirmed)):
                yield from (f"wallet profile {row.pk}: {one}" for one in _again(row.pk))
        done += len(batch)
        progress(done)
    yield from _whole()


def profile_faults(
    row: WalletProfile, last: AmlScreen | None, confirmed: frozenset[str]
) -> Iterator[str]:
    """Yield where a profile differs from the last screen of its wallet, in words."""
    if last is None:
        if row.touched or row.state:
            yield "no record that is ours tells of its last screen"
        return
    if row.wallet not in (last.wallet, last.counterparty):
        yield "the record of its last screen is of other wallets"
        return
    if last.purged:
        return
    evidence = last.data["evidence"]
    if evidence["after"][row.wallet] != row.digest:
        yield "it is not what its last screen left"
    if why := count_fault(counted=last.counted, action=last.action, evidence=evidence):
        yield why
    if row.profile.count != row.payments:
        yield f"it counts {row.payments} payments and sums {row.profile.count}"
    party = next(one for one in evidence["parties"] if one["wallet"] == row.wallet)
    wanted = Standing.of(listed=bool(party["listed"]), confirmed=row.wallet in confirmed)
    if row.standing != wanted:
        yield f"its standing is {row.standing or 'none'}, recorded is {wanted or 'none'}"


def _again(pk: int) -> list[str]:
    """Return the faults of one row as one statement reads it: a screen may come in between."""
    row = WalletProfile.objects.filter(pk=pk).first()
    if row is None:
        return ["it is gone"]
    last = AmlScreen.objects.filter(pk=row.last).first() if row.last else None
    found = proven([last]) if last else []
    return list(profile_faults(row, found[0] if found else None, _confirmed()))


def _confirmed() -> frozenset[str]:
    """Return the wallets that officers found to be bad, by the reasons of their decisions."""
    refused = Case.objects.filter(kind=KIND, outcome="REJECT").order_by("pk")
    found: set[str] = set()
    for batch in chunks(refused.values_list("ref", "reason_code").iterator(BATCH), BATCH):
        reasons = {UUID(ref): reason for ref, reason in batch}
        ends = AmlScreen.objects.filter(screen_id__in=reasons)
        for number, wallet, other in ends.values_list("screen_id", "wallet", "counterparty"):
            found.add(found_bad(reasons[number], wallet=wallet, counterparty=other))
    return frozenset(found - {""})


def _whole() -> Iterator[str]:
    """Yield whose profiles are gone or were put back: each screen touched two, once.

    And each that counted its payment put it into two.
    """
    touched, screens, payments, counted = _touched()
    if payments != 2 * counted:
        yield f"profiles sum {payments} payments, by the screens that counted it is {2 * counted}"
    if touched == 2 * screens:
        return
    yield f"wallet profiles were touched {touched} times, by {screens} screens it is {2 * screens}"
    newest: dict[str, int] = {}
    ends = AmlScreen.objects.order_by("pk").values_list("pk", "wallet", "counterparty")
    for pk, wallet, counterparty in ends.iterator(BATCH):
        newest[wallet] = newest[counterparty] = pk
    for pk, wallet, last in WalletProfile.objects.values_list("pk", "wallet", "last").iterator(
        BATCH
    ):
        if newest.pop(wallet, last) != last:
            yield f"wallet profile {pk}: it was put back to how it stood before its last screen"
    for last in newest.values():
        yield f"a wallet of AML screen {last}: its profile is gone"


def _touched() -> tuple[int, int, int, int]:
    """Return how often profiles were touched and how many screens there are, at one moment.

    Then how many payments all profiles sum, and how many screens counted one.
    """
    profiles_, screens = WalletProfile._meta.db_table, AmlScreen._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT (SELECT SUM(touched) FROM {profiles_}), (SELECT COUNT(*) FROM {screens}), "  # noqa: S608
            f"(SELECT SUM(payments) FROM {profiles_}), "
            f"(SELECT COUNT(*) FROM {screens} WHERE counted)"
        )
        touched, screens_, payments, counted = (int(one or 0) for one in cursor.fetchone())
    return touched, screens_, payments, counted


def labels(progress: Progress) -> Iterator[str]:
    """Yield labels that no decided case bears out, and decided cases without one."""
    done = 0
    for batch in chunks(Label.objects.order_by("pk").iterator(BATCH), BATCH):
        yield from label_faults(batch)
        done += len(batch)
        progress(done)
    for case in cases_unlabelled():
        yield f"case {case}: it was decided, and the decision is not counted"


def label_faults(batch: Sequence[Label]) -> Iterator[str]:
    """Yield where labels differ from the cases and screens that they are of; two queries."""
    ids = [one.screen_id for one in batch]
    cases = {
        UUID(ref): outcome
        for ref, outcome in Case.objects.filter(kind=KIND, ref__in=map(str, ids)).values_list(
            "ref", "outcome"
        )
    }
    screens = {one.screen_id: one for one in proven(AmlScreen.objects.filter(screen_id__in=ids))}
    for one in batch:
        screen, outcome = screens.get(one.screen_id), cases.get(one.screen_id)
        if screen is None:
            yield f"label {one.pk}: there is no such screen that is ours"
        elif not outcome:
            yield f"label {one.pk}: no officer decided that"
        elif one.bad is not is_bad(outcome):
            yield f"label {one.pk}: it says {'bad' if one.bad else 'good'}, decided is {outcome}"
        elif (one.cohort, one.sampled) != (screen.cohort, screen.sampled):
            yield f"label {one.pk}: its cohort or slice is not that of its screen"
        elif not screen.purged and one.signals.split() != _signals(screen):
            yield f"label {one.pk}: its signals are not those of its screen"


def _signals(screen: AmlScreen) -> list[str]:
    return [one["id"] for one in screen.data["response"]["signals"]]


def cases_unlabelled() -> list[int]:
    """Return the decided cases whose decision no label counts."""
    decided = Case.objects.filter(kind=KIND).exclude(outcome="").order_by("pk")
    labelled = set(Label.objects.values_list("screen_id", flat=True))
    return [pk for pk, ref in decided.values_list("pk", "ref") if UUID(ref) not in labelled]


def counts() -> Iterator[str]:
    """Yield counts that are not those of the labels: of each wallet, cohort and class the first."""
    wanted: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    seen: set[tuple[str, str, bool]] = set()
    for batch in chunks(Label.objects.order_by("pk").iterator(BATCH), BATCH):
        screens = AmlScreen.objects.filter(screen_id__in=[one.screen_id for one in batch])
        wallets = dict(screens.values_list("screen_id", "wallet"))
        for one in batch:
            unit = wallets.get(one.screen_id, ""), one.cohort, one.bad
            if unit not in seen:
                seen.add(unit)
                for name in {ALL, *one.signals.split()}:
                    wanted[one.cohort, name][one.bad] += 1
    held = {(one.cohort, one.signal): one for one in LabelCount.objects.all()}
    for key in sorted(wanted.keys() | held.keys()):
        row, found = held.get(key), wanted[key]
        shown = (row.bad, row.good) if row else (0, 0)
        if shown != (found[True], found[False]):
            yield (
                f"count of {key[0]} {key[1] or 'all'}: {shown[0]} bad and {shown[1]} good, "
                f"decided are {found[True]} and {found[False]}"
            )
