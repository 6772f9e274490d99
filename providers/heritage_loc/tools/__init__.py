"""The verbs of the Library of Congress, one a file."""
