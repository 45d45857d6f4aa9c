"""Text made comparable: sentences, terms, and which words a summary uses too."""
