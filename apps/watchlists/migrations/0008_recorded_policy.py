from django.db import migrations

from apps.core.clock import now
from apps.core.stamping import write_as

POLICY = ("enabled", "required", "max_age_hours", "minimum_percent", "urls")


def record_what_lists_are_judged_by(apps, schema_editor):
    """Lists that were there before are recorded with it: what stands at the upgrade counts."""
    records, moment = apps.get_model("watchlists", "ListRecord"), now()
    for source in apps.get_model("watchlists", "Source").objects.order_by("pk"):
        write_as(
            records,
            ledger="lists",
            payload={field: getattr(source, field) for field in POLICY},
            now=moment,
            slug=source.slug,
            sequence=None,
        )


class Migration(migrations.Migration):
    dependencies = [
        ("watchlists", "0007_source_policy"),
    ]

    operations = [
        migrations.RunPython(record_what_lists_are_judged_by, migrations.RunPython.noop),
    ]
