"""Real faults under load: processes killed, servers gone, disks full, clocks stepped."""
