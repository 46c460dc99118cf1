"""The operator's page of schedules: how often each job runs, and what stops without it."""

from datetime import timedelta
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.platform.common.clock import now
from apps.platform.desk import time_formats
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.operator_panel import describe_disabled_schedule
from apps.platform.jobs.models import Periodic
from apps.platform.jobs.registry import job_title
from apps.platform.jobs.schedule_integrity import record_schedule

SHORTEST, LONGEST = 60, 31 * 24 * 3600  # seconds
SIZES = {"minute": 60, "hour": 3600, "day": 86400}
UNITS = [(unit, f"{unit}s") for unit in SIZES]


class PeriodicForm(forms.ModelForm):
    """The interval of a periodic job; switching it off needs a confirmation of what stops."""

    every = forms.IntegerField(min_value=1, max_value=LONGEST // 60, label="Every")
    unit = forms.ChoiceField(choices=UNITS, help_text="From a minute to 31 days")
    sure = forms.BooleanField(required=False, label="Switch it off anyway")

    class Meta:
        model = Periodic
        fields: ClassVar[list[str]] = ["enabled"]

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        number, unit = time_formats.split_rhythm(self.instance.every_seconds or SHORTEST)
        if unit == "second":  # set by hand: starts at the next whole minute
            number, unit = -(-number // 60), "minute"
        self.initial = {**self.initial, "every": number, "unit": unit}
        if "sure" in self.fields:
            self.fields[
                "sure"
            ].help_text = f"When it is off: {describe_disabled_schedule(self.instance).stops}"

    def clean(self) -> dict[str, Any]:
        """Refuse an interval out of bounds, and switching off without the confirmation."""
        cleaned_data = super().clean() or {}
        if "every" in cleaned_data and "unit" in cleaned_data:
            cleaned_data["seconds"] = cleaned_data["every"] * SIZES[cleaned_data["unit"]]
            if not SHORTEST <= cleaned_data["seconds"] <= LONGEST:
                raise forms.ValidationError({"every": "From a minute to 31 days."})
        if (
            self.initial.get("enabled")
            and not cleaned_data.get("enabled")
            and not cleaned_data.get("sure")
        ):
            words = (
                f"If it is switched off: {describe_disabled_schedule(self.instance).stops} "
                "Tick to confirm."
            )
            raise forms.ValidationError({"sure": words})
        return cleaned_data


@admin.register(Periodic)
class PeriodicAdmin(ReadOnlyAdmin):
    """Schedules: the operator sets the interval, the code determines the job."""

    form = PeriodicForm
    list_display = ("what", "rhythm", "following")
    fields = ("what", ("every", "unit"), "enabled", "sure", "following", "technical")
    readonly_fields = ("what", "following", "technical")
    ordering = ("name",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("core.change_periodic")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Ask for no confirmation when the schedule is already off."""
        off = obj is not None and not obj.enabled
        return [name for name in self.fields if not (off and name == "sure")]

    @admin.display(description="Schedule")
    def what(self, periodic: Periodic) -> str:
        return job_title(periodic.name)

    @admin.display(description="Technical name")
    def technical(self, periodic: Periodic) -> SafeString:
        return format_html('<small class="detail"><code>{}</code></small>', periodic.name)

    @admin.display(description="Comes")
    def rhythm(self, periodic: Periodic) -> SafeString:
        if periodic.enabled:
            return format_html("{}", time_formats.format_rhythm(periodic.every_seconds))
        off = describe_disabled_schedule(periodic)
        if not off.tone:
            words = "Off by default in a sandbox: it makes no outside calls until you switch it on."
            return format_html('<span class="quiet">{}</span>', words)
        return format_html('<span class="badge {}">Off</span> {}', off.tone, off.stops)

    @admin.display(description="Next")
    def following(self, periodic: Periodic) -> str:
        if not periodic.enabled:
            return "not while it is off"
        moment = periodic.next_at
        return (
            f"{time_formats.format_time_until(moment, now())} "
            f"({time_formats.format_moment(moment)})"
        )

    def save_model(self, request: HttpRequest, obj: Periodic, form: Any, change: bool) -> None:
        obj.every_seconds = form.cleaned_data["seconds"]
        # a shorter interval counts from now on, not after the old, longer wait
        obj.next_at = min(obj.next_at, now() + timedelta(seconds=obj.every_seconds))
        with transaction.atomic():
            super().save_model(request, obj, form, change)
            # in the same transaction: a change without its record would be reported as tampering
            record_schedule(obj, by=request.user.get_username(), now=now())
        if not obj.enabled and "enabled" in form.changed_data:
            messages.warning(request, f"It is off. {describe_disabled_schedule(obj).stops}")
