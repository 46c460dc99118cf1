"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Registry": {
            "agents.agent": 50,
            "agents.mandate": 60,
            "agents.credential": 70,
            "agents.agentevent": 80,
        },
    },
    personal={
        "agents.agent": ("Agent", "Agents"),
        "agents.agentevent": ("Step of an agent", "Steps of agents"),
    },
    impersonal=(
        "agents.credential",
        "agents.mandate",
    ),
)
