"""Register how the app's tables are protected against changes in the database."""

from apps.platform.ledger.table_proofs import GONE, MONEY, TableProof, TableProofs

PROOFS = TableProofs(
    proved={
        "callbacks.Event": TableProof(
            MONEY, where="asked before it is called back or read in the feed"
        ),
    },
    uncompared={
        "callbacks.Event": (
            ((GONE,), "nobody is called back; the state of what it was about is proved by itself"),
        ),
    },
    beside={
        "callbacks.Attempt": "a log of deliveries",
        "callbacks.Delivery": "an event is called back as it was published, to the address in it",
        "callbacks.Endpoint": "an event is called back as it was published, to the address in it",
        "callbacks.FeedEntry": "the order of events, each of which carries a MAC",
        "callbacks.FeedHead": "the number of the last event of a feed",
        "callbacks.Secret": "which generation signs; secrets derive from a key outside the "
        "database",
        "callbacks.Step": "a log of what operators did with callbacks",
        "callbacks.Unnumbered": "events that wait for their number in a feed",
    },
)
