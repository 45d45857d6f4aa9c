"""What the models share: prepared weights, and a BART encoder and decoder made for inference."""
