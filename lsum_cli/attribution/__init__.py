"""Where each sentence of a summary came from: by alignment, by what a model read, through two stages."""
