"""Undoes disguises of letters: look-alikes of other scripts, digits for letters, letters apart."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from apps.reference.names.field.word_tests import is_distinctive_name
from apps.reference.names.scripts.lookalikes import (
    LEET,
    LEET_WITH_L,
    SIGNS,
    TO_LATIN,
    replace_lookalikes,
)
from apps.reference.names.scripts.script_detection import scripts_of, unify_script
from apps.reference.names.scripts.text_cleaning import normalize_letters, unescape_text
from apps.reference.watchlists.namefield.stray_signs import (
    ODD,
    has_stray_signs,
    iter_without_stray_signs,
    strip_number_signs,
)

MIXED = "a word mixes letters of several scripts."
APART = "its letters are spaced, so its words are not recognisable."
_LEET_WORD = re.compile(
    rf"(?<![^\W_])((?=[\w{re.escape(SIGNS)}]*[^\W\d_])[\w{re.escape(SIGNS)}]*"
    rf"[\d{re.escape(SIGNS)}][\w{re.escape(SIGNS)}]*)"
)
_SIGN_BEFORE = re.compile(rf"[\d{re.escape(SIGNS)}][^\W\d_]")
_SHORTEST = 3  # letters of a word in which digits may stand for letters: `3M`, `4x` are names
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|er|e)?$", re.IGNORECASE)
# five or more single letters with the same kind of gap between them
_APART = re.compile(r"(?<![^\W_])[^\W\d_](?:[\s.\-_*'’·+/\\|,~^=#]{1,3}[^\W\d_]){4,}(?![^\W_])")
_GAP = re.compile(r"[\W\d_]+")
_LETTER = re.compile(r"[^\W\d_]")
_LONG_INITIALS = 8  # letters with dots: fewer may be initials and a legal form (`S.G.P.S., S.A.`)
_HYPHENED = re.compile(r"(?<=[^\W\d_]{2})-(?=[^\W\d_]{2})")
_DOUBLED = re.compile(r"(?<![^\W_])(?:([^\W\d_])\1){3,}(?![^\W_])", re.IGNORECASE)
RUN_TOGETHER = 10  # letters of names that are written without a space
_SITE = re.compile(r"\b(?:https?:/*)?(?:www\.)?([a-z][a-z\d-]{7,40})\.[a-z]{2,6}\b", re.IGNORECASE)
_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_FORM_BEHIND = re.compile(
    r"(?:company|co)?(?:limited|ltda|ltd|co|llc|gmbh|sarl|inc|corp|corporation|spa|plc|pjsc|ojsc|jsc|fze"
    r"|company|(?<=[a-z])S\.?A\.?|(?<=[A-Z])S\.A)\.?$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class UndisguisedText:
    """A plain text with each word in one script, other readings, and what to tell an officer."""

    text: str
    readings: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


def read_without_odd_signs(text: str) -> tuple[list[str], list[str]]:
    """Return the readings of a text as it was written without odd signs, and what to tell."""
    written = unescape_text(text)
    if not has_stray_signs(written):
        return [], []
    return [normalize_letters(strip_number_signs(written))], [ODD]


def undisguise_text(text: str) -> UndisguisedText:
    """Return what a human reads in a plain text; never raises."""
    undisguised_text = UndisguisedText(text)
    if not text.isascii():
        # a word that is all look-alikes is read in the other script too
        words = re.split(r"([^\w]+)", undisguised_text.text)
        scripts = [scripts_of(word) for word in words]
        out, alike = [], []
        for word, held in zip(words, scripts, strict=True):
            if len(held) > 1:
                undisguised_text.unread.append(MIXED)
                word = unify_script(word, held)
            out.append(word)
            looks = held and "LATIN" not in held and all(one in TO_LATIN for one in word)
            alike.append(replace_lookalikes(word) if looks else word)
        letters = [place for place, held in enumerate(scripts) if held]
        changed = [place for place in letters if alike[place] != out[place]]
        latin = any("LATIN" in scripts[place] for place in letters)
        # a whole Cyrillic name has such words by chance: the reading is likely only beside Latin
        # words, or if every word can be read so
        if changed and (latin or len(changed) == len(letters)):
            undisguised_text.readings.append("".join(alike))
        undisguised_text.unread = list(dict.fromkeys(undisguised_text.unread))
        undisguised_text.text = "".join(out)
    _join_spaced_letters(undisguised_text)
    undisguised_text.readings += iter_without_stray_signs(undisguised_text.text)
    _read_signs_as_letters(undisguised_text)
    # over a copy of the readings, since the loop adds to them
    for reading in (undisguised_text.text, *undisguised_text.readings):
        # add what a text says without hyphens in its words, doubled letters, or run together
        if len(_HYPHENED.findall(reading)) > 1:
            undisguised_text.readings.append(_HYPHENED.sub("", reading))
        if _DOUBLED.search(reading):
            # each letter is written twice, so every second one is the word
            undisguised_text.readings.append(_DOUBLED.sub(lambda word: word[0][::2], reading))
        if len(reading) >= RUN_TOGETHER and " " not in reading.strip():
            undisguised_text.readings.append(_CASE.sub(" ", reading))
            form = _FORM_BEHIND.search(reading)
            if form:
                undisguised_text.readings.append(reading[: form.start()])
    undisguised_text.readings = [
        one for one in dict.fromkeys(undisguised_text.readings) if one != undisguised_text.text
    ]
    return undisguised_text


def _join_spaced_letters(undisguised_text: UndisguisedText) -> None:
    """Also join spaced letters to words: wider gaps divide them, else they are one word."""
    runs = [run[0] for run in _APART.finditer(undisguised_text.text)]
    if not runs:
        return
    undisguised_text.readings.append(
        _APART.sub(lambda run: _close_letter_gaps(run[0]), undisguised_text.text)
    )
    if any("." not in run or len(_LETTER.findall(run)) >= _LONG_INITIALS for run in runs):
        undisguised_text.unread.append(APART)


def _close_letter_gaps(run: str) -> str:
    gaps = _GAP.findall(run)
    usual = min(map(len, gaps))
    return _GAP.sub(lambda gap: " " if len(gap[0]) > usual else "", run)


def _read_signs_as_letters(undisguised_text: UndisguisedText) -> None:
    """Add what a text says when the digits and signs within words stand for letters."""
    for table in (LEET, LEET_WITH_L):
        pieces = _LEET_WORD.split(undisguised_text.text)  # each second one is such a word
        if not any(map(_is_spelt_with_signs, pieces[1::2])):
            return
        read = [one.translate(table) if n % 2 else one for n, one in enumerate(pieces)]
        undisguised_text.readings.append("".join(read))


def _is_spelt_with_signs(word: str) -> bool:
    """Return whether a sign or digit precedes a letter: at the end it may be a number."""
    inside = _SIGN_BEFORE.search(word) is not None
    return inside and len(word) >= _SHORTEST and not _ORDINAL.fullmatch(word)


def may_be_run_together(text: str) -> bool:
    """Return whether a plain text may hold hyphens within words, doubled letters or lost spaces."""
    if len(text) >= RUN_TOGETHER and " " not in text.strip():
        return True
    if _SITE.search(text):
        return True
    return text.count("-") > 1 or _DOUBLED.search(text) is not None


def iter_site_names(text: str) -> Iterator[str]:
    """Yield the names of addresses of the web in a text: `www.anna-muller.com`."""
    for site in _SITE.finditer(text):
        name = _CASE.sub(" ", site[1]).replace("-", " ")
        if is_distinctive_name(name):
            yield name
