"""Calling what costs money: the extractor, and judges."""
