"""Health: the checks of each service, and the endpoint that reports their results."""
