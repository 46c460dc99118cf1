"""Who sent a message: the directory's entry whose key proves it, else what the message says."""

from collections.abc import Mapping
from typing import Any

from apps.payments.travelrule.authentication import VASP
from apps.payments.travelrule.ivms import message_readers
from apps.payments.travelrule.models import Vasp
from apps.payments.travelrule.party_index import split_words


def load_message_sender(ref: str, message: Mapping[str, Any]) -> tuple[tuple[str, str], bool]:
    """Return name and LEI of a message's sender, and whether the message names another.

    `ref` is who proved it. One whose key is its own is the directory's, whatever it writes; one
    query. LEIs are compared, and names only where the message gives none.
    """
    sending_vasp = message_readers.vasp_of(message, "originating")
    vasp = Vasp.objects.filter(lei=ref.removeprefix(VASP)).first() if ref.startswith(VASP) else None
    if vasp is None:
        return sending_vasp, False
    name, lei = sending_vasp
    other = lei != vasp.lei if lei else bool(name) and split_words(name) != split_words(vasp.name)
    return (vasp.name, vasp.lei), other
