"""Evaluation: metrics with signatures and intervals, baselines, and the analyses of the papers."""
