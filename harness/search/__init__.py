"""Finders of hard instances, one method a file, and what shrinks the instances that they find."""
