"""Decoding: from a model's next-token scores to finished hypotheses."""
