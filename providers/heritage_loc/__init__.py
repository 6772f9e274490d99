"""The Library of Congress: www.loc.gov, its newspapers and their texts, and the subject headings."""
