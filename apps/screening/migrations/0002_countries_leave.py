"""Country listings move, tables and all, to an app of their own."""

from typing import Any

from django.db import migrations


def rename(apps: Any, before: str, after: str) -> None:
    """Let permissions and log entries go with the models that they are about."""
    types = apps.get_model("contenttypes", "ContentType")
    types.objects.filter(app_label=before, model__in=("countrylisting", "countrychange")).update(
        app_label=after
    )


class Migration(migrations.Migration):
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("screening", "0001_initial"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.AlterModelTable("CountryListing", "countries_countrylisting"),
                migrations.AlterModelTable("CountryChange", "countries_countrychange"),
            ],
            state_operations=[
                migrations.DeleteModel("CountryListing"),
                migrations.DeleteModel("CountryChange"),
            ],
        ),
        migrations.RunPython(
            lambda apps, editor: rename(apps, "screening", "countries"),
            lambda apps, editor: rename(apps, "countries", "screening"),
        ),
    ]
