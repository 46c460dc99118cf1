"""Marks of figures that are not real: from the bundled sample, or invented. Pure.

A sentence, figure, chart or table bears the mark of the parts that it was read from.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

SAMPLE, INVENTED = "SAMPLE", "SAMPLE+INVENTED"
MARK_MEANINGS: Mapping[str, str] = {
    SAMPLE: "demonstration figures, not current publisher data",
    INVENTED: "demonstration figures, some of them invented",
}


class TracedData(Mapping[str, Any]):
    """Data of a report that record which parts were read."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        # reading first: a part that is not there marks nothing
        part = self._data[name]
        self.read.add(name)
        return part

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)


def mark_of_sources(words: Iterable[str]) -> str:
    """Return the mark of what rests on sources that say SAMPLE or INVENTED; empty for others."""
    parts = {part for word in words for part in word.split("+")}
    return INVENTED if "INVENTED" in parts else SAMPLE if "SAMPLE" in parts else ""


def mark_of_parts(marks: Mapping[str, str], part_names: Iterable[str]) -> str:
    """Return the mark of what was read from some parts: the most severe of theirs."""
    return mark_of_sources(marks.get(name, "") for name in part_names)


def append_mark(text: str, mark: str) -> str:
    """Return a text with its mark, or unchanged without one."""
    return f"{text} [{mark}]" if text and mark else text
