"""From a source (file, URL, folder, standard input) to a document."""
