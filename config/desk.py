"""What the desk's home shows: functions `(user, now) -> list[Tile]`, each of one app."""

HOME = (
    "apps.review.queue.tiles",
    "apps.sar.admin.tiles",
    "apps.oversight.admin.tiles",
    "apps.core.admin.tiles",
)
