"""The claims of the papers, verified by training small models from scratch."""
