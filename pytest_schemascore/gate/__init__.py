"""What decides pass or fail: baseline, pairing, evidence, verdict."""
