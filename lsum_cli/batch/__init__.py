"""Many documents: shards of a corpus, the processes that summarise them, and clusters."""
