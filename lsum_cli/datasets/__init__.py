"""Data sets: documents with reference summaries, for training and evaluation."""
