"""Split a name field at separators of names: brackets, semicolons, dashes, line numbers."""

import re

from apps.reference.names.field.markers import match_opening_marker
from apps.reference.names.field.word_tests import is_distinctive_name

_OPEN, _CLOSE = "([{<«【（「『〈《", ")]}>»】）」』〉》"
_DIVIDER = re.compile(
    r"\s*(?:[;|¦]|(?<![⺀-\ud7af])[•·]|[•·](?![⺀-\ud7af])|//|(?<=\s)[-–—―/\\~>=](?=\s))\s*"
)  # `奥萨马·本·拉登` is one name
_INITIALS = re.compile(r"(?:\w\.?){1,4}")  # behind a divider, a legal form or a class of shares
_COLON = re.compile(r"\s*[:：](?!\d)\s*")
_LINE = re.compile(r"(?:(?<=\s)|^)([1-8])/(?=\S)")  # lines of a structured field: 1/NAME 2/ADDRESS
_QUOTED = re.compile(r'(?:(?<=[\s,;])|^)["“”„]([^"“”„]{3,80})["“”](?=[\s,;)]|$)')


def extract_name_lines(text: str) -> str:
    """Return the name lines of a field of numbered lines (1 name, 2 address, 3 place; MT 50F)."""
    if not _LINE.match(text):
        return text
    # with a group in the pattern, `split` returns numbers and lines in turn
    _before, *rest = _LINE.split(text)
    lines = zip(rest[::2], rest[1::2], strict=True)
    return " ".join(line.strip() for number, line in lines if number == "1") or text


def split_at_dividers(text: str) -> list[str]:
    """Return the stretches between dividers; one that is not a name stays with the one before."""
    return _merge_nameless_pieces(_DIVIDER.split(text), between=" ")


def split_at_colons(text: str) -> list[str]:
    """Return the parts between colons; a part that is not a name stays with the part before."""
    return _merge_nameless_pieces(_COLON.split(text), between=": ")


def _merge_nameless_pieces(split: list[str], *, between: str) -> list[str]:
    found: list[str] = []
    for piece in split:
        if found and (_INITIALS.fullmatch(piece) or not is_distinctive_name(piece)):
            found[-1] += f"{between}{piece}"
        else:
            found.append(piece)
    return found


def find_quoted_names(text: str) -> list[str]:
    """Return the text in double quotation marks next to other words or other quotations."""
    found = [one for one in _QUOTED.findall(text) if is_distinctive_name(one)]
    return found if len(found) > 1 or is_distinctive_name(_QUOTED.sub(" ", text)) else []


def blank_brackets(text: str) -> str:
    """Return a text with blanks for its brackets."""
    return "".join(" " if letter in _OPEN + _CLOSE else letter for letter in text)


def split_brackets(text: str) -> tuple[str, list[str]]:
    """Return the text outside brackets, and that in each; a missing closing one ends the text.

    Text that is not a name by itself (a place, a legal form, a letter or two) is left in place.
    """
    outer, inner, depth, start = "", list[str](), 0, 0
    for place, letter in enumerate(text):
        if letter in _OPEN:
            if not depth:
                outer, start = outer + text[start:place], place + 1
            depth += 1
        elif letter in _CLOSE and depth:
            depth -= 1
            if not depth:
                outer += _keep_bracket_content(text[start:place], inner)
                start = place + 1
    # the bracket was never closed: a field may be cut off within it
    if depth:
        return outer + _keep_bracket_content(text[start:], inner), inner
    return outer + text[start:], inner


def _keep_bracket_content(content: str, inner: list[str]) -> str:
    """Return what of a bracket belongs to the name around it; what may be one goes to `inner`.

    Initials may be either: a legal form that is not well known, or another name.
    """
    if not (match_opening_marker(content) or is_distinctive_name(content)):
        return f" {content} "
    inner.append(content)
    return f" {content} " if _INITIALS.fullmatch(content) else " "
