"""Which words of a document are important: those that its summary uses too (Pang et al. 2022, AdaPool)."""
