# Made by generate.py from _async/__init__.py: do not edit.
"""The client that blocks."""
