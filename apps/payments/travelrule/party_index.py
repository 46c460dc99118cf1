"""Find records by name and account, which are stored only as keyed digests of words."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.payments.payments.instructions import Party as InstructedParty
from apps.payments.travelrule.models import Party, PartyToken
from apps.platform.crypto import macs

# words, and as many accounts, by which one party is found: a sender must not fill the index
MAX_WORDS = 60
MAX_MATCHES = 1000  # parties found by one search
_WORD = re.compile(r"\w+")
# letters that Unicode does not decompose into a letter and a mark
_BARE = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h",
     "ŧ": "t", "ŋ": "n"}
)  # fmt: skip
# how German and Nordic letters are spelled out
_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


@dataclass(frozen=True, slots=True)
class NamedSide:
    """A side of a transfer: every name and every account that a message gives it."""

    names: tuple[str, ...]
    accounts: tuple[str, ...]


def split_words(name: str) -> list[str]:
    """Return the words of a name as they are compared: without marks, in small letters."""
    plain = unicodedata.normalize("NFKD", name)
    bare = "".join(character for character in plain if not unicodedata.combining(character))
    return _WORD.findall(bare.casefold())


def list_spellings(name: str) -> list[set[str]]:
    """Return the spellings of each word of a name: with its marks left out, or spelled out.

    Müller is Muller and Mueller, Ørsted is Orsted and Oersted.
    """
    small = unicodedata.normalize("NFC", name).casefold()
    forms = (small, small.translate(_BARE), small.translate(_SPELLED).translate(_BARE))
    return [
        set(spellings) for spellings in zip(*(split_words(form) for form in forms), strict=True)
    ]


def word_token(word: str) -> str:
    """Return the keyed digest of a word."""
    return macs.keyed_digest(what="travel-rule word", of=[word])


def account_token(account: str) -> str:
    """Return the keyed digest of an account; letters count by neither case (a wallet has both)."""
    return macs.keyed_digest(what="travel-rule account", of=[_normalize_account(account)])


def _normalize_account(account: str) -> str:
    return "".join(account.split()).casefold()


def party_token(side: NamedSide) -> str:
    """Return the keyed digest that identifies a party; empty without a party."""
    # Capitals, punctuation and spaces make no difference: whoever splits a payment to stay below
    # the threshold would vary them. A name of signs alone has no words and counts as it is.
    if not (side.names or side.accounts):
        return ""
    names = [" ".join(_WORD.findall(unicodedata.normalize("NFC", name).casefold())) or name
             for name in side.names]  # fmt: skip
    # the empty text separates names from accounts
    return macs.keyed_digest(
        what="travel-rule party", of=[*names, "", *map(_normalize_account, side.accounts)]
    )


def search_tokens(side: NamedSide) -> set[str]:
    """Return the keyed digests by which a side is found: of its words and its accounts."""
    words = [word for name in side.names for word in list_spellings(name)]
    tokens_of_words = dict.fromkeys(token for word in words for token in sorted(word))
    tokens = {word_token(word) for word in list(tokens_of_words)[:MAX_WORDS]}
    return tokens | {account_token(account) for account in side.accounts[:MAX_WORDS]}


def get_or_create_parties(sides: Iterable[NamedSide]) -> dict[NamedSide, int]:
    """Return the party of each side, made where it is new; four statements at most."""
    named = {side: party_token(side) for side in sides}
    sides_by_token = {token: side for side, token in named.items()}
    if not sides_by_token:
        return {}
    known = set(Party.objects.filter(token__in=sides_by_token).values_list("token", flat=True))
    # sorted: two transactions that insert the same parties wait for each other in one order
    fresh = [token for token in sorted(sides_by_token) if token not in known]
    if fresh:
        Party.objects.bulk_create([Party(token=token) for token in fresh], ignore_conflicts=True)
    ids_by_token = dict(Party.objects.filter(token__in=sides_by_token).values_list("token", "pk"))
    if fresh:
        rows = [
            PartyToken(party_id=ids_by_token[token], token=name_token)
            for token in fresh
            for name_token in sorted(search_tokens(sides_by_token[token]))
        ]
        PartyToken.objects.bulk_create(rows, ignore_conflicts=True)
    return {side: ids_by_token[token] for side, token in named.items()}


def find_matching_parties(*, name: str = "", account: str = "") -> Sequence[int] | None:
    """Return the parties with all words of a name and an account; None if neither is given.

    At most MAX_MATCHES, the newest first.
    """
    tokens = [
        [word_token(word_part) for word_part in sorted(word)] for word in list_spellings(name)
    ]
    tokens += [[account_token(account)]] if account.strip() else []
    if not tokens:
        return [] if name.strip() else None
    parties = Party.objects.order_by("-pk")
    for token in tokens:
        parties = parties.filter(pk__in=PartyToken.objects.filter(token__in=token).values("party"))
    return list(parties.values_list("pk", flat=True)[:MAX_MATCHES])


def accounts_of(party: InstructedParty) -> tuple[str, ...]:
    """Return a party's wallet, then its other accounts."""
    return tuple(account for account in (party.wallet, *party.accounts) if account)


def build_named_side(party: InstructedParty, ultimate: InstructedParty | None = None) -> NamedSide:
    """Return by what a side of an instruction is found: a party, and whom it acts for."""
    behind = (ultimate,) if ultimate is not None and ultimate.name else ()
    sides = (party, *behind)
    accounts = dict.fromkeys(account for side in sides for account in accounts_of(side))
    return NamedSide(tuple(dict.fromkeys(side.name for side in sides)), tuple(accounts))
