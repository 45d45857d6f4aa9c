"""How much each sentence says of its document, or of its part: features, and weights fitted to choices."""
