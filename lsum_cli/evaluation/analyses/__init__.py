"""The analyses of the papers: locality, dependencies, page confidence, sweeps of one setting."""
