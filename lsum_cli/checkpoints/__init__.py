"""Checkpoints: weights on disk with a description, where they come from and how they are loaded."""
