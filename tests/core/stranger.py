"""A provider of a stranger, entering by the same door as the built-in ones."""

from __future__ import annotations

from pydantic import Field

from heritage_gateway.arguments import Arguments
from heritage_gateway.errors import NothingFound, Reason
from heritage_gateway.plugin import Provider, Services
from heritage_gateway.settings import EnvironmentSettings
from heritage_gateway.tool import Output, Tool


class Asked(Arguments):
    name: str = Field(description="Whom to greet.")


class Greeting(Output):
    greeting: str


async def greet(asked: Asked) -> Greeting:
    if asked.name == "nobody":
        raise NothingFound(Reason.NOT_FOUND, "Nobody is here.", "Greet somebody.")
    return Greeting(greeting=f"Good day, {asked.name}")


def plugin(_services: Services) -> Provider:
    tool = Tool(
        name="stranger_greet",
        title="Greet",
        description="Greets.",
        input=Asked,
        output=Greeting,
        reasons=(Reason.NOT_FOUND,),
        handle=greet,
        render=lambda answer: f"# {answer.greeting}",
    )
    return Provider(
        name="stranger",
        title="A stranger",
        settings=EnvironmentSettings(),
        tools=(tool,),
        instructions="Greets.",
    )


def broken(_services: Services) -> Provider:
    raise RuntimeError("a plugin that cannot be loaded")


def empty_handed(_services: Services) -> None:
    """A plugin that forgot its return."""


def giving_up(_services: Services) -> Provider:
    raise SystemExit(3)
