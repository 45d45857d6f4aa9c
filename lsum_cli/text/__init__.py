"""Text analysis: sentences, terms, numbers, and labels of important words."""
