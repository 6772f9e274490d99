"""JSON of any shape, with keys that catalogues use."""

from __future__ import annotations

from hypothesis import strategies as st

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["title", "url", "item", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
