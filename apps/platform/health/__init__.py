"""Health: what is checked for each service, and the endpoint that says how the checks stand."""
