"""Release notes and changelogs: the changes that they list, and what a reader must know of them first."""
