"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.payments.travelrule.proofs.roots import sign_sealed_root
from apps.payments.travelrule.proofs.stamping.stamps import stamp_last_root
from apps.payments.travelrule.screening.tasks import plan_lost_screenings, screen_message_parties
from apps.payments.travelrule.sending.attempts import enqueue_missed_attempts, transmit_message
from apps.payments.travelrule.sending.send_stored import send_stored_records
from apps.payments.travelrule.services.record_payments import record_settled_payments
from apps.payments.travelrule.services.repeated_messages import delete_past_counts
from apps.payments.travelrule.tallies import count_sealed_events
from apps.platform.jobs.registry import DAY, HOUR, MINUTE, JobSpec

JOBS = {
    "travelrule.count": JobSpec(
        handler=count_sealed_events,
        title="Count sealed travel-rule records by month",
        every=MINUTE,
        retries=(),
        stops="Counts of travel-rule records, and flagged days, are not updated.",
    ),
    "travelrule.record": JobSpec(
        handler=record_settled_payments,
        title="Record settled payments under the travel rule",
        every=MINUTE,
        retries=(MINUTE, 5 * MINUTE),
        stops="Settled payments are recorded only as others settle after them.",
        vital=True,
    ),
    "travelrule.transmit": JobSpec(
        handler=transmit_message,
        title="Send a travel-rule message to a counterparty",
        upstream=True,
        lease=2 * MINUTE,
        # of a run that crashed; the attempts at a message are planned in rules/transmissions.py
        retries=(MINUTE, 5 * MINUTE),
    ),
    "travelrule.screen_parties": JobSpec(
        handler=screen_message_parties,
        title="Screen the parties of a counterparty's message",
        upstream=True,
        lease=5 * MINUTE,
        # the run after the last of these does not screen: it opens a case for an officer
        retries=(MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, MINUTE),
    ),
    "travelrule.sweep_screens": JobSpec(
        handler=plan_lost_screenings,
        title="Screen counterparties' messages that were not screened",
        every=HOUR,
        retries=(),
        stops="The parties of a message whose screening job was lost are not screened.",
        vital=True,
    ),
    "travelrule.send_later": JobSpec(
        handler=send_stored_records,
        title="Send stored messages to a counterparty that is in the directory now",
        lease=HOUR,
    ),
    "travelrule.sweep": JobSpec(
        handler=enqueue_missed_attempts,
        title="Send travel-rule messages that were not sent",
        every=5 * MINUTE,
        retries=(),
        stops="A message whose sending job was lost is not sent.",
        vital=True,
    ),
    "travelrule.tidy": JobSpec(
        handler=delete_past_counts,
        title="Delete counts of identical travel-rule messages",
        every=DAY,
        retries=(),
        stops="Counts of past days, a row for each message, stay, and the database grows.",
    ),
    "travelrule.root": JobSpec(
        handler=sign_sealed_root,
        title="Sign the root of the travel-rule ledger",
        every=MINUTE,
        retries=(),
        stops="No root of the travel-rule ledger is signed: new records have no proof.",
        vital=True,
    ),
    "travelrule.stamp": JobSpec(
        handler=stamp_last_root,
        title="Have the root of the travel-rule ledger time-stamped",
        upstream=True,
        lease=2 * MINUTE,
        retries=(MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, HOUR, HOUR, HOUR),
    ),
}
