"""JSON text in, values out: reading outputs, and schemas that validate them and check labels."""
