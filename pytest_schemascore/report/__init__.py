"""What a run measured: leaves, cases, suites; saved and loaded; what every room above reads."""
