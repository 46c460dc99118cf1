"""Changes of a source: one operator proposes, another decides."""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.core.clock import now
from apps.desk.proposals import ProposalAdmin
from apps.watchlists import changes, policy
from apps.watchlists.models import SourceChange


class ProposalForm(forms.ModelForm):
    """What a proposed change must say."""

    field = forms.ChoiceField(
        choices=policy.PROPOSABLE, initial=SourceChange.Field.URLS, required=False
    )
    addresses = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 5}),
        required=False,
        help_text="One https address a line, in the order in which the files are read",
    )
    value = forms.CharField(
        required=False,
        help_text="For what is no address: yes or no, hours (empty: the general limit), percent",
    )

    class Meta:
        model = SourceChange
        fields = ("source", "field", "addresses", "value", "reason")

    def clean(self) -> dict[str, Any]:
        """Find out what contradicts the proposal, so that it is a message and not a failure."""
        values = super().clean() or {}
        field = values["field"] = values.get("field") or SourceChange.Field.URLS
        if self.errors:
            return values
        source, written = values["source"], self._written(field, values)
        try:
            values["after"] = policy.value_of(field, values[written])
            policy.check(source, field, values["after"])
        except policy.Refused as error:
            raise forms.ValidationError({written: str(error)}) from error
        pending = source.changes.filter(state=SourceChange.State.PROPOSED, field=field)
        if pending.exists():
            raise forms.ValidationError("A change of this source is proposed already.")
        if getattr(source, field) == values["after"]:
            raise forms.ValidationError("It is there already: nothing would change.")
        return values

    def _written(self, field: str, values: dict[str, Any]) -> str:
        """Return where the new value stands in the form."""
        if field != SourceChange.Field.URLS:
            return "value"
        if not values["addresses"].strip():
            raise forms.ValidationError({"addresses": "This field is required."})
        return "addresses"


@admin.register(SourceChange)
class SourceChangeAdmin(ProposalAdmin):
    """Proposals and what became of them."""

    form = ProposalForm
    list_display = ("source", "field", "state", "proposed_by", "proposed_at", "decided_by")
    list_filter = ("state",)
    list_select_related = ("source", "proposed_by", "decided_by")
    change_form_template = "watchlists/source_change.html"
    shown = (
        ("source", "field", "state"), "was", "becomes", "reason",
        ("proposed_by", "proposed_at"), ("decided_by", "decided_at"), "note", "kept",
    )  # fmt: skip
    readonly_fields = ("was", "becomes", "kept")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.form.Meta.fields if obj is None else self.shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else self.readonly_fields

    @admin.display(description="was")
    def was(self, change: SourceChange) -> SafeString:
        return lines(policy.shown(change.before))

    @admin.display(description="becomes")
    def becomes(self, change: SourceChange) -> SafeString:
        return lines(policy.shown(change.after))

    @admin.display(description="what happened")
    def kept(self, change: SourceChange) -> SafeString:
        steps = change.events.order_by("pk")
        return lines([f"{one.at:%F %R} UTC {one.get_state_display()} by {one.by}" for one in steps])

    def save_model(self, request: HttpRequest, obj: SourceChange, form: Any, change: bool) -> None:
        said = form.cleaned_data
        made = changes.propose(
            source=said["source"],
            field=said["field"],
            after=said["after"],
            reason=said["reason"],
            by=cast(User, request.user),
            now=now(),
        )
        obj.pk = made.pk

    def approve(self, change: SourceChange, by: User) -> str:
        changes.approve(change=change, by=by, now=now())
        waits = change.field == SourceChange.Field.URLS
        return "in force with the next refresh." if waits else "in force."

    def reject(self, change: SourceChange, by: User, note: str) -> None:
        changes.reject(change=change, by=by, now=now(), note=note)


def lines(texts: Any) -> SafeString:
    """Return texts as a list to read, each escaped."""
    rows = format_html_join("", "<li>{}</li>", ((text,) for text in texts))
    return SafeString(f"<ul>{rows}</ul>") if texts else SafeString("-")
