"""Letters: scripts put into Latin ones, look-alikes, and how words sound."""
