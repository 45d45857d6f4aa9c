"""The changes that release notes list: what each is, of which kind, and of which release."""
