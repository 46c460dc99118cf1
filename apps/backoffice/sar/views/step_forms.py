"""The forms of a matter's page: what can be recorded now, and what can be corrected."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby

from apps.backoffice.sar import rules
from apps.backoffice.sar.selectors.matter_steps import StepWithCorrections
from apps.backoffice.sar.views.matter_stages import TITLES
from apps.backoffice.sar.views.matter_timeline import format_field_value

FIELDS = ("on", "reference", "amount", "rationale", "why")  # what is typed, in the forms' order
WHY = "Reason for the correction"


@dataclass(frozen=True, slots=True)
class FormField:
    """One field: its id on the page, its value, and its error.

    `stored`: the value comes from the record, not from the user.
    """

    id: str
    name: str
    label: str
    required: bool
    value: str
    wrong: str
    stored: bool = False


@dataclass(frozen=True, slots=True)
class StepForm:
    """One form: `name` tells it from others, and `sent` is what it sends unseen.

    `shown` is open when the page opens; days are `since` to the page's today.
    """

    name: str
    title: str
    since: date
    fields: tuple[FormField, ...]
    shown: bool
    sent: tuple[str, str]
    corrects: bool = False


@dataclass(frozen=True, slots=True)
class FormGroup:
    """Forms shown together, such as the steps of one stage."""

    title: str
    forms: tuple[StepForm, ...]


@dataclass(frozen=True, slots=True)
class SubmittedStep:
    """What came with a step that was refused, and what is said of its fields; or nothing."""

    typed: Mapping[str, str] = field(default_factory=dict)
    wrong: Mapping[str, str] = field(default_factory=dict)

    def made(self, id: str, step_field: rules.StepField, mine: bool, stands: str) -> FormField:
        """Return a field of a form, with what was typed where that is `mine`."""
        value = str(self.typed.get(step_field.name, "")) if mine else stands
        wrong = self.wrong.get(step_field.name, "") if mine else ""
        stored = not mine and bool(stands)
        return FormField(
            id, step_field.name, step_field.label, step_field.required, value, wrong, stored
        )


def build_step_forms(
    *,
    matter: rules.Matter,
    today: date,
    sent: SubmittedStep,
    amount: str,
    steps: Mapping[int, StepWithCorrections],
) -> tuple[FormGroup, ...]:
    """Return the forms of what can be recorded today, by stage, and of what can be corrected.

    `amount` fills the field of an amount.
    """
    stages = groupby(rules.list_possible_steps(matter, today), key=lambda step: step.stage)
    # `groupby` needs its rows in order of stages, as STEPS has them
    form_groups = [
        FormGroup(
            f"{number} {TITLES[number]}",
            tuple(_build_form(step, matter, sent, amount) for step in possible),
        )
        for number, possible in stages
    ]
    corrections = tuple(
        _build_correction_form(step, sent) for step in steps.values() if step.correctable
    )
    return (*form_groups, FormGroup("Correct a recorded step", corrections))


def _build_form(
    step: rules.FilingStep, matter: rules.Matter, submitted_step: SubmittedStep, amount: str
) -> StepForm:
    mine = submitted_step.typed.get("action") == step.action
    name = step.action.lower()
    known = {"amount": amount}
    fields = tuple(
        submitted_step.made(
            f"{name}-{step_field.name}", step_field, mine, known.get(step_field.name, "")
        )
        for step_field in step.fields
    )
    again = step.action == "FILED" and matter.filed is not None
    title = "Another SAR filed" if again else step.title
    return StepForm(name, title, step.since(matter), fields, mine, ("action", step.action))


def _build_correction_form(step: StepWithCorrections, submitted_step: SubmittedStep) -> StepForm:
    number = step.records[-1]
    mine = submitted_step.typed.get("corrects") == str(number)
    name = f"correct-{number}"
    why = rules.StepField("why", WHY)
    fields = tuple(
        submitted_step.made(
            f"{name}-{step_field.name}",
            step_field,
            mine,
            "" if step_field is why else step.value(step_field.name),
        )
        for step_field in (*step.step.fields, why)
    )
    if step.event is None:
        corrected_step = (
            f"Day of detection, {format_field_value(step.step.fields[0], step.value('on'))}"
        )
    else:
        corrected_step = f"Step {step.event.number}, {step.step.title}"
    return StepForm(
        name,
        corrected_step,
        rules.EARLIEST,
        fields,
        mine,
        ("corrects", str(number)),
        corrects=True,
    )


def find_lost_text(*, groups: Iterable[FormGroup], typed: Mapping[str, str]) -> str:
    """Return the text of a step that can no longer be recorded, so that it is not lost."""
    if any(form.shown for group in groups for form in group.forms):
        return ""
    texts = (str(typed.get(name, "")).strip() for name in FIELDS)
    return "\n".join(text for text in texts if text)


def list_withdrawn_forms(
    *, groups: Iterable[FormGroup], steps: Mapping[int, StepWithCorrections]
) -> list[str]:
    """Return the names of the forms that are not offered now, though one may have been open.

    What was typed into one of them is still in its officer's browser.
    """
    offered = {form.name for group in groups for form in group.forms}
    known = [action.lower() for action in rules.BY_ACTION]
    known += [f"correct-{number}" for step in steps.values() for number in step.records]
    return [name for name in known if name not in offered]
