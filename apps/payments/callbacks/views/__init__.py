"""Pages of callbacks: what their lists and pages draw."""
