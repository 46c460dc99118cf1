"""Reports that are paid for one by one: findings, their consequences, and the reasons."""
