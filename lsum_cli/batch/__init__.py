"""Many documents: the shards of a corpus, the processes that summarise them, and clusters."""
