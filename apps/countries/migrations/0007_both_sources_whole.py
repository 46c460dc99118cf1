from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("countries", "0006_events")]
    operations = [
        migrations.AlterField(
            model_name="countrylisting",
            name="source",
            field=models.CharField(max_length=620),
        )
    ]
