"""Background jobs: one literal table of what may run, how long, and how often.

A handler takes `(key, now)`, does one thing and may be run twice. `every` makes a job
periodic; its rhythm is then the operator's, in the admin.
"""

from dataclasses import dataclass
from datetime import timedelta

# the lane of jobs that go out: the name of its cluster (config/cluster.py)
OUTBOUND = "outbound"
# the lane of callbacks, which are due to the second: nothing long runs there
CALLBACKS = "callbacks"
# the lane of payments: their checks may ask GLEIF or a model, and somebody waits for each
PAYMENTS = "payments"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
BACKOFF = (5 * MINUTE, 30 * MINUTE, 2 * HOUR)


@dataclass(frozen=True, kw_only=True)
class Work:
    """One kind of job.

    `lease` bounds a run: one that takes longer is ended and counts as failed, and when the
    runner died another takes over. A failed run comes again after each of `retries`.
    `upstream` says that it goes out to others' servers: it then has workers of its own, and a
    periodic one is off in a sandbox until switched on. `lane` names workers of its own kind alone.
    `stops` says in a sentence what stops while its schedule is off; a `vital` one must not be off
    in production. One `by_the_clock` runs at whole multiples of its rhythm since 1970, because each
    such stretch of time is to have one run.
    """

    handler: str
    title: str
    lease: timedelta = 10 * MINUTE
    retries: tuple[timedelta, ...] = BACKOFF
    every: timedelta | None = None
    first: timedelta = MINUTE
    upstream: bool = False
    lane: str = ""
    stops: str = ""
    vital: bool = False
    by_the_clock: bool = False


JOBS: dict[str, Work] = {
    "core.seal": Work(
        handler="apps.core.housekeeping.seal",
        title="Chain new ledger records",
        every=MINUTE,
        retries=(),
        stops="New records are not chained: nobody could tell if one were altered.",
        vital=True,
    ),
    "core.tidy": Work(
        handler="apps.core.housekeeping.tidy",
        title="Remove expired idempotent answers and old jobs",
        every=HOUR,
        retries=(),
        stops="Expired answers, old jobs and ended sign-ins stay, and the database grows.",
    ),
    "core.export_heads": Work(
        handler="apps.core.housekeeping.export_heads",
        title="Write the signed heads of all ledgers",
        every=HOUR,
        stops="Heads of ledgers are not written out: a later proof has gaps.",
    ),
    "core.partitions": Work(
        handler="apps.core.housekeeping.partitions",
        title="Make the partitions of the months to come",
        every=DAY,
        stops="New records of partitioned ledgers go on in the partition of the month before.",
    ),
    "core.verify": Work(
        handler="apps.core.housekeeping.verify",
        title="Verify all ledgers",
        lease=2 * HOUR,
        every=DAY,
        first=HOUR,
        retries=(),
        stops="No ledger is verified by itself: an altered record stays unnoticed.",
        vital=True,
    ),
    "watchlists.refresh": Work(
        handler="apps.watchlists.jobs.refresh_lists",
        title="Refresh the official lists",
        upstream=True,
        lease=HOUR,
        every=6 * HOUR,
        stops="No list is refreshed: all grow too old, and screens are refused.",
        vital=True,
    ),
    "lei.complete_chain": Work(
        handler="apps.lei.jobs.complete_chain",
        title="Ask GLEIF for the owners of an entity",
        upstream=True,
    ),
    "lei.refresh_in_use": Work(
        handler="apps.lei.jobs.refresh_in_use",
        title="Ask GLEIF again for the LEIs in use",
        upstream=True,
        lease=2 * HOUR,
        every=DAY,
        stops="LEIs in use are not asked for again: what is known of owners grows old.",
    ),
    "signals.refresh_rates": Work(
        handler="apps.signals.jobs.refresh_rates",
        title="Fetch euro reference rates",
        upstream=True,
        every=6 * HOUR,
        stops="No exchange rate is fetched: amounts are valued by older rates.",
    ),
    "signals.refresh": Work(
        handler="apps.signals.jobs.refresh",
        title="Fetch the files of figures that are due",
        upstream=True,
        lease=HOUR,
        every=10 * MINUTE,
        stops="No figure is fetched: scores rest on older ones, and then on none.",
    ),
    "signals.fetch": Work(
        handler="apps.signals.jobs.fetch",
        title="Fetch one file of figures",
        upstream=True,
    ),
    "intelligence.resolve": Work(
        handler="apps.intelligence.jobs.resolve",
        title="Write what came of foretold regimes",
        lease=HOUR,
        every=DAY,
        stops="What was foretold is not held against what came: the ledger shows it as pending.",
    ),
    "forecast.run": Work(
        handler="apps.forecast.jobs.run",
        title="Compute the commodity forecasts",
        lease=10 * MINUTE,
        every=HOUR,
        by_the_clock=True,
        retries=(MINUTE,),
        stops="Forecasts are computed by whoever asks first in an hour, and days may lack outlooks "
        "that are scored.",
    ),
    "forecast.resolve": Work(
        handler="apps.forecast.jobs.resolve",
        title="Write what prices did after outlooks",
        lease=HOUR,
        every=DAY,
        stops="Outlooks are not held against what came: the page shows them as pending.",
    ),
    "signals.tidy": Work(
        handler="apps.signals.jobs.tidy",
        title="Remove files of figures on which nothing rests any more",
        every=DAY,
        stops="Files on which no figure rests stay, and the database grows.",
    ),
    "screening.tidy": Work(
        handler="apps.screening.models.reports.tidy",
        title="Remove ownership and PEP reports that have expired",
        every=HOUR,
        retries=(),
        stops="Reports that have expired stay in the database.",
    ),
    "stability.run": Work(
        handler="apps.stability.oracle.running.run",
        title="Run the stability oracle",
        lease=5 * MINUTE,
        every=10 * MINUTE,
        by_the_clock=True,
        retries=(MINUTE,),
        stops="The oracle does not run: half an hour later it has no answer any more.",
        vital=True,
    ),
    "stability.narrate": Work(
        handler="apps.stability.oracle.noting.narrate",
        title="Ask a language model what it makes of a run of the oracle",
        upstream=True,
        lease=2 * MINUTE,
        retries=(),
    ),
    "stability.resolve": Work(
        handler="apps.stability.oracle.resolving.resolve",
        title="Resolve how the weeks after runs of the oracle turned out",
        every=DAY,
        stops="Nothing is learnt about the weights of the oracle's tiers.",
    ),
    "stability.tidy": Work(
        handler="apps.stability.fees.quoting.tidy",
        title="Remove quotes that nobody asks about any more",
        every=HOUR,
        retries=(),
        stops="Quotes that have expired stay, and the database grows.",
    ),
    "settlement.tidy": Work(
        handler="apps.settlement.tidying.tidy",
        title="Remove rehearsals of settlements that nobody asks about any more",
        every=DAY,
        first=HOUR,
        retries=(),
        stops="Old rehearsals of settlements stay, and the database grows.",
    ),
    "payments.advance": Work(
        handler="apps.payments.advancing.advance",
        title="Carry a payment on: check, price, settle",
        lane=PAYMENTS,
        lease=MINUTE,
    ),
    "chain.watch": Work(
        handler="apps.chain.watching.watch",
        title="Read a chain for transfers that are expected",
        upstream=True,
        lease=5 * MINUTE,
        retries=(MINUTE, MINUTE, 5 * MINUTE),
    ),
    "chain.sweep": Work(
        handler="apps.chain.watching.sweep",
        title="Look after chains on which transfers are expected",
        every=MINUTE,
        retries=(),
        stops="A chain whose reading was cut off is not read again until the next order.",
        vital=True,
    ),
    "chain.tell": Work(
        handler="apps.chain.telling.tell",
        title="Tell who expects a transfer how it stands",
        retries=(MINUTE, 5 * MINUTE, HOUR),
    ),
    "pain001.work": Work(
        handler="apps.payments.pain001.working.work",
        title="Make payments of the transactions of a file",
        lease=2 * MINUTE,
    ),
    "pain001.sweep": Work(
        handler="apps.payments.pain001.tidying.sweep",
        title="Look after payment files that nothing works off",
        every=MINUTE,
        retries=(),
        stops="A payment file whose work was lost stays where it is.",
        vital=True,
    ),
    "pain001.tidy": Work(
        handler="apps.payments.pain001.tidying.tidy",
        title="Remove payment files after their retention",
        every=DAY,
        stops="Payment files, with the names and wallets in them, are kept for good.",
    ),
    "travelrule.count": Work(
        handler="apps.travelrule.tallying.count",
        title="Count sealed travel-rule records by month",
        every=MINUTE,
        retries=(),
        stops="Counts of travel-rule records, and the days that are flagged, stay as they are.",
    ),
    "travelrule.record": Work(
        handler="apps.travelrule.recording.record",
        title="Record settled payments under the travel rule",
        every=MINUTE,
        retries=(MINUTE, 5 * MINUTE),
        stops="Settled payments are recorded only as others settle after them.",
        vital=True,
    ),
    "travelrule.transmit": Work(
        handler="apps.travelrule.sending.running.transmit",
        title="Send a travel-rule message to a counterparty",
        upstream=True,
        lease=2 * MINUTE,
        retries=(MINUTE, 5 * MINUTE),
    ),
    "travelrule.send_later": Work(
        handler="apps.travelrule.sending.later.send_later",
        title="Send stored messages to a counterparty that is in the directory now",
        lease=HOUR,
    ),
    "travelrule.sweep": Work(
        handler="apps.travelrule.sending.running.sweep",
        title="Look for travel-rule messages that nothing sends",
        every=5 * MINUTE,
        retries=(),
        stops="A message whose sending was lost is not sent.",
        vital=True,
    ),
    "travelrule.tidy": Work(
        handler="apps.travelrule.repeated.tidy",
        title="Remove counts of travel-rule messages that are alike",
        every=DAY,
        retries=(),
        stops="Counts of past days stay, a row for each message, and the database grows.",
    ),
    "travelrule.root": Work(
        handler="apps.travelrule.proofs.roots.root",
        title="Sign the root of the travel-rule ledger",
        every=MINUTE,
        retries=(),
        stops="No root of the travel-rule ledger is signed: new records have no proof.",
        vital=True,
    ),
    "banking.route": Work(
        handler="apps.banking.onward.again",
        title="Have a tagged bank payment quoted",
        lease=2 * MINUTE,
    ),
    "banking.save_recipient": Work(
        handler="apps.banking.recipients.save",
        title="Save a recipient at the bank",
        upstream=True,
        lease=2 * MINUTE,
    ),
    "banking.send": Work(
        handler="apps.banking.sending.send",
        title="Have the bank send a payment",
        upstream=True,
        lease=2 * MINUTE,
        retries=(MINUTE, 5 * MINUTE, 30 * MINUTE),
    ),
    "banking.reconcile": Work(
        handler="apps.banking.reconciling.reconcile",
        title="Compare payments with the bank's statement",
        upstream=True,
        lease=HOUR,
        every=DAY,
        stops="Payments are not compared with the bank's statement: a difference stays unnoticed.",
    ),
    "banking.sweep": Work(
        handler="apps.banking.sweeping.sweep",
        title="Look after bank payments that nothing carries on",
        every=MINUTE,
        retries=(),
        stops="A tagged bank payment whose work was lost is not quoted.",
        vital=True,
    ),
    "travelrule.stamp": Work(
        handler="apps.travelrule.proofs.stamping.stamps.stamp",
        title="Have the root of the travel-rule ledger time-stamped",
        upstream=True,
        lease=2 * MINUTE,
        retries=(MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, HOUR, HOUR, HOUR),
    ),
    "payments.sweep": Work(
        handler="apps.payments.advancing.sweep",
        title="Look after payments that nothing carries on",
        every=MINUTE,
        retries=(),
        stops="A payment whose work was lost stays where it is.",
        vital=True,
    ),
    "esgoracle.run": Work(
        handler="apps.esgoracle.running.run",
        title="Compute the live ESG score",
        every=10 * MINUTE,
        by_the_clock=True,
        retries=(MINUTE,),
        stops="The live ESG score is not computed: half an hour later there is none any more.",
        vital=True,
    ),
    "paywall.reconcile": Work(
        handler="apps.paywall.jobs.reconcile",
        title="Ask what became of a payment",
        upstream=True,
        lease=2 * MINUTE,
    ),
    "paywall.sweep": Work(
        handler="apps.paywall.jobs.sweep",
        title="Look after payments that were cut off, expired sessions and old answers",
        every=MINUTE,
        retries=(),
        stops="Payments that were cut off stay open, and expired sessions are not closed.",
        vital=True,
    ),
    "review.escalate_overdue": Work(
        handler="apps.review.jobs.escalate_overdue",
        title="Escalate cases that are past due",
        every=5 * MINUTE,
        retries=(),
        stops="Cases that are past due wait where they are: no senior is told.",
        vital=True,
    ),
    "review.wake_known": Work(
        handler="apps.review.jobs.wake_known",
        title="Wake known false positives whose listed entry changed",
        every=DAY,
        stops="A known false positive sleeps on although its listed entry changed.",
    ),
    "ongoing.rescreen": Work(
        handler="apps.ongoing.jobs.rescreen",
        title="Hold known parties against what changed on a list",
        lease=2 * HOUR,
        every=HOUR,
        stops="Known parties are held against a change of a list only as it goes live: one that "
        "was missed stays so.",
    ),
    "ongoing.file_parties": Work(
        handler="apps.ongoing.jobs.file_parties",
        title="File known parties, so that a change is held against them quickly",
        lease=2 * HOUR,
        every=6 * HOUR,
        retries=(),
        stops="Known parties are filed only as a list changes: that run then takes longer.",
    ),
    "registry.look_again": Work(
        handler="apps.registry.jobs.look_again",
        title="Look again at the LEIs of registered wallets",
        every=DAY,
        stops="An LEI that lapses is not marked in the registrar's list, nor refreshed for long.",
    ),
    "registry.change_entity": Work(
        handler="apps.registry.changing.take_effect",
        title="Let another entity of a wallet count after its cooling-off",
        upstream=True,
    ),
    "registry.check_import": Work(
        handler="apps.registry.importing.working.check",
        title="Check the lines of an import of wallets",
        upstream=True,
    ),
    "registry.tidy_imports": Work(
        handler="apps.registry.importing.tidying.tidy",
        title="Remove the lines of imports of wallets after 90 days",
        every=DAY,
        stops="Lines of old imports, with the names and wallets in them, are kept for good.",
    ),
    "registry.run_import": Work(
        handler="apps.registry.importing.working.run",
        title="Register the wallets of an import",
        upstream=True,
    ),
    "esg.look_up": Work(
        handler="apps.esg.looking.look_up",
        title="Ask the ESG sources about an entity",
        upstream=True,
    ),
    "esg.refresh_countries": Work(
        handler="apps.esg.looking.refresh_countries",
        title="Fetch ESG references of countries",
        upstream=True,
        every=30 * DAY,
        stops="References of countries are not fetched: new entities are scored by older ones.",
    ),
    "callbacks.send": Work(
        handler="apps.callbacks.jobs.send",
        title="Call back what is due",
        lane=CALLBACKS,
        lease=2 * MINUTE,
        retries=(MINUTE, 5 * MINUTE),
    ),
    "callbacks.sweep": Work(
        handler="apps.callbacks.jobs.sweep",
        title="Look for callbacks that were left behind",
        lane=CALLBACKS,
        every=MINUTE,
        retries=(),
        stops="Callbacks whose sender was stopped are not sent again.",
        vital=True,
    ),
    "callbacks.tidy": Work(
        handler="apps.callbacks.tidying.tidy",
        title="Blank the bodies of callbacks after their time",
        every=DAY,
        stops="Bodies of callbacks, with what they say of people, are kept for good.",
    ),
    "oversight.sample": Work(
        handler="apps.oversight.jobs.sample",
        title="Sample last month's closed cases",
        every=DAY,
        stops="No closed case is drawn for a second look.",
    ),
}


def title_of(name: str) -> str:
    """Return what a job is called, by its name here; one of another release is called so."""
    return JOBS[name].title if name in JOBS else name
