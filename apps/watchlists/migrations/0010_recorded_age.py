import json
from datetime import UTC

from django.db import migrations

from apps.core.clock import now
from apps.core.stamping import write_as

POLICY = (
    "enabled", "required", "max_age_hours", "minimum_percent", "urls", "kind", "topic", "columns",
)  # fmt: skip
FACTS = ("published_at", "by_hand", "partial")


def record_the_age_of_lists(apps, schema_editor):
    """Lists that were there before are recorded with kind, topic, mapping and age as they stand.

    What was recorded before stays as it was recorded: an upgrade blesses nothing.
    """
    records, moment = apps.get_model("watchlists", "ListRecord"), now()
    sources = apps.get_model("watchlists", "Source").objects.select_related("live")
    for source in sources.order_by("pk"):
        stated = {field: getattr(source, field) for field in POLICY}
        stated["checked_at"] = plain(source.last_checked_at)
        stated |= {field: plain(getattr(source.live, field, None)) for field in FACTS}
        last = records.objects.filter(slug=source.slug).order_by("-pk").first()
        said = json.loads(last.payload) if last else {}
        stated |= {field: said[field] for field in stated if field in said}
        write_as(
            records, ledger="lists", payload=stated, now=moment, slug=source.slug, sequence=None
        )


def plain(value):
    return value.astimezone(UTC).isoformat() if hasattr(value, "astimezone") else value


class Migration(migrations.Migration):
    dependencies = [
        ("watchlists", "0009_shrink_by_two"),
    ]

    operations = [
        migrations.RunPython(record_the_age_of_lists, migrations.RunPython.noop),
    ]
