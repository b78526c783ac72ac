"""Reports for people: terminal, HTML, Markdown, CSV, JUnit, annotations."""
