"""What to say of an answer that was fetched before, while a host may not be asked."""

from __future__ import annotations

from heritage_gateway.http import Dated
from heritage_gateway.notice import duration


def said_of_age(*answers: Dated[object]) -> str:
    """A sentence where any of the answers is a kept one that could not be asked for anew."""
    ages = [answer.age for answer in answers if answer.age is not None]
    if not ages:
        return ""
    return (
        f"The Library's host is not being asked just now; this answer was fetched "
        f"{duration(max(ages))} ago."
    )
