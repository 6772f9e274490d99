"""Smithsonian Open Access: the collections of the Smithsonian's museums, archives and libraries."""
