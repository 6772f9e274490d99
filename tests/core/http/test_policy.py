from __future__ import annotations

import pytest

from heritage_gateway.http import Pace, Upstream, is_loopback

PACES = {"search": Pace(2, 1, 1)}


def upstream(
    base_url: str = "https://api.si.edu", headers: dict[str, str] | None = None, paced: bool = True
) -> Upstream:
    return Upstream(
        name="api.si.edu",
        title="the Smithsonian's API",
        base_url=base_url,
        paces=PACES,
        headers=headers or {},
        paced=paced,
    )


def test_a_pace_admits_its_burst_and_what_is_refilled() -> None:
    assert Pace(5, 20, 60).admits(0) == 5
    assert Pace(5, 20, 60).admits(60) == 25
    assert Pace(5, 20, 60).interval == 3


@pytest.mark.parametrize("pace", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, -1, 1)])
def test_a_pace_that_never_admits_is_refused(pace: tuple[int, float, float]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Pace(*pace)


def test_the_base_address_loses_its_trailing_slash() -> None:
    assert upstream("https://api.si.edu/openaccess/").base_url == "https://api.si.edu/openaccess"


@pytest.mark.parametrize(
    ("base_url", "host"),
    [
        ("https://API.si.edu/openaccess", "api.si.edu"),
        ("https://api.si.edu:443", "api.si.edu"),
        ("http://127.0.0.1:8765/si", "127.0.0.1:8765"),
        ("http://[::1]:80/", "[::1]"),
        ("https://api.si.edu:80", "api.si.edu:80"),
    ],
)
def test_the_host_names_a_port_only_where_it_is_not_the_usual_one(base_url: str, host: str) -> None:
    assert upstream(base_url).host == host


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("http://127.0.0.1:1/x", True),
        ("http://127.9.9.9", True),
        ("http://[::1]:8765", True),
        ("http://LOCALHOST", True),
        ("http://localhost.example.org", False),
        ("http://127.0.0.1@example.org", False),
        ("http://127.0.0.1.example.org", False),
        ("http://10.0.0.1", False),
        ("http://0.0.0.0", False),
        ("", False),
    ],
)
def test_loopback_is_this_machine_only(url: str, inside: bool) -> None:
    assert is_loopback(url) is inside


def test_the_pace_may_be_off_at_a_loopback_address_only() -> None:
    assert not upstream("http://127.0.0.1:8765/si", paced=False).paced
    with pytest.raises(ValueError, match="loopback"):
        upstream(paced=False)


def test_a_base_address_has_a_scheme() -> None:
    with pytest.raises(ValueError, match="http://"):
        upstream("api.si.edu/openaccess")


def test_headers_show_in_no_repr_and_cannot_be_changed() -> None:
    given = {"X-Api-Key": " s3cret "}
    made = upstream(headers=given)
    given["X-Api-Key"] = "other"
    assert made.headers == {"X-Api-Key": "s3cret"}
    assert "s3cret" not in repr(made)
    with pytest.raises(TypeError):
        made.headers["X-Api-Key"] = "other"  # type: ignore[index]


@pytest.mark.parametrize("key", ["s3cret\nX-Other: 1", "s3crét", "s3cret\x00"])
def test_a_header_that_cannot_be_sent_is_refused_without_being_quoted(key: str) -> None:
    with pytest.raises(ValueError, match="cannot be sent") as caught:
        upstream(headers={"X-Api-Key": key})
    assert "s3cr" not in str(caught.value)
