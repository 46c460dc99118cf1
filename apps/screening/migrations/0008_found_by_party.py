from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from apps.screening.projection import find


def found_by(apps: Any, editor: Any) -> None:
    """Note whom the screens that stand are about; their records stay as they are."""
    find(
        screens=apps.get_model("screening", "Screen"),
        keys=apps.get_model("screening", "FindKey"),
    )


class Migration(migrations.Migration):

    dependencies = [
        ('screening', '0007_answered_reports'),
    ]

    operations = [
        migrations.CreateModel(
            name='FindKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('screen', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='screening.screen')),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('key', 'screen'), name='findkey_once')],
            },
        ),
        migrations.RunPython(found_by, migrations.RunPython.noop),
    ]
