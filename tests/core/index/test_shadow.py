"""What may only be read is read all the same: folders of other users, read-only mounts."""

from __future__ import annotations

import gc
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from heritage_gateway.index import Entry, IndexFault, Layout
from heritage_gateway.index.embedded import EmbeddedReader, EmbeddedWriter
from heritage_gateway.index.shadow import shadow_of

HEAP = 30_000_000
LAYOUT = Layout("cards", 1, facets=("drawer",))
NOBODY = 65534

# The reader of another process: as nobody where we are root, and at what it may only read.
_READ = f"""
import os, sys
from pathlib import Path
from heritage_gateway.index import Layout
from heritage_gateway.index.embedded import EmbeddedReader
if os.getuid() == 0 and sys.argv[2] == "nobody":
    os.setgid({NOBODY})
    os.setuid({NOBODY})
folder = Path(sys.argv[1])
print("writable" if os.access(folder / "index", os.W_OK) else "read-only")
reader = EmbeddedReader(folder, Layout("cards", 1, facets=("drawer",)))
print(reader.stats().entries, reader.get("card 7").decode())
print(len(list(Path(os.environ["TMPDIR"]).iterdir())), "shadows")
"""
_MOUNTED = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 77; shift; exec "$@"'


def write(folder: Path, cards: int = 20) -> None:
    writer = EmbeddedWriter(folder, LAYOUT, heap=HEAP)
    for number in range(cards):
        name = f"card {number}"
        writer.upsert(Entry(name, name.encode(), name, terms=(("drawer", "A"),)))
    writer.commit()
    writer.close()


def bolt(folder: Path) -> None:
    """As an image or a package would have it: no locks, and nobody may write."""
    for path in (*folder.rglob("*"), folder):
        if path.name.endswith(".lock"):
            path.unlink()
        else:
            path.chmod(0o555 if path.is_dir() else 0o444)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can come to, which a test's own is not."""
    folder = Path(tempfile.mkdtemp(prefix="heritage-test-"))
    folder.chmod(0o755)
    (folder / "tmp").mkdir()
    (folder / "tmp").chmod(0o777)
    yield folder
    for path in folder.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(folder)


def read_elsewhere(
    root: Path, folder: Path, who: str, before: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*before, sys.executable, "-B", "-c", _READ, str(folder), who],
        env={**os.environ, "TMPDIR": str(root / "tmp")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(os.name == "nt", reason="users and modes are POSIX's")
def test_an_index_that_belongs_to_another_user_is_read_through_a_shadow(open_folder: Path) -> None:
    write(open_folder / "made")
    bolt(open_folder / "made")
    told = read_elsewhere(open_folder, open_folder / "made", "nobody")
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines() == ["read-only", "20 card 7", "1 shadows"]
    assert list((open_folder / "tmp").iterdir()) == []  # gone with the process


@pytest.mark.skipif(os.name == "nt", reason="users and modes are POSIX's")
def test_an_index_on_a_read_only_mount_is_read_through_a_shadow(open_folder: Path) -> None:
    """Where mounting is not allowed, modes alone have to do."""
    write(open_folder / "made")
    who = "nobody"
    told = None
    if shutil.which("unshare") and os.getuid() == 0:
        folder = str(open_folder / "made")
        mounting = ("unshare", "-m", "sh", "-c", _MOUNTED, "sh", folder)
        told = read_elsewhere(open_folder, open_folder / "made", "root", mounting)
    if told is None or told.returncode == 77 or "unshare" in told.stderr:
        bolt(open_folder / "made")
        told = read_elsewhere(open_folder, open_folder / "made", who)
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines() == ["read-only", "20 card 7", "1 shadows"]
    assert list((open_folder / "tmp").iterdir()) == []


def test_an_index_that_may_be_written_to_needs_no_shadow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    write(tmp_path / "made")
    assert EmbeddedReader(tmp_path / "made", LAYOUT).stats().entries == 20
    assert list((tmp_path / "tmp").iterdir()) == []


def test_what_an_index_lists_is_as_readable_as_the_rest_of_it(tmp_path: Path) -> None:
    write(tmp_path)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "index").iterdir()}
    assert len(modes) == 1


def test_a_shadow_goes_when_its_reader_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    write(tmp_path / "made")
    _unlockable(tmp_path / "made")
    reader = EmbeddedReader(tmp_path / "made", LAYOUT)
    assert reader.get("card 7") == b"card 7"
    assert len(list((tmp_path / "tmp").iterdir())) == 1
    del reader
    gc.collect()
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("allowed", [{"symlink"}, {"link"}, set[str]()], ids=str)
def test_a_shadow_takes_what_links_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed: set[str]
) -> None:
    def refused(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in {"symlink", "link"} - allowed:
        monkeypatch.setattr(os, name, refused)
    write(tmp_path / "made")
    shadow = shadow_of(tmp_path / "made" / "index")
    kinds = {
        "symlink" if path.is_symlink() else "link" if path.stat().st_nlink > 1 else "copy"
        for path in shadow.iterdir()
        if path.name != "meta.json"
    }
    assert kinds == (allowed or {"copy"})


def test_an_index_that_is_broken_is_refused_and_leaves_no_shadow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    write(tmp_path / "made")
    for file in (tmp_path / "made" / "index").glob("*.term"):
        file.unlink()
    with pytest.raises(IndexFault, match=r"The index cannot be opened: .*\."):
        EmbeddedReader(tmp_path / "made", LAYOUT)
    gc.collect()
    assert list((tmp_path / "tmp").iterdir()) == []
    (tmp_path / "made" / "index" / "meta.json").unlink()
    with pytest.raises(IndexFault):
        EmbeddedReader(tmp_path / "made", LAYOUT)
    with pytest.raises(IndexFault):
        EmbeddedReader(tmp_path / "nothing", LAYOUT)
    gc.collect()
    assert list((tmp_path / "tmp").iterdir()) == []


def _unlockable(folder: Path) -> None:
    """A folder where the lock should be keeps out root too."""
    lock = folder / "index" / ".tantivy-meta.lock"
    lock.unlink(missing_ok=True)
    lock.mkdir()
