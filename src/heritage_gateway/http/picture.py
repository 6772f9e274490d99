"""What an image service sent: the bytes of a picture, unread, or why there are none."""

from __future__ import annotations

from collections.abc import Callable, Collection

from heritage_gateway.errors import NothingFound, Reason, UpstreamMalformed, UpstreamUnavailable
from heritage_gateway.http.reply import Reply

_LATER = "Try again in a minute; the record itself is there."


def picture_from(house: str, absent: Collection[int] = (404, 410)) -> Callable[[Reply], bytes]:
    """A reader of replies; `absent` are the statuses by which this service says that it has none."""

    def read(reply: Reply) -> bytes:
        if reply.status in absent:
            raise no_picture(house)
        if reply.status != 200:
            raise UpstreamUnavailable(
                f"The image service of {house} answered with status {reply.status}.", _LATER
            )
        if not reply.body:
            raise UpstreamMalformed(f"The image service of {house} sent nothing.", _LATER)
        return reply.body

    return read


def no_picture(house: str) -> NothingFound:
    return NothingFound(
        Reason.NO_IMAGES,
        f"The image service of {house} has no picture where the record names one.",
        "Try another `number`, or the page of the record.",
    )
