"""Text made comparable: sentences, terms, numbers, and labels of important words."""
