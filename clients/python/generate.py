"""Writes what is made from other files: the types of the contract, and the client
that blocks from the one that is awaited.

    python generate.py           writes src/quern/schema.py and src/quern/_sync
    python generate.py --check   fails when they are not current
"""

from __future__ import annotations

import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

import yaml

here = Path(__file__).parent
contract = here.parent.parent / "api" / "openapi.yaml"
package = here / "src" / "quern"

Schema = dict[str, Any]


class Types:
    """The schemas of a contract as types of Python."""

    def __init__(self, schemas: dict[str, Schema]) -> None:
        self.schemas = schemas
        self.out: list[str] = []

    def write(self) -> str:
        for name, schema in self.schemas.items():
            self.define(name, schema)
        return "\n\n".join([TYPES_HEAD.strip(), *self.out]) + "\n"

    def define(self, name: str, schema: Schema) -> None:
        if "properties" not in schema:
            self.out.append(f"{name} = {self.type_of(name, schema)}\n{doc(schema)}".rstrip())
            return
        required = set(schema.get("required", []))
        members = []
        for key, member in schema["properties"].items():
            kind = self.type_of(name + key[0].upper() + key[1:], member)
            members.append((key, kind if key in required else f"NotRequired[{kind}]"))
        plain = all(k.isidentifier() and not keyword.iskeyword(k) and not k.startswith("__") for k, _ in members)
        if plain:
            body = "\n".join(f"    {key}: {kind}" for key, kind in members)
            self.out.append(f"class {name}(TypedDict):\n{textwrap.indent(doc(schema), '    ')}\n\n{body}")
        else:
            body = "\n".join(f'        "{key}": {self.quoted(kind)},' for key, kind in members)
            self.out.append(f'{name} = TypedDict(\n    "{name}",\n    {{\n{body}\n    }},\n)\n{doc(schema)}')

    def quoted(self, kind: str) -> str:
        """Outside of class bodies names are looked up at once, so those of types are strings."""
        inner = re.fullmatch(r"NotRequired\[(.*)\]", kind)
        return f"NotRequired[{inner[1]!r}]" if inner else repr(kind)

    def type_of(self, name: str, schema: Schema) -> str:
        kind = self.bare_type(name, schema)
        return f"{kind} | None" if schema.get("nullable") and kind != "Any" else kind

    def bare_type(self, name: str, schema: Schema) -> str:
        if "$ref" in schema:
            return str(schema["$ref"]).rsplit("/", 1)[-1]
        for group in ("allOf", "oneOf", "anyOf"):
            if group in schema and "properties" not in schema:
                of = [self.type_of(name, one) for one in schema[group]]
                return of[0] if len(set(of)) == 1 else "Any"
        if "enum" in schema:
            return "Literal[" + ", ".join(f'"{value}"' for value in schema["enum"]) + "]"
        match schema.get("type"):
            case "string":
                return "str"
            case "integer":
                return "int"
            case "number":
                return "float"
            case "boolean":
                return "bool"
            case "array":
                return f"list[{self.type_of(name + 'Item', schema.get('items', {}))}]"
            case "object":
                return self.object_type(name, schema)
        return "Any"

    def object_type(self, name: str, schema: Schema) -> str:
        if "properties" in schema:
            self.define(name, schema)
            return name
        values = schema.get("additionalProperties")
        return f"dict[str, {self.type_of(name + 'Value', values)}]" if isinstance(values, dict) else "dict[str, Any]"


def doc(schema: Schema) -> str:
    text = " ".join(str(schema.get("description", "")).split()).replace("\\", "\\\\").replace('"""', "'''")
    if not text:
        return '""""""'
    text = text.rstrip() + (" " if text.endswith('"') else "")
    return '"""' + "\n".join(textwrap.wrap(text, 110)) + '"""'


TYPES_HEAD = '''
"""What the contract says of bodies, as types. Made by generate.py from api/openapi.yaml: do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict
'''

# What differs between the client that is awaited and the one that blocks. Longer words come first.
WORDS = [
    ("from collections.abc import AsyncIterator, Awaitable, Callable", "from collections.abc import Callable, Iterator"),
    ("from collections.abc import AsyncIterator, Callable, Iterable,", "from collections.abc import Callable, Iterable, Iterator,"),
    ("from collections.abc import AsyncIterator, Callable,", "from collections.abc import Callable, Iterator,"),
    ("Awaitable[T]", "T"),
    ("asynccontextmanager", "contextmanager"),
    ("[event.type async for", "[event.type for"),
    ("import asyncio\n", "import time\n"),
    ("asyncio.sleep", "time.sleep"),
    ("aiter_", "iter_"),
    ("aread", "read"),
    ("aclose", "close"),
    ("__aenter__", "__enter__"),
    ("__aexit__", "__exit__"),
    ("__aiter__", "__iter__"),
    ("async with ", "with "),
    ("async for ", "for "),
    ("async def ", "def "),
    ("await ", ""),
    ("Async", ""),
    ("is awaited, from which the one that blocks is made", "blocks"),
]

SYNC_HEAD = "# Made by generate.py from {}: do not edit.\n"


def blocking(name: str, source: str) -> str:
    for awaited, plain in WORDS:
        source = source.replace(awaited, plain)
    return SYNC_HEAD.format(f"_async/{name}") + source


def made() -> dict[Path, str]:
    schemas = yaml.load(contract.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["components"]["schemas"]
    files = {package / "schema.py": Types(schemas).write()}
    for source in sorted((package / "_async").glob("*.py")):
        if source.name != "pool.py":  # several things at a time differ in more than words
            files[package / "_sync" / source.name] = blocking(source.name, source.read_text(encoding="utf-8"))
    return files


def main() -> int:
    stale = {path: text for path, text in made().items() if not path.exists() or path.read_text(encoding="utf-8") != text}
    for path, text in stale.items():
        if "--check" in sys.argv:
            print(f"{path} is not current: run python generate.py", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
