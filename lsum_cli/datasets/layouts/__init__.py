"""How the known corpora lay out a record, and how layouts are told apart."""
