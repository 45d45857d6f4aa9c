"""From a summary to what the user sees."""
