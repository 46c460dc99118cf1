"""The name field as payments write it: what introduces a name in it, and who shares one."""
