"""Changes of where a list comes from: one operator proposes, another decides."""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.core.clock import now
from apps.desk.proposals import ProposalAdmin
from apps.upstreams.addresses import Refused
from apps.watchlists import changes
from apps.watchlists.models import SourceChange


class ProposalForm(forms.ModelForm):
    """What a proposed change must say."""

    addresses = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="One https address a line, in the order in which the files are read",
    )

    class Meta:
        model = SourceChange
        fields = ("source", "addresses", "reason")

    def clean_addresses(self) -> list[str]:
        """Return the addresses; what would never be called is refused here already."""
        urls = [line.strip() for line in self.cleaned_data["addresses"].splitlines()]
        urls = [url for url in urls if url]
        try:
            changes.check_addresses(urls)
        except Refused as error:
            raise forms.ValidationError(str(error)) from error
        return urls

    def clean(self) -> dict[str, Any]:
        """Find out what contradicts the proposal, so that it is a message and not a failure."""
        values = super().clean() or {}
        if not self.errors:
            pending = values["source"].changes.filter(state=SourceChange.State.PROPOSED)
            if pending.exists():
                raise forms.ValidationError("A change of this source is proposed already.")
            if values["source"].urls == values["addresses"]:
                raise forms.ValidationError("It is downloaded from there already.")
        return values


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
        return ("source", "addresses", "reason") if obj is None else self.shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else self.readonly_fields

    @admin.display(description="was")
    def was(self, change: SourceChange) -> SafeString:
        return lines(change.before)

    @admin.display(description="becomes")
    def becomes(self, change: SourceChange) -> SafeString:
        return lines(change.after)

    @admin.display(description="what happened")
    def kept(self, change: SourceChange) -> SafeString:
        steps = change.events.order_by("pk")
        return lines([f"{one.at:%F %R} UTC {one.get_state_display()} by {one.by}" for one in steps])

    def save_model(self, request: HttpRequest, obj: SourceChange, form: Any, change: bool) -> None:
        said = form.cleaned_data
        made = changes.propose_addresses(
            source=said["source"],
            urls=said["addresses"],
            reason=said["reason"],
            by=cast(User, request.user),
            now=now(),
        )
        obj.pk = made.pk

    def approve(self, change: SourceChange, by: User) -> str:
        changes.approve(change=change, by=by, now=now())
        return "in force with the next refresh."

    def reject(self, change: SourceChange, by: User, note: str) -> None:
        changes.reject(change=change, by=by, now=now(), note=note)


def lines(texts: Any) -> SafeString:
    """Return texts as a list to read, each escaped."""
    rows = format_html_join("", "<li>{}</li>", ((text,) for text in texts))
    return SafeString(f"<ul>{rows}</ul>") if texts else SafeString("-")
