"""The ledger of agents: what was stated, judged, allowed and ended, step by step."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q

from apps.compliance.agents.models.agents import Agent
from apps.compliance.agents.models.credentials import Credential
from apps.platform.ledger.records import LedgerRecord


class Step(models.TextChoices):
    """What happened to an agent."""

    REGISTERED = "REGISTERED", "Registered"
    LEVEL = "LEVEL", "Level changed"
    PROVED = "PROVED", "Control proved"
    UNPROVED = "UNPROVED", "Proof ended"
    MANDATE = "MANDATE", "Mandate"
    CREDENTIAL = "CREDENTIAL", "Credential issued"
    SPENT = "SPENT", "Payment counted"
    RELEASED = "RELEASED", "Payment released"
    REVOKED = "REVOKED", "Revoked"


class AgentEvent(LedgerRecord):
    """One step of one agent; the owner's e-mail is in the payload of REGISTERED and nowhere else.

    `about` is the id of the mandate or credential that a step is about; of a payment its UTC day.
    """

    LEDGER: ClassVar[str] = "agents"
    STEPS_OF: ClassVar[str] = "agent"

    agent = models.CharField(max_length=32)
    step = models.CharField(max_length=10, choices=Step.choices)
    level = models.CharField(max_length=10)
    about = models.CharField(max_length=40, blank=True)
    by = models.CharField(max_length=150)

    class Meta:
        default_permissions = ("view",)
        verbose_name = "agent record"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["agent", "id"], name="agent_events_of")
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # a copy of an earlier step has a valid MAC: as the last of its day it would confirm a
            # total that the agent has exceeded since
            models.UniqueConstraint(
                fields=["agent", "salt"], condition=~Q(salt=""), name="agent_event_never_copied"
            )
        ]

    def __str__(self) -> str:
        return f"{self.agent}: {self.get_step_display()}"

    @classmethod
    def spared(cls, *, before: datetime) -> Q:
        """Spare what was stated of agents that acted, or were revoked, after the cutoff."""
        # what an agent was allowed is needed for as long as what it did is kept
        acted = Credential.objects.filter(issued_at__gte=before).values("agent__agent_id")
        ended = Agent.objects.filter(revoked_at__gte=before).values("agent_id")
        lasting = Q(step__in=(Step.REGISTERED, Step.MANDATE, Step.REVOKED))
        return lasting & (Q(agent__in=acted) | Q(agent__in=ended))
