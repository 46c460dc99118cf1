"""Filter rows by many numbers: one array parameter on PostgreSQL, where `__in` makes one of each.

Checking and adapting five hundred parameters one by one takes longer than the rows that they find.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import BooleanField, F, Func


class InArray(Func):
    """A condition that a column of whole numbers has one of some values.

    Use it as `filter(InArray("record_id", ids))`.
    """

    output_field = BooleanField()
    template = "%(expressions)s"
    arity = 1

    def __init__(self, column: str, numbers: Sequence[int], **more: Any) -> None:
        super().__init__(F(column), **more)
        self.numbers = list(numbers)

    def as_sql(  # type: ignore[override]
        self, compiler: Any, connection: Any, **more: Any
    ) -> tuple[str, Any]:
        """Return the condition with a parameter for each number; no numbers match nothing."""
        sql, params = super().as_sql(compiler, connection, **more)
        # `IN ()` is a syntax error in SQL; NULL equals nothing
        marks = ", ".join(["%s"] * len(self.numbers)) or "NULL"
        return f"{sql} IN ({marks})", [*params, *self.numbers]

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> tuple[str, Any]:
        """Return the condition with one parameter, which is served by the same index."""
        sql, params = super().as_sql(compiler, connection, **more)
        return f"{sql} = ANY(%s::bigint[])", [*params, self.numbers]
