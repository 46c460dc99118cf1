"""What registrars type."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from apps.compliance.payees.models import EntityChange, Registration
from apps.compliance.payees.models.registrations import MOST_ALIASES
from apps.compliance.payees.services.entity_changes import validate_entity_change
from apps.compliance.payees.wallets import BadWallet, parse_wallet
from apps.platform.api.shapes import COUNTRIES
from apps.platform.common.clock import now
from apps.platform.common.country_names import country_name
from apps.platform.common.lei import is_valid_lei
from apps.platform.desk.forms import VisibleTextForm
from apps.platform.desk.note_validation import LONGEST_REASON, SHORTEST_NOTE
from apps.platform.desk.previews import PreviewedForm

# as the column
LONGEST_NAME = 300
COUNTRY_CHOICES = [
    ("", "Choose a country"),  # none is preset: the country must be chosen
    *((code, name) for name, code in sorted((country_name(c), c) for c in COUNTRIES)),
]


def split_names(text: str) -> list[str]:
    """Return the names in a text, one per line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


class LeiField(forms.CharField):
    """An LEI in any case."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": 20, "label": "LEI", **options})

    def clean(self, value: Any) -> str:
        text = super().clean(value).strip().upper()
        if text and not is_valid_lei(text):
            raise ValidationError("This is not an LEI: 20 characters, check digits.")
        return text


class UpgradeForm(VisibleTextForm, forms.Form):
    """The LEI of an entity that was registered without one."""

    lei = LeiField()


class ChangeForm(PreviewedForm, forms.ModelForm):
    """Who else is to be behind a wallet, and why."""

    registration = forms.ModelChoiceField(
        Registration.objects.active(), widget=forms.HiddenInput, label="Wallet"
    )
    country = forms.ChoiceField(choices=COUNTRY_CHOICES)
    lei = LeiField(required=False, help_text="Checked with GLEIF.")
    reason = forms.CharField(
        min_length=SHORTEST_NOTE,
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Why",
    )

    class Meta:
        model = EntityChange
        fields = ("registration", "legal_name", "country", "lei", "reason")

    def clean_legal_name(self) -> str:
        """Refuse a name without letters or digits."""
        return _validate_name(self.cleaned_data["legal_name"].strip())

    def judge(self, values: dict[str, Any]) -> None:
        validate_entity_change(EntityChange(**values), now=now())


class RegisterForm(VisibleTextForm, forms.Form):
    """A wallet and who is behind it."""

    wallet_address = forms.CharField(max_length=128, label="Wallet")
    legal_name = forms.CharField(max_length=LONGEST_NAME)
    country = forms.ChoiceField(choices=COUNTRY_CHOICES)
    lei = LeiField(required=False, help_text="Checked with GLEIF.")
    aliases = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=f"One per line, at most {MOST_ALIASES}.",
    )

    def clean_wallet_address(self) -> str:
        """Return the address in its one form."""
        try:
            return parse_wallet(self.cleaned_data["wallet_address"].strip()).address
        except BadWallet as error:
            raise ValidationError(str(error)) from None

    def clean_legal_name(self) -> str:
        """Refuse a name without letters or digits."""
        return _validate_name(self.cleaned_data["legal_name"])

    def clean_aliases(self) -> list[str] | None:
        """Return the aliases, each a name; None where nothing is said, so that those held stay."""
        validated = [_validate_name(name) for name in split_names(self.cleaned_data["aliases"])]
        if len(validated) > MOST_ALIASES:
            raise ValidationError(f"At most {MOST_ALIASES} aliases are accepted.")
        # None keeps the aliases that are registered: an empty field must not remove them
        return validated or None


class UploadForm(forms.Form):
    """A file of registrations."""

    file = forms.FileField(
        label="CSV file", widget=forms.FileInput(attrs={"accept": ".csv,text/csv"})
    )


def _validate_name(name: str) -> str:
    if not any(character.isalnum() for character in name) or len(name) > LONGEST_NAME:
        raise ValidationError(f"A name has letters or digits, and at most {LONGEST_NAME} of them.")
    return name
