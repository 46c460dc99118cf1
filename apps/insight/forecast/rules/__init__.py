"""Tables and pure functions of the commodity forecasts."""
