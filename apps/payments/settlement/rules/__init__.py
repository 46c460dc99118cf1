"""Rules of settlements: the result of each check, its consequences, and messages. Pure."""
