"""What the desk is put together from: pages by groups of work, and what apps declare for it.

Dotted paths only: each app declares what is its own, and the desk knows none of them.
"""

# The menu: pages by the work they belong to, in this order
MENU: dict[str, tuple[str, ...]] = {
    "Cases": ("review.case", "oversight.sample", "review.decisionevent", "review.triage"),
    "Suspicious activity": ("sar.sarentry", "sar.sarread"),
    "Records": (
        "screening.screen",
        "screening.reportrecord",
        "oversight.exportevent",
        "oversight.readevent",
        "core.ledgerhead",
        "core.legalhold",
        "core.purgeevent",
    ),
    "Reference data": (
        "watchlists.source",
        "watchlists.sourcechange",
        "watchlists.listversion",
        "watchlists.entitystate",
        "watchlists.party",
        "countries.countrylisting",
        "countries.countrychange",
        "lei.gleiffile",
        "lei.leirecord",
        "lei.relationship",
        "lei.reportingexception",
        "lei.leiuse",
        "signals.observation",
    ),
    "Clients": ("access.account", "access.apikey"),
    "Operations": (
        "oversight.health",
        "core.job",
        "core.periodic",
        "upstreams.upstreamstate",
    ),
    "People": ("staff.person", "staff.peopleevent", "auth.user", "auth.group"),
}

# Pages that also stand in the menu by themselves: their name there, and the key that opens them
PINNED = {"review.case": ("Queue", "q")}

# What the search of every page looks for: functions `(user, text, now) -> Group | None`
# (apps/desk/search.py), in the order in which their groups are shown
FINDERS = (
    "apps.review.pages.find.cases",
    "apps.screening.find.screens",
    "apps.sar.find.entries",
    "apps.watchlists.find.listed",
    "apps.lei.find.entities",
    "apps.review.pages.find.clients",
    "apps.access.find.accounts",
    "apps.desk.find.by_digest",
)

# Figures of the home page: functions `(user, now) -> list[Tile]` (apps/desk/home.py)
TILES = (
    "apps.review.pages.queue.tiles",
    "apps.sar.admin.tiles",
    "apps.oversight.admin.tiles",
    "apps.desk.admin.jobs.tiles",
)
# Panels of the home page: functions `(user, now) -> Panel | None`
PANELS = ("apps.review.pages.today.panel",)

# What can be exported, by its name in the file: an `exports.Kind` (apps/oversight/exports.py)
EXPORTS = {
    "cases": "apps.review.exports.CASES",
    "decisions": "apps.review.exports.DECISIONS",
    "reads": "apps.oversight.exports.READS",
}

# Words for operators, by health check: a `health.Words` (apps/desk/health.py)
HEALTH_WORDS = {
    "database": "apps.desk.health.DATABASE",
    "jobs": "apps.desk.health.JOBS",
    "ledgers": "apps.desk.health.LEDGERS",
    "lists": "apps.watchlists.health.WORDS",
}
