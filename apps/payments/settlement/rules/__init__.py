"""Rules of settlements: what each check comes to, what follows, and what is told. Pure."""
