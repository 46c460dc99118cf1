from typing import Any

from django.db import migrations, models

DECIDED = models.Q(decision__in=["FLAGGED", "BLOCKED"])


def index_rules(apps: Any, editor: Any) -> None:
    """Index the names of rules that held, where the database can index what is in a text."""
    if editor.connection.vendor == "postgresql":
        editor.execute(
            "CREATE INDEX IF NOT EXISTS screen_rules ON screening_screen USING gin "
            "(string_to_array(rules, '; ')) WHERE rules <> ''"
        )


def drop_index(apps: Any, editor: Any) -> None:
    """Take the index away again."""
    if editor.connection.vendor == "postgresql":
        editor.execute("DROP INDEX IF EXISTS screen_rules")


class Migration(migrations.Migration):

    dependencies = [
        ('screening', '0008_found_by_party'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='screen',
            index=models.Index(fields=['decision', '-id'], condition=DECIDED, name='screen_decided'),
        ),
        migrations.AddIndex(
            model_name='screen',
            index=models.Index(fields=['owner', 'decision', '-id'], condition=DECIDED, name='screen_owner_decided'),
        ),
        migrations.AddIndex(
            model_name='screen',
            index=models.Index(fields=['-id'], condition=models.Q(sample=True), name='screen_sample'),
        ),
        migrations.RunPython(index_rules, drop_index),
    ]
