"""Collections of documents with reference summaries: what one trains and evaluates on."""
