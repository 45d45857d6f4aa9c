"""Many documents: jobs on one machine, and machines together."""
