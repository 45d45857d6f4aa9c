"""Many documents: worker processes that summarise them."""
