"""The client that is awaited, from which the one that blocks is made."""
