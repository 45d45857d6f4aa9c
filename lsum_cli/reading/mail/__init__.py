"""Mails and mailboxes."""
