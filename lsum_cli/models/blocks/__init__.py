"""What the models share: prepared weights, and BART for inference and for training."""
