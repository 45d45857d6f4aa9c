"""The Top-Down Transformer (Pang et al. 2022): tokens, segments, and back to the tokens."""
