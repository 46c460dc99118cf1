"""The ownership chain (document 1 section 2.6): its parties, the report, the signed statement."""
