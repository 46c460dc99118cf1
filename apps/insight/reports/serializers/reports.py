"""Shapes of reports (document 2 sections 2.6 and 4)."""

from rest_framework import serializers

from apps.insight.reports.rules.findings import LEVELS
from apps.platform.api.shapes import FreeObject, Moment, OneOf, Shape, Text
from apps.reference.signals.quality_labels import LABELS


class SynthesisOut(Shape):
    """The conclusions from the data, by published rules: each sentence has its number.

    `riskLevel` is that of the most severe finding. `data.findings` has the rules with their
    references.
    """

    summary = Text(max_length=2000)
    key_findings = serializers.ListField(child=Text(max_length=2000))
    risk_level = OneOf(choices=tuple(LEVELS))
    narrative = serializers.DictField(child=Text(max_length=5000), help_text="Heading to text.")
    recommendations = serializers.ListField(child=Text(max_length=2000))
    data_quality = OneOf(choices=LABELS)


class ReportOut(Shape):
    """A report; for 60 minutes everyone who sends the same request gets the same one.

    `data` contains `reportId`, `about`, `figures`, `findings` and one object for each part, in the
    form that the part's own service uses.
    """

    report_type = Text()
    period = Text(help_text="A day, or a month (YYYY-MM) if the report is about one.")
    generated_at = Moment()
    synthesis = SynthesisOut()
    data = FreeObject()  # type: ignore[assignment]
    sources = serializers.ListField(child=Text(max_length=2000))
