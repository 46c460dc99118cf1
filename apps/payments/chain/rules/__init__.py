"""Rules of orders: their turns, which transfer is whose, and how deep one must stand. Pure."""
