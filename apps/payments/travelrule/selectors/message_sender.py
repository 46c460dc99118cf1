"""Who sent a message: the directory's entry whose key signed it, else what the message says."""

from collections.abc import Mapping
from typing import Any

from apps.payments.travelrule import message_readers
from apps.payments.travelrule.authentication import VASP_PREFIX
from apps.payments.travelrule.models import Vasp
from apps.payments.travelrule.party_index import split_words


def load_message_sender(ref: str, message: Mapping[str, Any]) -> tuple[tuple[str, str], bool]:
    """Return name and LEI of a message's sender, and whether the message names another.

    `ref` is the authenticated caller. The owner of a key of its own is known by the directory,
    whatever the message says; one query.
    """
    sending_vasp = message_readers.vasp_of(message, "originating")
    lei_of_key = ref.removeprefix(VASP_PREFIX) if ref.startswith(VASP_PREFIX) else ""
    vasp = Vasp.objects.filter(lei=lei_of_key).first() if lei_of_key else None
    if vasp is None:
        return sending_vasp, False
    name, lei = sending_vasp
    # names are written in many ways: they count only where the message gives no LEI
    other = lei != vasp.lei if lei else bool(name) and split_words(name) != split_words(vasp.name)
    return (vasp.name, vasp.lei), other
