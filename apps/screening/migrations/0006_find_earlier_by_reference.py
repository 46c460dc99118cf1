from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from apps.screening.projection import remember


def found_by(apps: Any, editor: Any) -> None:
    """Note what screens of earlier releases are found by; their records stay as they are."""
    remember(
        screens=apps.get_model("screening", "Screen"),
        references=apps.get_model("screening", "EarlierReference"),
    )


class Migration(migrations.Migration):

    dependencies = [
        ('screening', '0005_find_by_reference_and_time'),
    ]

    operations = [
        migrations.CreateModel(
            name='EarlierReference',
            fields=[
                ('screen', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True, related_name='+', serialize=False, to='screening.screen')),
                ('key', models.CharField(db_index=True, max_length=64)),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.RunPython(found_by, migrations.RunPython.noop),
    ]
