"""How the notes on registrations begin (apps/review/rules/notes.py). Pure."""

from apps.review.rules.notes import GAP, Template, Told


def about(words: str, rules: frozenset[str]) -> Template:
    """Return a note that says what of these rules brought the case here, and leaves a gap."""

    def template(told: Told) -> str:
        said = " ".join(text for ref, text in told.rules.items() if ref in rules)
        return f"{said} {words}: {GAP}".strip()

    return template
