"""The embedded engine: tantivy, in a folder of immutable files. The extra `mirror` installs it.

Measured choices: one catch-all text field, so that "every word is required" is one intersection;
titles once more in a field of their own, which raises the rank and never changes the total; exact
terms as untouched single tokens. User text never reaches tantivy's own query parser, which widens
on OR, reads `field:` and matches nothing for a star it does not like. Files are tied to tantivy's
minor version.
"""

from __future__ import annotations

from heritage_gateway.index.embedded.reader import EmbeddedReader
from heritage_gateway.index.embedded.schema import ENGINE
from heritage_gateway.index.embedded.writer import HEAP, EmbeddedWriter

__all__ = ["ENGINE", "HEAP", "EmbeddedReader", "EmbeddedWriter"]
