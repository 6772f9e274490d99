"""The Smithsonian on one disk: a copy of its bulk metadata, kept by `heritage-gateway mirror`."""
