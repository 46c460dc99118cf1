from zoneinfo import ZoneInfo

from django.db import migrations

from apps.sar import rules


def bring_on(apps, schema_editor):
    """Open matters again in which a match was found after they were settled."""
    matters = apps.get_model("sar", "SarMatter").objects
    filings = apps.get_model("sar", "FilingEvent").objects
    matched = filings.filter(action="MATCHED").values("entry_id")
    for matter in matters.filter(pk__in=matched).select_related("entry").order_by("pk"):
        zone = ZoneInfo(matter.zone)
        days = [
            (one.action, one.on or one.recorded_at.astimezone(zone).date())
            for one in filings.filter(entry_id=matter.pk).order_by("number")
        ]
        detected = matter.entry.recorded_at.astimezone(zone).date()
        stands = rules.after(rules.opened(detected=detected, sanctions=matter.sanctions), days)
        running = rules.clocks(stands)
        matter.next_by = running[0].by if running else None
        matter.next_clock = running[0].ref if running else ""
        matter.save()


class Migration(migrations.Migration):

    dependencies = [
        ('sar', '0008_a_new_suspicion'),
    ]

    operations = [
        migrations.RunPython(bring_on, migrations.RunPython.noop),
    ]
