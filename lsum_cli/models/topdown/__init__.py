"""The Top-Down Transformer (Pang et al. 2022): tokens heard locally, segments globally, and back to the tokens."""
