"""Texts in the letters that IVMS 101.2023 takes: printable ASCII (rule D2b).

German and Nordic letters become those of passports (ICAO Doc 9303, part 3, section 6), other
scripts what rigour makes of them letter by letter. The name as it was instructed goes beside it,
among the local names.
"""

from rigour.text import ascii_text

from apps.payments.travelrule.ivms.text import is_within_charset

_PASSPORT = {
    "ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "æ": "ae", "ø": "oe", "œ": "oe", "ß": "ss",
    "þ": "th", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Æ": "Ae", "Ø": "Oe", "Œ": "Oe",
    "Þ": "Th",
}  # fmt: skip
_TRANSLATION = str.maketrans(_PASSPORT)


def transliterate_to_ascii(text: str, *, most: int = 100) -> str:
    """Return a text in printable ASCII, of at most `most` characters unless it was longer itself.

    What has no letters at all in ASCII is returned as it is: rule D2b reports it.
    """
    if is_within_charset(text, charset="2023"):
        return text
    # Spelling out (ü as ue) may exceed the element's length: then the letters without their marks.
    # A form that is still too long is reported by rule D1 or D2b, never cut.
    for written in (text.translate(_TRANSLATION), text):
        ascii_form = " ".join((ascii_text(written) or "").split())
        if (
            ascii_form
            and len(ascii_form) <= max(most, len(text))
            and is_within_charset(ascii_form, charset="2023")
        ):
            # Ü becomes Ue: in a name in capitals, UE
            return ascii_form.upper() if text.isupper() else ascii_form
    return text
