"""Regimes: which one holds, what comes, what was foretold, and what came of it."""
