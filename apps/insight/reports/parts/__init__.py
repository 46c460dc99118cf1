"""Where the parts of reports come from: one module for each app that is read."""
