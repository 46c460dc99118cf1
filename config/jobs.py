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
class JobSpec:
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

    @property
    def cluster(self) -> str:
        """The lane whose workers run it; empty for jobs without a lane of their own."""
        return self.lane or (OUTBOUND if self.upstream else "")


JOBS: dict[str, JobSpec] = {
    "core.seal": JobSpec(
        handler="apps.platform.tasks.seal_ledgers",
        title="Chain new ledger records",
        every=MINUTE,
        retries=(),
        stops="New records are not chained: nobody could tell if one were altered.",
        vital=True,
    ),
    "core.tidy": JobSpec(
        handler="apps.platform.tasks.remove_expired_rows",
        title="Remove expired idempotent answers and old jobs",
        every=HOUR,
        retries=(),
        stops="Expired answers, old jobs and ended sign-ins stay, and the database grows.",
    ),
    "core.export_heads": JobSpec(
        handler="apps.platform.tasks.export_heads",
        title="Write the signed heads of all ledgers",
        every=HOUR,
        stops="Heads of ledgers are not written out: a later proof has gaps.",
    ),
    "core.partitions": JobSpec(
        handler="apps.platform.tasks.create_month_partitions",
        title="Make the partitions of the months to come",
        every=DAY,
        stops="New records of partitioned ledgers go on in the partition of the month before.",
    ),
    "core.verify": JobSpec(
        handler="apps.platform.tasks.verify_ledgers",
        title="Verify all ledgers",
        lease=2 * HOUR,
        every=DAY,
        first=HOUR,
        retries=(),
        stops="No ledger is verified by itself: an altered record stays unnoticed.",
        vital=True,
    ),
    "access.record_usage": JobSpec(
        handler="apps.access.keys.usage_integrity.record_usage",
        title="Record how many calls were counted",
        every=HOUR,
        stops="Counts of billed calls are not recorded: nobody could tell if some were taken away.",
    ),
    "watchlists.refresh": JobSpec(
        handler="apps.reference.watchlists.tasks.refresh_lists",
        title="Refresh the official lists",
        upstream=True,
        lease=HOUR,
        every=6 * HOUR,
        stops="No list is refreshed: all grow too old, and screens are refused.",
        vital=True,
    ),
    "lei.complete_chain": JobSpec(
        handler="apps.reference.lei.tasks.complete_chain",
        title="Ask GLEIF for the owners of an entity",
        upstream=True,
    ),
    "lei.refresh_in_use": JobSpec(
        handler="apps.reference.lei.tasks.refresh_in_use",
        title="Ask GLEIF again for the LEIs in use",
        upstream=True,
        lease=2 * HOUR,
        every=DAY,
        stops="LEIs in use are not asked for again: what is known of owners grows old.",
    ),
    "signals.refresh_rates": JobSpec(
        handler="apps.reference.signals.tasks.refresh_exchange_rates",
        title="Fetch euro reference rates",
        upstream=True,
        every=6 * HOUR,
        stops="No exchange rate is fetched: amounts are valued by older rates.",
    ),
    "signals.refresh": JobSpec(
        handler="apps.reference.signals.tasks.refresh_due_feeds",
        title="Fetch the files of figures that are due",
        upstream=True,
        lease=HOUR,
        every=10 * MINUTE,
        stops="No figure is fetched: scores rest on older ones, and then on none.",
    ),
    "signals.fetch": JobSpec(
        handler="apps.reference.signals.tasks.fetch_one_feed",
        title="Fetch one file of figures",
        upstream=True,
    ),
    "intelligence.resolve": JobSpec(
        handler="apps.insight.intelligence.tasks.resolve_daily_forecasts",
        title="Write what came of foretold regimes",
        lease=HOUR,
        every=DAY,
        stops="What was foretold is not held against what came: the ledger shows it as pending.",
    ),
    "forecast.run": JobSpec(
        handler="apps.insight.forecast.tasks.run_forecast",
        title="Compute the commodity forecasts",
        lease=10 * MINUTE,
        every=HOUR,
        by_the_clock=True,
        retries=(MINUTE,),
        stops="Forecasts are computed by whoever asks first in an hour, and days may lack outlooks "
        "that are scored.",
    ),
    "forecast.resolve": JobSpec(
        handler="apps.insight.forecast.tasks.resolve_outlooks",
        title="Write what prices did after outlooks",
        lease=HOUR,
        every=DAY,
        stops="Outlooks are not held against what came: the page shows them as pending.",
    ),
    "signals.tidy": JobSpec(
        handler="apps.reference.signals.tasks.remove_unused_files",
        title="Remove files of figures on which nothing rests any more",
        every=DAY,
        stops="Files on which no figure rests stay, and the database grows.",
    ),
    "screening.tidy": JobSpec(
        handler="apps.compliance.screening.models.reports.delete_expired_reports",
        title="Remove ownership and PEP reports that have expired",
        every=HOUR,
        retries=(),
        stops="Reports that have expired stay in the database.",
    ),
    "stability.run": JobSpec(
        handler="apps.insight.stability.oracle.services.oracle_runs.run_oracle",
        title="Run the stability oracle",
        lease=5 * MINUTE,
        every=10 * MINUTE,
        by_the_clock=True,
        retries=(MINUTE,),
        stops="The oracle does not run: half an hour later it has no answer any more.",
        vital=True,
    ),
    "stability.narrate": JobSpec(
        handler="apps.insight.stability.oracle.services.run_notes.record_run_note",
        title="Ask a language model what it makes of a run of the oracle",
        upstream=True,
        lease=2 * MINUTE,
        retries=(),
    ),
    "stability.resolve": JobSpec(
        handler="apps.insight.stability.oracle.services.outcomes.resolve_due_days",
        title="Resolve how the weeks after runs of the oracle turned out",
        every=DAY,
        stops="Nothing is learnt about the weights of the oracle's tiers.",
    ),
    "stability.tidy": JobSpec(
        handler="apps.insight.stability.fees.services.quotes.delete_old_quotes",
        title="Remove quotes that nobody asks about any more",
        every=HOUR,
        retries=(),
        stops="Quotes that have expired stay, and the database grows.",
    ),
    "settlement.tidy": JobSpec(
        handler="apps.payments.settlement.retention.delete_old_rehearsals",
        title="Remove rehearsals of settlements that nobody asks about any more",
        every=DAY,
        first=HOUR,
        retries=(),
        stops="Old rehearsals of settlements stay, and the database grows.",
    ),
    "payments.advance": JobSpec(
        handler="apps.payments.payments.fair_queue.advance_payment_in_turn",
        title="Carry a payment on: check, price, settle",
        lane=PAYMENTS,
        lease=MINUTE,
    ),
    "chain.watch": JobSpec(
        handler="apps.payments.chain.tasks.watch_chain",
        title="Read a chain for transfers that are expected",
        upstream=True,
        lease=5 * MINUTE,
        retries=(MINUTE, MINUTE, 5 * MINUTE),
    ),
    "chain.sweep": JobSpec(
        handler="apps.payments.chain.tasks.enqueue_chain_watches",
        title="Look after chains on which transfers are expected",
        every=MINUTE,
        retries=(),
        stops="A chain whose reading was cut off is not read again until the next order.",
        vital=True,
    ),
    "chain.tell": JobSpec(
        handler="apps.payments.chain.notifications.notify_order_status",
        title="Tell who expects a transfer how it stands",
        retries=(MINUTE, 5 * MINUTE, HOUR),
    ),
    "pain001.work": JobSpec(
        handler="apps.payments.payments.pain001.services.accept_file.accept_file",
        title="Make payments of the transactions of a file",
        lease=2 * MINUTE,
    ),
    "pain001.sweep": JobSpec(
        handler="apps.payments.payments.pain001.tasks.enqueue_unfinished_files",
        title="Look after payment files that nothing works off",
        every=MINUTE,
        retries=(),
        stops="A payment file whose work was lost stays where it is.",
        vital=True,
    ),
    "pain001.tidy": JobSpec(
        handler="apps.payments.payments.pain001.tasks.delete_expired_files",
        title="Remove payment files after their retention",
        every=DAY,
        stops="Payment files, with the names and wallets in them, are kept for good.",
    ),
    "travelrule.count": JobSpec(
        handler="apps.payments.travelrule.tallies.count_sealed_events",
        title="Count sealed travel-rule records by month",
        every=MINUTE,
        retries=(),
        stops="Counts of travel-rule records, and the days that are flagged, stay as they are.",
    ),
    "travelrule.record": JobSpec(
        handler="apps.payments.travelrule.services.record_payments.record_settled_payments",
        title="Record settled payments under the travel rule",
        every=MINUTE,
        retries=(MINUTE, 5 * MINUTE),
        stops="Settled payments are recorded only as others settle after them.",
        vital=True,
    ),
    "travelrule.transmit": JobSpec(
        handler="apps.payments.travelrule.sending.attempts.transmit_message",
        title="Send a travel-rule message to a counterparty",
        upstream=True,
        lease=2 * MINUTE,
        retries=(MINUTE, 5 * MINUTE),
    ),
    "travelrule.screen_parties": JobSpec(
        handler="apps.payments.travelrule.screening.tasks.screen_message_parties",
        title="Screen the parties of a counterparty's message",
        upstream=True,
        lease=5 * MINUTE,
        # the run after the last of these gives it to an officer
        retries=(MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, MINUTE),
    ),
    "travelrule.sweep_screens": JobSpec(
        handler="apps.payments.travelrule.screening.tasks.plan_lost_screenings",
        title="Look for counterparties' messages whose parties nothing screens",
        every=HOUR,
        retries=(),
        stops="A message whose screen was lost has its parties not screened.",
        vital=True,
    ),
    "travelrule.send_later": JobSpec(
        handler="apps.payments.travelrule.sending.send_stored.send_stored_records",
        title="Send stored messages to a counterparty that is in the directory now",
        lease=HOUR,
    ),
    "travelrule.sweep": JobSpec(
        handler="apps.payments.travelrule.sending.attempts.enqueue_missed_attempts",
        title="Look for travel-rule messages that nothing sends",
        every=5 * MINUTE,
        retries=(),
        stops="A message whose sending was lost is not sent.",
        vital=True,
    ),
    "travelrule.tidy": JobSpec(
        handler="apps.payments.travelrule.services.repeated_messages.delete_past_counts",
        title="Remove counts of travel-rule messages that are alike",
        every=DAY,
        retries=(),
        stops="Counts of past days stay, a row for each message, and the database grows.",
    ),
    "travelrule.root": JobSpec(
        handler="apps.payments.travelrule.proofs.roots.sign_sealed_root",
        title="Sign the root of the travel-rule ledger",
        every=MINUTE,
        retries=(),
        stops="No root of the travel-rule ledger is signed: new records have no proof.",
        vital=True,
    ),
    "banking.route": JobSpec(
        handler="apps.payments.banking.services.route_deposit.route_waiting_deposit",
        title="Have a tagged bank payment quoted",
        lease=2 * MINUTE,
    ),
    "banking.save_recipient": JobSpec(
        handler="apps.payments.banking.services.recipients.save_pending_recipient",
        title="Save a recipient at the bank",
        upstream=True,
        lease=2 * MINUTE,
    ),
    "banking.send": JobSpec(
        handler="apps.payments.banking.services.submit_send.submit_send",
        title="Have the bank send a payment",
        upstream=True,
        lease=2 * MINUTE,
        retries=(MINUTE, 5 * MINUTE, 30 * MINUTE),
    ),
    "banking.reconcile": JobSpec(
        handler="apps.payments.banking.services.reconciliation.reconcile_statements",
        title="Compare payments with the bank's statement",
        upstream=True,
        lease=HOUR,
        every=DAY,
        stops="Payments are not compared with the bank's statement: a difference stays unnoticed.",
    ),
    "banking.sweep": JobSpec(
        handler="apps.payments.banking.tasks.enqueue_overdue_work",
        title="Look after bank payments that nothing carries on",
        every=MINUTE,
        retries=(),
        stops="A tagged bank payment whose work was lost is not quoted.",
        vital=True,
    ),
    "travelrule.stamp": JobSpec(
        handler="apps.payments.travelrule.proofs.stamping.stamps.stamp_last_root",
        title="Have the root of the travel-rule ledger time-stamped",
        upstream=True,
        lease=2 * MINUTE,
        retries=(MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, HOUR, HOUR, HOUR),
    ),
    "payments.sweep": JobSpec(
        handler="apps.payments.payments.services.advance_payment.enqueue_overdue_payments",
        title="Look after payments that nothing carries on",
        every=MINUTE,
        retries=(),
        stops="A payment whose work was lost stays where it is.",
        vital=True,
    ),
    "esgoracle.run": JobSpec(
        handler="apps.insight.esg.oracle.services.oracle_runs.run_live_score",
        title="Compute the live ESG score",
        every=10 * MINUTE,
        by_the_clock=True,
        retries=(MINUTE,),
        stops="The live ESG score is not computed: half an hour later there is none any more.",
        vital=True,
    ),
    "paywall.reconcile": JobSpec(
        handler="apps.access.paywall.tasks.reconcile_payment",
        title="Ask what became of a payment",
        upstream=True,
        lease=2 * MINUTE,
    ),
    "paywall.sweep": JobSpec(
        handler="apps.access.paywall.tasks.sweep_payments",
        title="Look after payments that were cut off, expired sessions and old answers",
        every=MINUTE,
        retries=(),
        stops="Payments that were cut off stay open, and expired sessions are not closed.",
        vital=True,
    ),
    "review.escalate_overdue": JobSpec(
        handler="apps.backoffice.review.tasks.escalate_overdue",
        title="Escalate cases that are past due",
        every=5 * MINUTE,
        retries=(),
        stops="Cases that are past due wait where they are: no senior is told.",
        vital=True,
    ),
    "review.wake_known": JobSpec(
        handler="apps.backoffice.review.tasks.wake_known",
        title="Wake known false positives whose listed entry changed",
        every=DAY,
        stops="A known false positive sleeps on although its listed entry changed.",
    ),
    "ongoing.rescreen": JobSpec(
        handler="apps.compliance.screening.tasks.rescreen_parties",
        title="Hold known parties against what changed on a list",
        lease=2 * HOUR,
        every=HOUR,
        stops="Known parties are held against a change of a list only as it goes live: one that "
        "was missed stays so.",
    ),
    "ongoing.file_parties": JobSpec(
        handler="apps.compliance.screening.tasks.refresh_party_index",
        title="File known parties, so that a change is held against them quickly",
        lease=2 * HOUR,
        every=6 * HOUR,
        retries=(),
        stops="Known parties are filed only as a list changes: that run then takes longer.",
    ),
    "registry.look_again": JobSpec(
        handler="apps.compliance.payees.tasks.refresh_lei_statuses",
        title="Look again at the LEIs of registered wallets",
        every=DAY,
        stops="An LEI that lapses is not marked in the registrar's list, nor refreshed for long.",
    ),
    "registry.change_entity": JobSpec(
        handler="apps.compliance.payees.services.entity_changes.apply_entity_change",
        title="Let another entity of a wallet count after its cooling-off",
        upstream=True,
    ),
    "registry.check_import": JobSpec(
        handler="apps.compliance.payees.imports.tasks.check_import",
        title="Check the lines of an import of wallets",
        upstream=True,
    ),
    "registry.tidy_imports": JobSpec(
        handler="apps.compliance.payees.imports.retention.delete_old_import_lines",
        title="Remove the lines of imports of wallets after 90 days",
        every=DAY,
        stops="Lines of old imports, with the names and wallets in them, are kept for good.",
    ),
    "registry.run_import": JobSpec(
        handler="apps.compliance.payees.imports.tasks.run_import",
        title="Register the wallets of an import",
        upstream=True,
    ),
    "esg.look_up": JobSpec(
        handler="apps.insight.esg.services.entity_lookups.look_up_entity",
        title="Ask the ESG sources about an entity",
        upstream=True,
    ),
    "esg.refresh_countries": JobSpec(
        handler="apps.insight.esg.services.entity_lookups.refresh_country_figures",
        title="Fetch ESG references of countries",
        upstream=True,
        every=30 * DAY,
        stops="References of countries are not fetched: new entities are scored by older ones.",
    ),
    "callbacks.send": JobSpec(
        handler="apps.payments.callbacks.tasks.send_due_callbacks",
        title="Call back what is due",
        lane=CALLBACKS,
        lease=2 * MINUTE,
        retries=(MINUTE, 5 * MINUTE),
    ),
    "callbacks.sweep": JobSpec(
        handler="apps.payments.callbacks.tasks.send_missed_callbacks",
        title="Look for callbacks that were left behind",
        lane=CALLBACKS,
        every=MINUTE,
        retries=(),
        stops="Callbacks whose sender was stopped are not sent again.",
        vital=True,
    ),
    "callbacks.tidy": JobSpec(
        handler="apps.payments.callbacks.retention.blank_expired_bodies",
        title="Blank the bodies of callbacks after their time",
        every=DAY,
        stops="Bodies of callbacks, with what they say of people, are kept for good.",
    ),
    "oversight.sample": JobSpec(
        handler="apps.backoffice.oversight.tasks.sample_previous_month",
        title="Sample last month's closed cases",
        every=DAY,
        stops="No closed case is drawn for a second look.",
    ),
}


def job_title(name: str) -> str:
    """Return what a job is called, by its name here; one of another release is called so."""
    return JOBS[name].title if name in JOBS else name
