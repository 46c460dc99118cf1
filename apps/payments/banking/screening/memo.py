"""Screen the names in a payment's note against the sanctions lists."""

from apps.payments.banking.models import Send
from apps.payments.banking.rules.payers import split_into_pieces
from apps.payments.banking.rules.settlement_tags import remove_tags
from apps.reference.watchlists import lookup
from apps.reference.watchlists.budgeted_name_search import OVER_BUDGET
from apps.reference.watchlists.engine import Engine
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.matching.thresholds import BELOW_MATCH
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, to_whole_percent
from apps.reference.watchlists.subjects import Subject

MAX_LISTED_NAMES = 5
# the score of a whole listed name within other words
SEGMENT_SCORE = to_whole_percent(BELOW_MATCH)


def find_listed_names(engine: Engine, words: str) -> tuple[str, ...]:
    """Return the listed parties that a text names; each of its pieces is compared whole."""
    names: dict[str, None] = {}
    for piece in split_into_pieces(words):
        looked_up = lookup.match_sanctions(engine=engine, subject=Subject(name=piece))
        hits = looked_up.matches
        names |= dict.fromkeys(f"{hit.name} ({hit.dataset})" for hit in hits if _is_named(hit))
        if OVER_BUDGET in looked_up.unread:
            # counts as a listed name, so that an officer reads the note (DESIGN section 4, Fail
            # closed)
            names[f"{piece} (not compared: it takes too long)"] = None
    return tuple(names)[:MAX_LISTED_NAMES]


def payment_memo_of(row: Send) -> str:
    """Return the payer's own text in a payment out of an account."""
    return " ".join(remove_tags(text) for text in (row.note, row.additional_info) if text)


def _is_named(list_match: ListMatch) -> bool:
    return list_match.score >= BLOCK_SCORE or (
        list_match.part == "SEGMENT" and list_match.score >= SEGMENT_SCORE
    )
