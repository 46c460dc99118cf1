"""SQL that Django does not write: triggers, prepared statements, parallel scans."""
