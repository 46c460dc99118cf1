"""Register how the app's tables are protected against changes in the database."""

from apps.platform.ledger.table_proofs import GONE, MONEY, TableProof, TableProofs

PROOFS = TableProofs(
    proved={
        "callbacks.Event": TableProof(
            MONEY, where="verified before a callback is sent or the feed returns it"
        ),
    },
    uncompared={
        "callbacks.Event": (
            ((GONE,), "no callback is sent; the object's own state is verified separately"),
        ),
    },
    beside={
        "callbacks.Attempt": "a log of deliveries",
        "callbacks.Delivery": "a callback sends the event as published, to the address in it",
        "callbacks.Endpoint": "a callback sends the event as published, to the address in it",
        "callbacks.FeedEntry": "the order of events, each of which carries a MAC",
        "callbacks.FeedHead": "the number of the last event of a feed",
        "callbacks.Secret": "the generation that signs; secrets derive from a key outside the "
        "database",
        "callbacks.Step": "a log of operators' actions on callbacks",
        "callbacks.Unnumbered": "events waiting for their number in a feed",
    },
)
