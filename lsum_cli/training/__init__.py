"""Training checkpoints of every system from recipes and one's own files."""
