"""The verbs of the Smithsonian, one a file."""
