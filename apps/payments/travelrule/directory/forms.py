"""The form of a change of the directory: the entry's new state."""

from typing import Any, ClassVar, cast

from django import forms
from django.http import QueryDict

from apps.payments.travelrule import encryption
from apps.payments.travelrule.directory import services, shared_secrets
from apps.payments.travelrule.directory.services import EncryptedSecret
from apps.payments.travelrule.ivms import DIALECTS
from apps.payments.travelrule.models import VaspChange
from apps.payments.travelrule.rules.directory import LONGEST_SECRET, find_secret_fault
from apps.platform.crypto.encryption import DecryptionFailed
from apps.platform.desk.forms import LinesField, ReasonField
from apps.platform.desk.previews import PreviewedForm

PASTE_WIDGET = forms.Textarea(attrs={"rows": 4, "cols": 70})
MAX_LIST_LENGTH = 100_000


class PastedLinesField(LinesField):
    """Texts that are pasted, one a line; there may be none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=PASTE_WIDGET, max_length=MAX_LIST_LENGTH, **options)


class VaspForm(PreviewedForm, forms.ModelForm):
    """The fields of a proposed entry.

    The preview of a proposal contains the encrypted secret, never the secret itself.
    """

    dialect = forms.ChoiceField(
        choices=[
            (dialect_format.name, dialect_format.title) for dialect_format in DIALECTS.values()
        ],
        label="Message dialect",
    )
    valid_from = forms.DateField(label="First day", widget=forms.DateInput({"type": "date"}))
    valid_until = forms.DateField(
        label="Last day", required=False, widget=forms.DateInput({"type": "date"})
    )
    wallets = PastedLinesField(label="Wallets served", help_text="One per line.")
    leis = PastedLinesField(label="Customer LEIs", help_text="One per line.")
    secret = forms.CharField(
        label="Shared secret",
        required=False,
        max_length=LONGEST_SECRET,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=(
            "For a new entry or to rotate. The previous secret stays active alongside "
            "it. The secret is stored encrypted and never shown."
        ),
    )
    sealed = forms.CharField(required=False, max_length=800, widget=forms.HiddenInput)
    drop_older = forms.BooleanField(required=False, label="Revoke the older secret")
    reason = ReasonField()

    class Meta:
        model = VaspChange
        fields: ClassVar[Any] = (
            "lei", "name", "endpoint", "dialect", "valid_from", "valid_until", "wallets", "leis",
            "drop_older", "reason",
        )  # fmt: skip

    def judge(self, values: dict[str, Any]) -> None:
        key = self._key(values)
        if self.errors:
            return
        stated = services.normalize_entry(values)
        for name, sentence in services.find_change_faults(stated):
            self.add_error(name, sentence)
        if not self.errors:
            services.draft_change(
                stated=stated, reason=values["reason"],
                new_key=key.key_id if key else "", drop_older=values["drop_older"],
            )  # fmt: skip

    def key(self) -> EncryptedSecret | None:
        """Return the encrypted secret that was sent with the form; None for none."""
        sealed_secret = self.cleaned_data.get("sealed", "")
        if not sealed_secret:
            return None
        key_id, under, text = sealed_secret.split(":", 2)
        return EncryptedSecret(key_id, text, under)

    def _key(self, values: dict[str, Any]) -> EncryptedSecret | None:
        """Encrypt a typed secret, or check the one that the preview sent back; None for none."""
        lei, secret = values["lei"].upper(), values.pop("secret", "")
        if not secret and not values.get("sealed"):
            return None
        # it must decrypt for this very VASP: the hidden field could have been exchanged, or the LEI
        # changed since the preview
        if not secret:
            _, under, text = [*values["sealed"].split(":", 2), "", ""][:3]
            try:
                secret = encryption.unwrap_key(
                    wrapped=text, under=under, of=shared_secrets.binding_of_vasp(lei)
                ).decode()
            except (DecryptionFailed, ValueError):
                self.add_error("secret", "Type the secret again.")
                return None
        elif fault := find_secret_fault(secret):
            self.add_error("secret", fault)
            return None
        else:
            encrypted = services.encrypt_secret(secret, lei=lei)
            values["sealed"] = f"{encrypted.key_id}:{encrypted.under}:{encrypted.sealed}"
            # the preview draws the form again from its data: with this instead of the secret, which
            # a password field never shows
            sent = cast(QueryDict, self.data).copy()
            sent["sealed"] = values["sealed"]
            self.data = sent
        _, under, text = values["sealed"].split(":", 2)
        # the id is computed anew and never taken from the hidden field
        encrypted_secret = EncryptedSecret(shared_secrets.secret_id_of(secret), text, under)
        values["sealed"] = f"{encrypted_secret.key_id}:{under}:{text}"
        return encrypted_secret
