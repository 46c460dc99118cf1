"""How the notes on registrations begin (apps/backoffice/review/rules/note_templates.py). Pure."""

from apps.backoffice.review.rules.note_templates import GAP, NoteFacts, Template


def build_reason_template(words: str, rules: frozenset[str]) -> Template:
    """Return a note that says what of these rules brought the case here, and leaves a gap."""

    def template(note_facts: NoteFacts) -> str:
        sentence = " ".join(text for ref, text in note_facts.rules.items() if ref in rules)
        return f"{sentence} {words}: {GAP}".strip()

    return template
