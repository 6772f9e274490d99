"""`mirror`: keep a copy of the whole Smithsonian catalogue on this machine."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import aclosing, nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heritage_gateway.errors import GatewayError
from heritage_gateway.index import IndexFault
from heritage_gateway.notice import counted
from heritage_gateway.plugin import Command, Services
from heritage_gateway.settings import GatewaySettings
from heritage_smithsonian.mirror.shelf import NEEDS_EXTRA
from heritage_smithsonian.settings import SmithsonianSettings

if TYPE_CHECKING:
    from heritage_gateway.index.shipping import Shipment
    from heritage_smithsonian.mirror.imprint import Imprint
    from heritage_smithsonian.mirror.upkeep import Outcome, Upkeep

DONE, FAILED = 0, 1


def _arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    sync = _verb(verbs, "sync", "make the mirror, or bring it up to date", _sync)
    sync.add_argument(
        "--units", default="", help="only these units, with commas, such as NASM,SAAM"
    )
    sync.add_argument("--all", action="store_true", help="all units, where the mirror holds some")
    sync.add_argument(
        "--accept-loss",
        action="store_true",
        help="believe files that lost more than half of their records, and serve without those "
        "that cannot be read",
    )
    _verb(verbs, "status", "what the mirror holds, and of which day it is", _status)
    _verb(verbs, "verify", "check every file of the mirror", _verify)
    _verb(verbs, "drop", "remove the mirror", _drop)
    publish = _verb(verbs, "publish", "put the mirror where other machines can pull it", _publish)
    publish.add_argument("place", metavar="DEST", help="folder, or address that takes files by PUT")
    pull = _verb(verbs, "pull", "take a published mirror over, or what has changed of it", _pull)
    pull.add_argument(
        "place", metavar="SOURCE", help="folder or http(s) address of the published one"
    )


def _verb(
    verbs: Any,
    name: str,
    said: str,
    work: Callable[[argparse.Namespace, Upkeep], int],
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=said)
    parser.add_argument("--dir", type=Path, help="folder of the mirror")
    parser.set_defaults(work=work)
    return parser


def _run(arguments: argparse.Namespace, _: GatewaySettings) -> int:
    """Exit codes: 0 done, 1 it failed or something is not as it should be; one sentence says what."""
    try:
        from heritage_smithsonian.mirror.upkeep import Upkeep  # noqa: PLC0415 - an extra
    except ImportError:
        print(f"heritage-gateway: {NEEDS_EXTRA}", file=sys.stderr)
        return FAILED
    folder: Path = arguments.dir or SmithsonianSettings.read().mirror_folder
    work: Callable[[argparse.Namespace, Upkeep], int] = arguments.work
    try:
        return work(arguments, Upkeep(folder.expanduser()))
    except GatewayError as error:
        print(f"heritage-gateway: {error.message} {error.hint}", file=sys.stderr)
    except (IndexFault, OSError) as error:
        print(f"heritage-gateway: {error}", file=sys.stderr)
    return FAILED


def _sync(arguments: argparse.Namespace, upkeep: Upkeep) -> int:
    outcome = asyncio.run(_synced(arguments, upkeep))
    for line in _told(outcome):
        print(line)
    return FAILED if outcome.tally.faults else DONE


async def _synced(arguments: argparse.Namespace, upkeep: Upkeep) -> Outcome:
    from heritage_smithsonian.mirror.bucket import Bucket  # noqa: PLC0415 - only a sync needs it
    from heritage_smithsonian.mirror.progress import Bars, Lines, is_terminal  # noqa: PLC0415
    from heritage_smithsonian.mirror.upkeep import Wish  # noqa: PLC0415 - an extra

    named: str = arguments.units
    units = tuple(unit.strip() for unit in named.split(",") if unit.strip())
    wish = Wish(units, everything=arguments.all, accept_loss=arguments.accept_loss)
    services = Services.shared(GatewaySettings.read())
    progress = Bars() if is_terminal() else Lines()
    try:
        async with aclosing(Bucket.over(services, SmithsonianSettings.read())) as bucket:
            with progress if isinstance(progress, Bars) else nullcontext():
                return await upkeep.sync(bucket, wish, progress)
    finally:
        await services.aclose()


def _told(outcome: Outcome) -> Iterator[str]:
    tally = outcome.tally
    yield (
        f"{counted(tally.fetched, 'files fetched')}, {counted(tally.written, 'records written')}, "
        f"{tally.deleted:,} deleted."
        if outcome.renewed
        else "Nothing has changed."
    )
    yield _held(outcome.imprint)
    if tally.faults:
        yield f"What is named above is as it was ({len(tally.faults)} in all); sync again later."


def _held(imprint: Imprint) -> str:
    held = sum(imprint.units.values())
    return f"The mirror is of {imprint.published:%Y-%m-%d}, and holds {held:,} objects."


def _status(_: argparse.Namespace, upkeep: Upkeep) -> int:
    code = DONE
    try:
        imprint = upkeep.imprint()
    except IndexFault as fault:
        print(str(fault))
        code = DONE if upkeep.generations.current is None else FAILED
    else:
        held = sum(imprint.units.values())
        print(f"snapshot {imprint.snapshot} of {_moment(imprint.published)}")
        print(f"built {_moment(imprint.built)} with {imprint.engine}")
        print(f"{counted(imprint.records, 'records')}, {held:,} of them found by searches")
        print(f"{upkeep.size() / 1e6:,.1f} MB in {upkeep.folder}")
        print(f"it holds only {', '.join(imprint.only)}" if imprint.only else "it holds all units")
        for unit, count in imprint.units.items():
            print(f"    {unit} {count:,}")
    if upkeep.generations.working is not None:
        print("a sync or a pull is unfinished; the same again goes on with it")
    last = upkeep.last()
    if last is not None:
        print(f"last sync {last['at']}: {last['error'] or 'done'}")
        for name, sentence in last["faults"].items():
            print(f"    {name}: {sentence}")
    return code


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _verify(_: argparse.Namespace, upkeep: Upkeep) -> int:
    found = upkeep.check()
    for sentence in found:
        print(sentence)
    print(
        "Something is not as it was built; drop the mirror and sync." if found else "All is well."
    )
    return FAILED if found else DONE


def _drop(_: argparse.Namespace, upkeep: Upkeep) -> int:
    print("The mirror is gone." if upkeep.drop() else "There is no mirror here.")
    return DONE


def _publish(arguments: argparse.Namespace, upkeep: Upkeep) -> int:
    from heritage_smithsonian.mirror.shipment import (  # noqa: PLC0415 - an extra
        place_named,
        publish_mirror,
    )

    with place_named(arguments.place, user_agent=_user_agent()) as place:
        shipment = publish_mirror(upkeep, place, print)
    print(_shipped(shipment))
    return DONE


def _pull(arguments: argparse.Namespace, upkeep: Upkeep) -> int:
    from heritage_smithsonian.mirror.shipment import (  # noqa: PLC0415 - an extra
        place_named,
        pull_mirror,
    )

    with place_named(arguments.place, user_agent=_user_agent()) as place:
        shipment = pull_mirror(upkeep, place, print)
    print(_shipped(shipment))
    print(_held(upkeep.imprint()))
    return DONE


def _user_agent() -> str:
    return Services(GatewaySettings.read()).user_agent


def _shipped(shipment: Shipment) -> str:
    if not shipment.changed:
        return "Nothing has changed."
    return (
        f"{shipment.copied:,} files copied, {shipment.size / 1e6:,.1f} MB; "
        f"{shipment.kept:,} were there already."
    )


MIRROR = Command(
    help="keep a copy of the whole Smithsonian catalogue on this machine",
    arguments=_arguments,
    run=_run,
)
