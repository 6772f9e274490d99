"""One heading out of JSON-LD: expanded and flat as a record is sent, compact as in the bulk files.

Terms are read by the last part of their name, since the same statement comes as
`http://www.loc.gov/mads/rdf/v1#hasVariant`, `madsrdf:hasVariant` and `mads:hasVariant`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from heritage_loc.address import subject_url
from heritage_loc.models import LinkedHeading, SubjectHeading
from heritage_loc.wire import Raw, first, is_raw, items, raw

_LABELS = ("authoritativeLabel", "prefLabel", "variantLabel", "deprecatedLabel", "literalForm")
_BROADER = ("hasBroaderAuthority", "broader")
_NARROWER = ("hasNarrowerAuthority", "narrower")
_RELATED = ("hasReciprocalAuthority", "hasRelatedAuthority", "related")
_INSTEAD = ("useInstead", "hasLaterEstablishedForm")
_DEEPEST = 60  # levels of nesting that are followed; a record has four

Node = dict[str, list[object]]


def heading(body: object, token: str) -> SubjectHeading | None:
    """The heading `token` ("sh85021262"); None where the answer does not describe it."""
    nodes = _nodes(body)
    own = next((node for name, node in nodes.items() if _token(name) == token), None)
    label = _label(own) if own is not None else None
    if own is None or label is None:
        return None
    uri = next(name for name in nodes if _token(name) == token)
    broader = _linked(own, _BROADER, nodes)
    narrower = _linked(own, _NARROWER, nodes)
    related = _linked(own, _RELATED, nodes)
    return SubjectHeading(
        label=label,
        uri=uri,
        url=subject_url(token),
        variants=_variants(own, nodes, label),
        broader=broader,
        narrower=narrower,
        related=tuple(link for link in related if link not in (*broader, *narrower)),
        scope_note="\n\n".join(_texts(own, ("note", "scopeNote"))) or None,
        deprecated="DeprecatedAuthority" in _types(own),
        deprecation_note="\n\n".join(_texts(own, ("deletionNote",))) or None,
        replaced_by=_linked(own, _INSTEAD, nodes),
    )


# -- nodes -----------------------------------------------------------------------------------------------


def _nodes(body: object) -> dict[str, Node]:
    """All nodes by their names, whether flat, under @graph, or nested; several of one name are one."""
    found: dict[str, Node] = {}
    waiting: list[tuple[object, int]] = [(body, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > _DEEPEST:
            continue
        if not is_raw(value):
            several = items(value)
            waiting += [(item, depth + 1) for item in reversed(several) if item is not value]
        else:
            waiting += [(part, depth + 1) for key, part in value.items() if key != "@context"]
            if name := raw(value.get("@id")):
                _add(found.setdefault(_full(name), {}), value)
    return found


def _add(node: Node, value: Raw) -> None:
    for key, part in value.items():
        if key not in ("@id", "@context", "@graph"):
            node.setdefault(_term(key), []).extend(items(part))


def _full(name: str) -> str:
    return f"http://id.loc.gov{name}" if name.startswith("/authorities/") else name


def _term(name: str) -> str:
    """The last part of a name: `type` for `@type`, `note` for `skos:note`."""
    return re.split(r"[#/:@]", name)[-1]


def _token(name: str) -> str:
    """The id in the name of a subject heading; empty for names and blank nodes."""
    _, mark, token = name.partition("//id.loc.gov/authorities/subjects/")
    return token if mark else ""


def _types(node: Node) -> set[str]:
    values = node.get("type", [])
    return {_term(raw(value.get("@id")) if is_raw(value) else raw(value)) for value in values}


# -- statements --------------------------------------------------------------------------------------------


def _value(value: object) -> str | None:
    """A literal, whatever its form."""
    return first(value.get("@value")) if is_raw(value) else first(value)


def _texts(node: Node, terms: Iterable[str]) -> tuple[str, ...]:
    values = (value for term in terms for value in node.get(term, ()))
    return tuple(dict.fromkeys(found for value in values if (found := _value(value))))


def _label(node: Node) -> str | None:
    return next(iter(_texts(node, _LABELS)), None)


def _references(node: Node, terms: Iterable[str]) -> Iterator[tuple[str, object]]:
    """The names of what a node points to, with the values themselves."""
    for term in terms:
        for value in node.get(term, ()):
            name = raw(value.get("@id")) if is_raw(value) else raw(value)
            yield _full(name), value


def _linked(node: Node, terms: Iterable[str], nodes: dict[str, Node]) -> tuple[LinkedHeading, ...]:
    """Headings pointed to. Bulk lines name them by address alone; a blank node has a label alone."""
    found: dict[str, LinkedHeading] = {}
    for name, _ in _references(node, terms):
        uri = name if "://" in name else None
        label = _label(nodes.get(name, {}))
        if uri or label:
            found.setdefault(uri or label or "", LinkedHeading(label=label, uri=uri))
    named = {link.label for link in found.values() if link.uri}
    return tuple(link for link in found.values() if link.uri or link.label not in named)


def _variants(node: Node, nodes: dict[str, Node], label: str) -> tuple[str, ...]:
    """See-from terms: told once as MADS and again as SKOS."""
    found: dict[str, None] = {}
    for name, value in _references(node, ("hasVariant", "altLabel")):
        told = _label(nodes.get(name, {})) or (None if "_:" in name else _value(value))
        if told and told != label:
            found[told] = None
    return tuple(found)
