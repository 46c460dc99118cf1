"""The form of a change of the directory: an entry as it is to stand."""

from typing import Any, ClassVar, cast

from django import forms
from django.http import QueryDict

from apps.core.problems import DomainError
from apps.desk.previews import Previewed
from apps.desk.rules import LONGEST_REASON, SHORTEST_NOTE
from apps.travelrule import sealing
from apps.travelrule.directory import changing, keys
from apps.travelrule.directory.changing import Sealed
from apps.travelrule.ivms import DIALECTS
from apps.travelrule.models import VaspChange
from apps.travelrule.rules.directory import LONGEST_SECRET, secret_fault

PASTE = forms.Textarea(attrs={"rows": 4, "cols": 70})
LONGEST_LIST = 100_000


class Lines(forms.CharField):
    """Texts, one a line."""

    def __init__(self, **options: Any) -> None:
        given: dict[str, Any] = {
            "required": False,
            "widget": PASTE,
            "max_length": LONGEST_LIST,
        }
        super().__init__(**(given | options))

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        return [one.strip() for one in super().clean(value).splitlines() if one.strip()]


class VaspForm(Previewed, forms.ModelForm):
    """What a proposed entry must say.

    A secret is sealed as soon as it was sent: the page that shows what it would bring has the
    sealed text, and never the secret.
    """

    dialect = forms.ChoiceField(
        choices=[(one.name, one.title) for one in DIALECTS.values()], label="Dialect it reads"
    )
    valid_from = forms.DateField(label="First day", widget=forms.DateInput({"type": "date"}))
    valid_until = forms.DateField(
        label="Last day", required=False, widget=forms.DateInput({"type": "date"})
    )
    wallets = Lines(label="Wallets that it serves", help_text="One a line.")
    leis = Lines(label="LEIs of its customers", help_text="One a line.")
    secret = forms.CharField(
        label="Shared secret",
        required=False,
        max_length=LONGEST_SECRET,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text="For a new entry, or to rotate: the one before it stays live beside it. It is "
        "kept sealed and shown to nobody.",
    )
    sealed = forms.CharField(required=False, max_length=800, widget=forms.HiddenInput)
    drop_older = forms.BooleanField(
        required=False, label="The older secret proves nothing any more"
    )
    reason = forms.CharField(
        min_length=SHORTEST_NOTE,
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 70}),
        label="Why",
    )

    class Meta:
        model = VaspChange
        fields: ClassVar[Any] = (
            "lei", "name", "endpoint", "dialect", "valid_from", "valid_until", "wallets", "leis",
            "drop_older", "reason",
        )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Let the domain judge, so that a refusal is a message at its field."""
        values = super().clean() or {}
        if self.errors:
            return values
        key = self._key(values)
        if self.errors:
            return values
        stated = changing.normal(values)
        for name, sentence in changing.faults(stated):
            self.add_error(name, sentence)
        if not self.errors:
            try:
                changing.draft(
                    stated=stated, reason=values["reason"],
                    new_key=key.key_id if key else "", drop_older=values["drop_older"],
                )  # fmt: skip
            except DomainError as error:
                self.add_error(None, error.detail)
        return values

    def key(self) -> Sealed | None:
        """Return the secret that was sent with the form, sealed; None for none."""
        kept = self.cleaned_data.get("sealed", "")
        if not kept:
            return None
        key_id, under, text = kept.split(":", 2)
        return Sealed(key_id, text, under)

    def _key(self, values: dict[str, Any]) -> Sealed | None:
        """Seal what was typed; what was sealed before must still open for this VASP."""
        lei, secret = values["lei"].upper(), values.pop("secret", "")
        if not secret and not values.get("sealed"):
            return None
        if not secret:
            _, under, text = [*values["sealed"].split(":", 2), "", ""][:3]
            try:
                secret = sealing.unwrapped(wrapped=text, under=under, of=keys.bound(lei)).decode()
            except (sealing.Unreadable, ValueError):
                self.add_error("secret", "Type the secret again.")
                return None
        elif fault := secret_fault(secret):
            self.add_error("secret", fault)
            return None
        else:
            made = changing.sealed(secret, lei=lei)
            values["sealed"] = f"{made.key_id}:{made.under}:{made.sealed}"
            # it comes back with the form: the field of the secret itself is empty then
            sent = cast(QueryDict, self.data).copy()
            sent["sealed"] = values["sealed"]
            self.data = sent
        _, under, text = values["sealed"].split(":", 2)
        found = Sealed(keys.id_of(secret), text, under)
        values["sealed"] = f"{found.key_id}:{under}:{text}"
        return found
