"""Name matching: who on a list could this name be? Pure Python, no Django."""
