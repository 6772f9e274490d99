"""One machine builds the mirror and publishes it; others pull it, and serve it without a restart."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from heritage_gateway.cli import main
from heritage_gateway.errors import UpstreamUnavailable
from heritage_gateway.index import IndexFault
from heritage_gateway.index.embedded import ENGINE, EmbeddedReader, EmbeddedWriter
from heritage_gateway.index.generations import Generations
from heritage_gateway.index.published import Folder
from heritage_gateway.index.shipping import publish
from heritage_gateway.index.sums import take, write_sums
from heritage_gateway.index.terms import dump
from heritage_smithsonian.mirror.entry import LAYOUT, LAYOUT_NAME, entry
from heritage_smithsonian.mirror.imprint import Imprint
from heritage_smithsonian.mirror.shelf import Shelf
from heritage_smithsonian.mirror.shipment import place_named, publish_mirror, pull_mirror
from heritage_smithsonian.mirror.state import State
from heritage_smithsonian.mirror.upkeep import Upkeep

HEAP = 30_000_000
DAY = datetime(2026, 1, 2, tzinfo=UTC)


# -- machines --------------------------------------------------------------------------------------


def line(name: str) -> bytes:
    told = {
        "id": f"ld1-{name}",
        "url": f"edanmdm:nasm_{name}",
        "type": "edanmdm",
        "unitCode": "NASM",
        "title": f"Balloon {name}",
        "content": {"descriptiveNonRepeating": {"unit_code": "NASM"}, "freetext": {}},
    }
    return json.dumps(told).encode()


def build(folder: Path, *names: str, engine: str = ENGINE, day: datetime = DAY) -> None:
    """What a sync would leave, when these records have come."""
    generations = Generations(folder)
    made = generations.fork()
    writer = EmbeddedWriter(made, LAYOUT, heap=HEAP)
    for name in names:
        writer.upsert(entry(line(name), "nasm/00"))
    writer.commit()
    writer.close()
    reader = EmbeddedReader(made, LAYOUT)
    dump(reader, LAYOUT.fields, made)
    with State(made) as state:
        state.remember("names", " ".join(names))
    records = reader.stats().entries
    imprint = Imprint(
        engine=engine,
        layout=LAYOUT_NAME,
        snapshot=f"{records}",
        published=day,
        built=day,
        records=records,
        units={"NASM": records},
    )
    imprint.write(made)
    write_sums(made, take(made))
    generations.switch(made)


@dataclass
class Machines:
    """The builder, the published mirror, and another machine; commands as a person gives them."""

    root: Path
    capsys: pytest.CaptureFixture[str]

    @property
    def builder(self) -> Path:
        return self.root / "builder"

    @property
    def depot(self) -> Path:
        return self.root / "depot"

    @property
    def other(self) -> Path:
        return self.root / "other"

    def command(self, *words: str | Path) -> tuple[int, list[str], str]:
        """Exit code, lines of output, and what was said on stderr."""
        code = main(["mirror", *map(str, words)])
        told = self.capsys.readouterr()
        return code, told.out.splitlines(), told.err

    def publish(self, to: str | Path | None = None) -> tuple[int, list[str], str]:
        return self.command("publish", to or self.depot, "--dir", self.builder)

    def pull(self, source: str | Path | None = None) -> tuple[int, list[str], str]:
        return self.command("pull", source or self.depot, "--dir", self.other)

    def holds(self, folder: Path) -> int:
        upkeep = Upkeep(folder)
        assert upkeep.check() == []
        return upkeep.imprint().records


@pytest.fixture
def machines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Machines:
    found = Machines(tmp_path, capsys)
    build(found.builder, "a", "b")
    return found


@dataclass
class Web:
    """A server of files that notes what it is asked, and takes files if it may."""

    folder: Path
    takes: bool = True
    refuses_with: int = 405
    asked: list[str] = field(default_factory=list[str])
    address: str = ""

    def of(self, method: str) -> list[str]:
        return [line.partition(" ")[2] for line in self.asked if line.startswith(f"{method} ")]


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, web: Web, *arguments: object) -> None:
        self.web = web
        super().__init__(*arguments, directory=str(web.folder))  # type: ignore[arg-type]

    def log_message(self, *_: object) -> None:
        """Quiet."""

    def send_head(self) -> object:  # type: ignore[override]
        self.web.asked.append(f"{self.command} {self.path}")
        return super().send_head()

    def do_PUT(self) -> None:
        self.web.asked.append(f"PUT {self.path}")
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.web.takes:
            file = self.web.folder / self.path.lstrip("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(body)
        self.send_response(201 if self.web.takes else self.web.refuses_with)
        self.send_header("Content-Length", "0")
        self.end_headers()


@contextmanager
def serving(
    handler: Callable[..., BaseHTTPRequestHandler],
) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def web(machines: Machines) -> Iterator[Web]:
    machines.depot.mkdir()
    found = Web(machines.depot)
    with serving(partial(_Handler, found)) as address:
        found.address = address
        yield found


# -- folders ---------------------------------------------------------------------------------------


def test_a_mirror_goes_to_another_machine_over_a_folder(machines: Machines) -> None:
    code, told, said = machines.publish()
    files = len(list((machines.depot / "files").iterdir()))
    assert (code, said) == (0, "")
    assert told[0] == f"{files} files to copy, 0.0 MB."
    assert told[-1] == f"{files} files copied, 0.0 MB; 0 were there already."
    code, told, said = machines.pull()
    assert (code, said) == (0, "")
    assert told[-1] == "The mirror is of 2026-01-02, and holds 2 objects."
    assert machines.holds(machines.other) == 2
    assert machines.command("verify", "--dir", machines.other)[1] == ["All is well."]


def test_a_second_time_there_is_nothing_to_do(machines: Machines) -> None:
    machines.publish()
    machines.pull()
    assert machines.publish() == (0, ["Nothing has changed."], "")
    code, told, _ = machines.pull()
    assert (code, told[0], len(told)) == (0, "Nothing has changed.", 2)


def test_later_only_what_has_changed_is_copied(machines: Machines) -> None:
    machines.publish()
    machines.pull()
    build(machines.builder, "c")
    told = machines.publish()[1]
    copied, kept = (int(told[-1].split()[at]) for at in (0, 5))
    assert copied > 0
    assert kept >= 6  # a segment at least
    told = machines.pull()[1]
    assert 0 < int(told[-2].split()[0]) < copied + kept
    assert machines.holds(machines.other) == 3


def test_a_pull_that_broke_off_shows_and_the_same_again_goes_on(machines: Machines) -> None:
    machines.publish()
    listed = json.loads((machines.depot / "current.json").read_text())["files"]
    spoilt = machines.depot / "files" / listed["state.sqlite3"]["sha256"]  # the last to come
    whole = spoilt.read_bytes()
    spoilt.unlink()
    code, _, said = machines.pull()
    assert code == 1
    assert "pull again" in said
    told = machines.command("status", "--dir", machines.other)[1]
    assert "a sync or a pull is unfinished; the same again goes on with it" in told
    spoilt.write_bytes(whole)
    code, told, _ = machines.pull()
    assert code == 0
    assert int(told[-2].split()[0]) == 2  # what says what the others are
    assert machines.holds(machines.other) == 2


def test_the_settings_say_where_the_mirror_lies(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_SMITHSONIAN_MIRROR_DIR", str(machines.builder))
    assert machines.command("publish", machines.depot)[0] == 0
    monkeypatch.setenv("HERITAGE_SMITHSONIAN_MIRROR_DIR", str(machines.other))
    assert machines.command("pull", machines.depot)[0] == 0
    assert machines.holds(machines.other) == 2


def test_a_mirror_of_another_version_is_refused_before_it_comes(machines: Machines) -> None:
    machines.publish()
    machines.pull()
    build(machines.builder, "c", engine="tantivy 0.99")
    current = Generations(machines.builder).current
    assert current is not None
    publish(current, Folder(machines.depot))
    code, told, said = machines.pull()
    assert (code, told) == (1, [])
    assert said.startswith("heritage-gateway: The published mirror was built by tantivy 0.99")
    assert machines.holds(machines.other) == 2
    assert Generations(machines.other).working is None
    code, told, said = machines.publish()  # nor does this version publish what it cannot read
    assert (code, told) == (1, [])
    assert "tantivy 0.99" in said


def test_a_spoilt_file_is_named_and_the_former_mirror_serves_on(machines: Machines) -> None:
    machines.publish()
    machines.pull()
    before = set((machines.depot / "files").iterdir())
    build(machines.builder, "c")
    machines.publish()
    spoilt = max(set((machines.depot / "files").iterdir()) - before)
    spoilt.write_bytes(bytes(spoilt.stat().st_size))
    code, _, said = machines.pull()
    assert code == 1
    assert f"remove files/{spoilt.name} there and publish again." in said
    assert len(said.splitlines()) == 1
    assert machines.holds(machines.other) == 2
    spoilt.unlink()
    machines.publish()
    assert machines.pull()[0] == 0
    assert machines.holds(machines.other) == 3


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("publish", "{depot}", "--dir", "{other}"), "There is no mirror here."),
        (("pull", "{depot}", "--dir", "{other}"), "No index is published there."),
        (("pull", "{builder}", "--dir", "{other}"), "The folder holds an index itself"),
        (("publish", "{builder}", "--dir", "{builder}"), "The folder holds an index itself"),
        (("pull", "s3://bucket/mirror", "--dir", "{other}"), "http:// or https:// address."),
        (("pull", "file:///srv/mirror", "--dir", "{other}"), "http:// or https:// address."),
        (("pull", "http://", "--dir", "{other}"), "http:// or https:// address."),
        (("pull", "http://a b/", "--dir", "{other}"), "http:// or https:// address."),
        (("pull", "http://h:99999/", "--dir", "{other}"), "http:// or https:// address."),
        (("pull", "https://me:s3cret@h/m", "--dir", "{other}"), "without user name"),
        (("pull", "https://h/m?key=s3cret", "--dir", "{other}"), "without user name"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    machines: Machines, words: tuple[str, ...], sentence: str
) -> None:
    places = {"builder": machines.builder, "depot": machines.depot, "other": machines.other}
    code, told, said = machines.command(*(word.format(**places) for word in words))
    assert (code, told) == (1, [])
    assert said.startswith("heritage-gateway: ")
    assert sentence in said
    assert "s3cret" not in said
    assert len(said.splitlines()) == 1


# -- addresses -------------------------------------------------------------------------------------


def test_a_mirror_is_pulled_from_an_address(machines: Machines, web: Web) -> None:
    machines.publish()
    web.asked.clear()
    code, told, said = machines.pull(f"{web.address}/")
    assert (code, said) == (0, "")
    assert told[-1] == "The mirror is of 2026-01-02, and holds 2 objects."
    assert machines.holds(machines.other) == 2
    build(machines.builder, "c")
    machines.publish()
    before, web.asked[:] = len(web.asked), []
    assert machines.pull(web.address)[0] == 0
    assert 0 < len(web.asked) < before
    assert len(web.of("GET")) == len(web.asked)
    assert machines.holds(machines.other) == 3
    web.asked.clear()
    assert machines.pull(web.address)[1][0] == "Nothing has changed."
    assert web.asked == ["GET /current.json"]


def test_a_mirror_is_published_to_an_address_that_takes_files(machines: Machines, web: Web) -> None:
    code, told, said = machines.publish(web.address)
    assert (code, said) == (0, "")
    assert web.of("PUT")[-1] == "/current.json"
    sent = len(web.of("PUT")) - 1
    assert told[-1].startswith(f"{sent} files copied")
    assert machines.pull(web.address)[0] == 0
    assert machines.holds(machines.other) == 2
    build(machines.builder, "c")
    web.asked.clear()
    assert machines.publish(web.address)[0] == 0
    assert 1 < len(web.of("PUT")) < sent
    assert web.of("PUT")[-1] == "/current.json"
    assert machines.pull(web.address)[0] == 0
    assert machines.holds(machines.other) == 3
    web.asked.clear()
    assert machines.publish(web.address)[1] == ["Nothing has changed."]
    assert web.of("PUT") == []


@pytest.mark.parametrize("status", [401, 403, 405, 501])
def test_an_address_that_takes_no_files_is_said_in_one_sentence(
    machines: Machines, web: Web, status: int
) -> None:
    web.takes, web.refuses_with = False, status
    code, _, said = machines.publish(web.address)
    assert code == 1
    assert f"(status {status})" in said
    assert len(said.splitlines()) == 1
    assert len(web.of("PUT")) == 1


def test_an_address_where_nothing_is_published_is_said(machines: Machines, web: Web) -> None:
    code, told, said = machines.pull(web.address)
    assert (code, told) == (1, [])
    assert said == "heritage-gateway: No index is published there.\n"


def test_a_server_that_leads_elsewhere_is_not_followed(machines: Machines, web: Web) -> None:
    machines.publish()

    class Leading(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", f"{web.address}{self.path}")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with serving(Leading) as address:
        code, told, said = machines.pull(address)
    assert (code, told) == (1, [])
    assert "redirected to a host outside its list" in said
    assert web.asked == []


def test_more_than_was_announced_is_not_taken_from_an_address(machines: Machines, web: Web) -> None:
    machines.publish()
    told = json.loads((machines.depot / "current.json").read_text())
    largest = max(told["files"].values(), key=lambda one: one["size"])
    with (machines.depot / "files" / largest["sha256"]).open("ab") as file:
        file.write(bytes(10_000_000))
    code, _, said = machines.pull(web.address)
    assert code == 1
    assert "is larger than announced" in said
    staged = list(machines.other.rglob(f"{largest['sha256']}*"))
    assert sum(path.stat().st_size for path in staged) < 1_000_000


def test_a_line_that_breaks_off_is_waited_for_and_given_up(machines: Machines) -> None:
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    with serving(BaseHTTPRequestHandler) as address:
        pass  # nobody is there any more
    with (
        place_named(address, user_agent="test", sleep=wait) as place,
        pytest.raises(UpstreamUnavailable, match="could not be reached"),
    ):
        pull_mirror(Upkeep(machines.other), place, print)
    assert len(waits) == 4


# -- servers ---------------------------------------------------------------------------------------


def test_a_server_sees_a_pulled_mirror_without_a_restart(machines: Machines) -> None:
    async def story() -> None:
        shelf = Shelf(machines.other)
        assert await shelf.latest() is None
        for names, records in ((("a", "b"), 2), (("c",), 3), (("d", "e"), 5)):
            if records > 2:
                build(machines.builder, *names)
            with place_named(str(machines.depot), user_agent="test") as place:
                await asyncio.to_thread(publish_mirror, Upkeep(machines.builder), place, silent)
                await asyncio.to_thread(pull_mirror, Upkeep(machines.other), place, silent)
            mirror = await shelf.latest()
            assert mirror is not None
            assert mirror.imprint.records == records
            assert (await mirror.record(f"edanmdm:nasm_{names[-1]}"))["title"] == (
                f"Balloon {names[-1]}"
            )
            assert await shelf.latest() is mirror

    asyncio.run(story())


def silent(_sentence: str) -> None:
    pass


_SERVER = """
import asyncio, sys
from pathlib import Path
from heritage_smithsonian.mirror.shelf import Shelf
shelf = Shelf(Path(sys.argv[1]))
async def answer(name):
    mirror = await shelf.latest()
    return f"{mirror.imprint.records} {(await mirror.record(name))['title']}"
with asyncio.Runner() as runner:
    for name in sys.stdin:
        print(runner.run(answer(name.strip())), flush=True)
"""


def test_two_servers_and_a_puller_share_a_folder(machines: Machines) -> None:
    machines.publish()
    machines.pull()
    servers = [
        subprocess.Popen(
            [sys.executable, "-c", _SERVER, str(machines.other)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]

    def asked(name: str) -> set[str]:
        found: set[str] = set()
        for server in servers:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(f"edanmdm:nasm_{name}\n")
            server.stdin.flush()
            found.add(server.stdout.readline().strip())
        return found

    try:
        assert asked("a") == {"2 Balloon a"}
        for name, records in (("c", 3), ("d", 4)):
            build(machines.builder, name)
            machines.publish()
            assert machines.pull()[0] == 0
            assert asked(name) == {f"{records} Balloon {name}"}
    finally:
        for server in servers:
            server.communicate()


def test_a_puller_is_told_that_another_one_is_at_work(machines: Machines) -> None:
    machines.publish()
    with Generations(machines.other).locked():
        code, told, said = machines.pull()
    assert (code, told) == (1, [])
    assert said == "heritage-gateway: Another process is at work on this folder.\n"


def test_the_folder_of_a_published_mirror_does_not_serve(machines: Machines) -> None:
    machines.publish()
    with (
        pytest.raises(IndexFault, match="needs another folder"),
        place_named(str(machines.depot), user_agent="test") as place,
    ):
        pull_mirror(Upkeep(machines.depot), place, print)
