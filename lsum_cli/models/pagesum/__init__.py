"""PageSum (Liu et al. 2022): pages encoded and decoded on their own, mixed at every step."""
