"""Rules of the stability service. Pure."""
