"""Find the screens in which a rule held, among millions of them."""

from collections.abc import Sequence
from typing import Any

from django.db.models import BooleanField, F, Func

NAME_SEPARATOR = "; "
# the expression of the index `screen_rules` (migration 0001): PostgreSQL uses an index on an
# expression only for conditions in exactly these words
NAMES_OF = "string_to_array({column}, '; ')"


class ContainsRuleName(Func):
    """Whether one of some names is among those that a column holds, "; " between them."""

    output_field = BooleanField()  # a condition: it may be filtered by as it is

    def __init__(self, column: str, names: Sequence[str]) -> None:
        super().__init__(F(column))
        self.names = tuple(dict.fromkeys(names))

    def as_sql(
        self, compiler: Any, connection: Any, *_: Any, **__: Any
    ) -> tuple[str, tuple[Any, ...]]:
        """Search the text, on databases without such an index."""
        column, params = compiler.compile(self.source_expressions[0])
        # separators around both: `pep.match` must not be found in a longer code
        text = f"instr('{NAME_SEPARATOR}' || {column} || '{NAME_SEPARATOR}', %s) > 0"
        needles = [f"{NAME_SEPARATOR}{name}{NAME_SEPARATOR}" for name in self.names]
        values = tuple(value for needle in needles for value in (*params, needle))
        return f"({' OR '.join([text] * len(needles))})", values

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Ask by the index."""
        column, params = compiler.compile(self.source_expressions[0])
        # the index is partial (WHERE rules <> ''), and is used only if the condition repeats that
        names = NAMES_OF.format(column=column)
        return f"({column} <> '' AND {names} && %s::text[])", (*params, *params, [*self.names])
