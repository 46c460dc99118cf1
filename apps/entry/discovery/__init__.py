"""What machines read about a service, made from its endpoints: it cannot say anything else."""
