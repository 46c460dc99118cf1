"""The quality report: figures of a catalogue, each by the command that repeats it."""
