"""Changes of a source: one operator proposes, another decides."""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.core.clock import now
from apps.desk.approvals import Waiting
from apps.desk.previews import Previewed
from apps.desk.proposals import ProposalAdmin
from apps.desk.rules import LONGEST_REASON
from apps.watchlists import approvals, changes, meaning, policy
from apps.watchlists.admin.fields import sent, value_field
from apps.watchlists.models import Source, SourceChange

SWITCHES = (SourceChange.Field.ENABLED, SourceChange.Field.REQUIRED)


class Lists(forms.ModelChoiceField):
    """The lists by their titles."""

    def label_from_instance(self, source: Source) -> str:
        return source.title


class Choice(forms.Form):
    """Which list, and what of it, another value is proposed for."""

    source = Lists(Source.objects.order_by("title"), label="List")
    field = forms.ChoiceField(choices=policy.PROPOSABLE, label="What changes")


class ProposalForm(Previewed, forms.ModelForm):
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
            return  # one that was made is told in words
        asked = self.data if self.is_bound else self.initial
        chosen = Choice({name: asked.get(name) for name in ("source", "field")})
        for name in chosen.fields:
            self.fields[name].widget = forms.HiddenInput()
        if chosen.is_valid():
            self.chosen = chosen.cleaned_data
            self.chosen["title"] = SourceChange.Field(self.chosen["field"]).label
            boxes = len(sent(self.data, "value"))
            self.fields["value"] = value_field(
                source=self.chosen["source"], field=self.chosen["field"], boxes=boxes
            )

    def clean(self) -> dict[str, Any]:
        """Find out what contradicts the proposal, so that it is a message and not a failure."""
        values = super().clean() or {}
        if self.errors:
            return values
        source, field, after = values["source"], values["field"], values["value"]
        try:
            policy.check(source, field, after)
        except policy.Refused as error:
            raise forms.ValidationError({"value": str(error)}) from error
        pending = source.changes.filter(state=SourceChange.State.PROPOSED, field=field)
        if pending.exists():
            raise forms.ValidationError("A change of this source is proposed already.")
        if getattr(source, field) == after:
            raise forms.ValidationError("It is there already: nothing would change.")
        return values


@admin.register(SourceChange)
class SourceChangeAdmin(ProposalAdmin):
    """Proposals and what became of them."""

    form = ProposalForm
    list_display = ("source", "field", "state", "proposed_by", "proposed_at", "decided_by")
    list_filter = ("state", "source", "field")
    list_select_related = ("source", "proposed_by", "decided_by")
    change_form_template = "watchlists/source_change.html"
    fields = ProposalForm.Meta.fields
    decider = "operator"
    asking = "Propose a change of a list"

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Ask which list and what of it first; then for the other value, in a field of its kind."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        sent = request.method == "POST"
        choice = Choice(request.POST if sent else request.GET)
        if choice.is_valid():
            return super().add_view(request, form_url, extra_context)
        form = choice if sent else Choice(initial=_of_the_list(request) | request.GET.dict())
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
            context["meaning"] = meaning.of(source=source, field=name, after=after, now=now())
            turned = ("Switching it on" if after else "Switching it off",
                      "Requiring it" if after else "Requiring it no longer")  # fmt: skip
            context["meaning_title"] = f"{turned[name != SourceChange.Field.ENABLED]} would mean"
        return super().render_change_form(request, context, *rest, **more)

    def draft(self, said: dict[str, Any]) -> SourceChange:
        return changes.drafted(
            source=said["source"], field=said["field"], after=said["value"], reason=said["reason"]
        )

    def told(self, change: SourceChange) -> Waiting:
        return approvals.waiting(change)

    def means(self, change: SourceChange) -> tuple[str, ...]:
        found = meaning.of_proposal(change=change, now=now())
        return found.sentences if found else ()

    def save_model(self, request: HttpRequest, obj: SourceChange, form: Any, change: bool) -> None:
        said = form.cleaned_data
        made = changes.propose(
            source=said["source"],
            field=said["field"],
            after=said["value"],
            reason=said["reason"],
            by=cast(User, request.user),
            now=now(),
        )
        obj.pk = made.pk

    def approve(self, change: SourceChange, by: User, note: str) -> str:
        changes.approve(change=change, by=by, now=now(), note=note)
        waits = change.field == SourceChange.Field.URLS
        return "in force with the next refresh." if waits else "in force."

    def reject(self, change: SourceChange, by: User, note: str) -> None:
        changes.reject(change=change, by=by, now=now(), note=note)


def _of_the_list(request: HttpRequest) -> dict[str, str]:
    """Return the source that the list of changes was narrowed to, where one comes from it."""
    kept = QueryDict(request.GET.get("_changelist_filters", ""))
    return {"source": kept["source__id__exact"]} if kept.get("source__id__exact") else {}


def lines(texts: Any) -> SafeString:
    """Return texts as a list to read, each escaped."""
    rows = format_html_join("", "<li>{}</li>", ((text,) for text in texts))
    return SafeString(f"<ul>{rows}</ul>") if texts else SafeString("-")
