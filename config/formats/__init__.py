"""How the desk writes dates: by the 24-hour clock, always UTC."""
