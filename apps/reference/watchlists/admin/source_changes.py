"""Changes of a source: one operator proposes, another decides."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.platform.common.clock import now
from apps.platform.desk.note_validation import LONGEST_REASON
from apps.platform.desk.previews import PreviewedForm
from apps.platform.desk.proposal_admin import ProposalAdmin
from apps.reference.watchlists import approvals, change_preview, source_policy
from apps.reference.watchlists.admin.form_fields import build_value_field, read_sent_values
from apps.reference.watchlists.models import Source, SourceChange
from apps.reference.watchlists.services import source_changes

SWITCHES = (SourceChange.Field.ENABLED, SourceChange.Field.REQUIRED)


class SourceChoiceField(forms.ModelChoiceField):
    """The lists by their titles."""

    def label_from_instance(self, source: Source) -> str:
        return source.title


class SourceChangeChoiceForm(forms.Form):
    """Which list, and what of it, another value is proposed for."""

    source = SourceChoiceField(Source.objects.order_by("title"), label="List")
    field = forms.ChoiceField(choices=source_policy.PROPOSABLE, label="What changes")


class ProposalForm(PreviewedForm, forms.ModelForm):
    """What a proposed change must say; the list and what changes of it were chosen before."""

    value = forms.Field()  # of its own kind once it is known what changes: see __init__
    reason = forms.CharField(
        max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 3}), label="Why"
    )

    class Meta:
        model = SourceChange
        fields = ("source", "field", "value", "reason")

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        if "source" not in self.fields:
            return  # an existing one is described in words
        sent_data = self.data if self.is_bound else self.initial
        chosen = SourceChangeChoiceForm({name: sent_data.get(name) for name in ("source", "field")})
        for name in chosen.fields:
            # kept as hidden fields: the form is validated with them again, now with the value
            self.fields[name].widget = forms.HiddenInput()
        if chosen.is_valid():
            self.chosen = chosen.cleaned_data
            self.chosen["title"] = SourceChange.Field(self.chosen["field"]).label
            boxes = len(read_sent_values(self.data, "value"))
            self.fields["value"] = build_value_field(
                source=self.chosen["source"], field=self.chosen["field"], boxes=boxes
            )

    def judge(self, values: dict[str, Any]) -> None:
        source, field, after = values["source"], values["field"], values["value"]
        try:
            source_policy.check_value(source, field, after)
        except source_policy.ValueRefused as error:
            raise forms.ValidationError({"value": str(error)}) from error
        pending = source.changes.filter(state=SourceChange.State.PROPOSED, field=field)
        if pending.exists():
            raise forms.ValidationError("A change to this source is already proposed.")
        if getattr(source, field) == after:
            raise forms.ValidationError("No change: this is already the current value.")


@admin.register(SourceChange)
class SourceChangeAdmin(ProposalAdmin):
    """Proposals and what became of them."""

    form = ProposalForm
    list_display = ("source", "field", "state", "proposed_by", "proposed_at", "decided_by")
    list_filter = ("state", "source", "field")
    list_select_related = ("source", "proposed_by", "decided_by")
    change_form_template = "watchlists/source_change.html"
    fields = ProposalForm.Meta.fields
    pending = approvals.PENDING
    turn_down = staticmethod(source_changes.reject_source_change)
    decider = "operator"
    asking = "Propose a list change"

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Ask which list and what of it first; then for the other value, in a field of its kind."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        sent = request.method == "POST"
        choice = SourceChangeChoiceForm(request.POST if sent else request.GET)
        if choice.is_valid():
            return super().add_view(request, form_url, extra_context)
        form = (
            choice
            if sent
            else SourceChangeChoiceForm(
                initial=_read_changelist_source(request) | request.GET.dict()
            )
        )
        shown = {"title": self.asking, "form": form, "decider": self.decider}
        return self.draw(request, "watchlists/choose_change.html", shown, 400 if sent else 200)

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        """Say at once what a switch would mean: it has one other value."""
        chosen = getattr(context["adminform"].form, "chosen", None)
        if chosen and request.method == "GET" and chosen["field"] in SWITCHES:
            source, name = chosen["source"], chosen["field"]
            after = not getattr(source, name)
            context["meaning"] = change_preview.preview_change(
                source=source, field=name, after=after, now=now()
            )
            turned = ("Switching it on" if after else "Switching it off",
                      "Requiring it" if after else "No longer requiring it")  # fmt: skip
            context["meaning_title"] = f"{turned[name != SourceChange.Field.ENABLED]} would mean"
        return super().render_change_form(request, context, *rest, **more)

    def draft(self, said: dict[str, Any]) -> SourceChange:
        return source_changes.draft_source_change(
            source=said["source"], field=said["field"], after=said["value"], reason=said["reason"]
        )

    def means(self, change: SourceChange) -> tuple[str, ...]:
        preview = change_preview.preview_proposal(change=change, now=now())
        return preview.sentences if preview else ()

    def propose(self, form: Any, by: User) -> SourceChange:
        cleaned_data = form.cleaned_data
        return source_changes.propose_source_change(
            source=cleaned_data["source"],
            field=cleaned_data["field"],
            after=cleaned_data["value"],
            reason=cleaned_data["reason"],
            by=by,
            now=now(),
        )

    def approve(self, change: SourceChange, by: User, note: str) -> str:
        source_changes.approve_source_change(change=change, by=by, now=now(), note=note)
        waits = change.field == SourceChange.Field.URLS
        return "in force with the next refresh." if waits else "in force."


def _read_changelist_source(request: HttpRequest) -> dict[str, str]:
    """Return the source that the list of changes was narrowed to, where one comes from it."""
    query_dict = QueryDict(request.GET.get("_changelist_filters", ""))
    return (
        {"source": query_dict["source__id__exact"]} if query_dict.get("source__id__exact") else {}
    )


def render_text_list(texts: Any) -> SafeString:
    """Return texts as a list to read, each escaped."""
    rows = format_html_join("", "<li>{}</li>", ((text,) for text in texts))
    return SafeString(f"<ul>{rows}</ul>") if texts else SafeString("-")
