"""How long the product itself works on a hint over the full-size vocabulary; run by hand.

    .venv/bin/python tests/benchmarks/hints.py [runs]

Needs the stand-in beside this checkout, or an address of one with full terms in SMITHSONIAN_BASE_URL.
"""

# ruff: noqa: E402 - the paths stand before what is found by them
from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[3] / "shared")]

from desk import Desk
from heritage_gateway.index import Term
from heritage_smithsonian.advice import Advisor
from heritage_smithsonian.catalogue import Catalogue
from heritage_smithsonian.vocabulary import Vocabulary

FIELD = "topic"
PARTS = ("quilt", "a", "zzqxzz", "landscape painting", "History")
VALUES = ("Quiltz", "Landscape paintings of the American West, 1850-1900", "zzqxzz", "word " * 400)


@contextmanager
def standin() -> Iterator[None]:
    if "SMITHSONIAN_BASE_URL" in os.environ:
        yield
        return
    from standin import create_app, running

    with running(create_app(full_terms=True)) as base:
        os.environ |= {"SMITHSONIAN_BASE_URL": f"{base}/si", "HERITAGE_RATE_LIMITS": "off"}
        yield


def told(name: str, runs: int, work: Callable[[], object]) -> None:
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    median, longest = statistics.median(times), max(times)
    print(f"{name:<60} median {median:8.2f} ms, longest {longest:8.2f} ms")


async def main(runs: int) -> None:
    async with Desk() as desk:
        catalogue: Catalogue = desk.tools["smithsonian_list_terms"].handle.__self__.catalogue  # type: ignore[attr-defined]
        answer = await catalogue.terms(FIELD)
        vocabulary, advisor = answer.value, Advisor(answer.source)
        print(f"{len(vocabulary):,} terms of {FIELD}")
        told("making the vocabulary", min(runs, 5), lambda: Vocabulary(vocabulary.terms))
        for part in PARTS:
            found = len(vocabulary.containing(part))
            told(f"containing {part!r} ({found:,})", runs, lambda: vocabulary.containing(part))  # noqa: B023
        for value in VALUES:
            told(f"a hint on {value[:40]!r}", runs, lambda: hint(advisor, value))  # noqa: B023
        term = vocabulary.terms[len(vocabulary) // 2]
        told(f"a hint on the term {term[:36]!r}", runs, lambda: hint(advisor, term))


def hint(advisor: Advisor, value: str) -> str:
    """A hint whose vocabulary is at hand needs nothing to wait for, so one step finishes it."""
    story = advisor.on_zero("", [Term(FIELD, value)])
    try:
        story.send(None)
    except StopIteration as done:
        return str(done.value)
    raise RuntimeError("a hint with its vocabulary at hand waited for something")


if __name__ == "__main__":
    with standin():
        asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 30))
