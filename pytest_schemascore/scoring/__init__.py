"""One label and one value in, leaves out; pure."""
