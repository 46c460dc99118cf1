"""The mutants by room. A row: name, file, text before, text after, what it breaks, its tests."""

Row = tuple[str, str, str, str, str, tuple[str, ...]]
