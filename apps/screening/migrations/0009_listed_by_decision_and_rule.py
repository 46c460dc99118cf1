from typing import Any

from django.db import migrations, models

from apps.core.indexing import AddIndexBesideWriters, beside_writers

DECIDED = models.Q(decision__in=["FLAGGED", "BLOCKED"])


def index_rules(apps: Any, editor: Any) -> None:
    """Index the names of rules that held, where the database can index what is in a text."""
    if editor.connection.vendor == "postgresql":
        editor.execute(
            f"CREATE INDEX {_beside(editor)} screen_rules ON screening_screen USING gin "
            "(string_to_array(rules, '; ')) WHERE rules <> ''"
        )


def drop_index(apps: Any, editor: Any) -> None:
    """Take the index away again."""
    if editor.connection.vendor == "postgresql":
        editor.execute(f"DROP INDEX {_beside(editor)} screen_rules")


def _beside(editor: Any) -> str:
    return "CONCURRENTLY" if beside_writers(editor, "screening_screen") else ""


class Migration(migrations.Migration):

    atomic = False  # no writer waits for an index
    dependencies = [
        ('screening', '0008_found_by_party'),
    ]

    operations = [
        AddIndexBesideWriters(
            model_name='screen',
            index=models.Index(fields=['decision', '-id'], condition=DECIDED, name='screen_decided'),
        ),
        AddIndexBesideWriters(
            model_name='screen',
            index=models.Index(fields=['owner', 'decision', '-id'], condition=DECIDED, name='screen_owner_decided'),
        ),
        AddIndexBesideWriters(
            model_name='screen',
            index=models.Index(fields=['sample', '-id'], name='screen_sample'),
        ),
        AddIndexBesideWriters(
            model_name='screen',
            index=models.Index(fields=['recorded_at'], name='screen_day'),
        ),
        migrations.RunPython(index_rules, drop_index),
    ]
