"""What the papers claim, proved by training small models from scratch."""
