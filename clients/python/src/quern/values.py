"""What questions and queries give."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import schema
from ._wire import Event
from .errors import Cancelled, RunFailed

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["Answer", "CutWarning", "DatasetPath", "Event", "Plan", "Result", "Step"]

PLACES = {"__row", "__file", "__sheet", "__page"}
"""Columns that queries can ask for by name: where rows stand and came from."""


class CutWarning(UserWarning):
    """A table was made of a result that has more rows than the server returns at once."""


@dataclass(frozen=True)
class DatasetPath:
    """Where a dataset is.

    >>> DatasetPath.parse("harbour/ships")
    DatasetPath(owner='self', namespace='harbour', name='ships')
    >>> str(DatasetPath.parse("bob/kitchen/pantry"))
    'bob/kitchen/pantry'
    """

    owner: str
    """A username; `self` is the caller."""
    namespace: str
    name: str

    @staticmethod
    def parse(text: str | DatasetPath) -> DatasetPath:
        """Reads `namespace/dataset` or `owner/namespace/dataset`."""
        if isinstance(text, DatasetPath):
            return text
        parts = text.split("/")
        if len(parts) not in (2, 3) or not all(parts):
            raise ValueError(f"{text!r} is not of the form namespace/dataset or owner/namespace/dataset")
        return DatasetPath("self" if len(parts) == 2 else parts[0], *parts[-2:])

    def __str__(self) -> str:
        return "/".join([self.owner, self.namespace, self.name])


@dataclass(frozen=True, repr=False)
class Result:
    """Rows that a query gave, at most as many as the server returns at once.

    >>> result = Result(["ship"], [("Ariadne",), ("Borealis",)], total=5, truncated=True)
    >>> result
    <Result: 2 of 5 rows, cut; ship>
    >>> [row["ship"] for row in result]
    ['Ariadne', 'Borealis']
    """

    columns: list[str]
    rows: list[tuple[Any, ...]]
    """One value per column. A number that a float would change is a Decimal."""
    total: int
    """How many rows the whole result has."""
    truncated: bool = False
    """Whether there are more than `rows` holds."""
    query: str = ""
    """The query as it ran."""

    @staticmethod
    def of(data: Sequence[Mapping[str, Any]], total: int, truncated: bool, query: str = "") -> Result:
        """Takes rows apart, without what they tell of themselves."""
        columns = [name for name in (data[0] if data else {}) if not name.startswith("__") or name in PLACES]
        rows = [tuple(row.get(name) for name in columns) for row in data]
        return Result(columns, rows, max(total, len(rows)), truncated, query)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    @property
    def count(self) -> str:
        """How many rows there are, in words, and whether they are all."""
        if self.truncated:
            return f"{len(self.rows):,} of {self.total:,} rows, cut"
        return f"{len(self.rows):,} row{'' if len(self.rows) == 1 else 's'}"

    def __repr__(self) -> str:
        return f"<Result: {self.count}; {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        from .display import result_html

        return result_html(self)

    def _say_when_cut(self) -> None:
        if self.truncated:
            warnings.warn(
                f"the result was cut: the table has {len(self.rows):,} of {self.total:,} rows. "
                "Aggregate in the query, or read the whole dataset with dataset(…).to_pandas()",
                CutWarning,
                stacklevel=3,
            )

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a DataFrame; warns when they are not all."""
        import pandas

        self._say_when_cut()
        return pandas.DataFrame(self.rows, columns=self.columns)

    def to_polars(self) -> polars.DataFrame:
        """The rows as a DataFrame of polars; warns when they are not all."""
        import polars

        self._say_when_cut()
        return polars.DataFrame(self.rows, schema=self.columns, orient="row", infer_schema_length=None, strict=False)

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of Arrow; warns when they are not all. Values of no one type become JSON text."""
        import pyarrow

        self._say_when_cut()
        columns = []
        for values in zip(*self.rows, strict=True) if self.rows else ([] for _ in self.columns):
            try:
                columns.append(pyarrow.array(values))
            except (pyarrow.ArrowException, TypeError, ValueError):
                columns.append(pyarrow.array([None if v is None else json.dumps(v, default=str) for v in values]))
        return pyarrow.table(columns, names=self.columns)


@dataclass(frozen=True)
class Plan:
    """The steps that should answer a question."""

    steps: list[str] = field(default_factory=list)
    reasoning: str = ""


@dataclass(frozen=True)
class Step:
    """One query of a run."""

    index: int
    instruction: str
    query: str
    """As it ran; empty when it asked back."""
    reasoning: str
    """How the instruction was read."""
    result: Result
    doubt: bool = False
    """Whether the rows should be doubted; `notes` say why."""
    notes: list[str] = field(default_factory=list)
    words: list[schema.Word] = field(default_factory=list)
    chart: schema.Chart | None = None
    """How the rows are best drawn."""
    clarification: schema.Clarification | None = None

    @staticmethod
    def of(told: schema.AnswerStep) -> Step:
        return Step(
            index=told["index"],
            instruction=told["instruction"],
            query=told["query"],
            reasoning=told["reasoning"],
            result=Result.of(told["data"], told.get("totalCount", 0), told.get("truncated", False), told["query"]),
            doubt=told.get("doubt", False),
            notes=told.get("notes") or [],
            words=told.get("words") or [],
            chart=told.get("chart"),
            clarification=told.get("clarification"),
        )


@dataclass(repr=False)
class Answer:
    """What a question gave: words, and the queries and rows that they are made of.

    In a notebook it shows itself with its doubt, queries, tables and charts.
    """

    question: str = ""
    run_id: str = ""
    """The run, by which it is rated, followed and read again."""
    conversation_id: str = ""
    """Given to the next question, it makes that one a follow-up."""
    response: str = ""
    """The answer in words, in Markdown."""
    plan: Plan = field(default_factory=Plan)
    steps: list[Step] = field(default_factory=list)
    clarification: schema.Clarification | None = None
    """A question back, with choices, where the question can be read in several ways."""
    doubt: bool = False
    """Whether one of the steps should be doubted; `notes` say why."""
    notes: list[str] = field(default_factory=list)
    words: list[schema.Word] = field(default_factory=list)
    """Of the step that asked back: what its words were taken for."""

    @property
    def result(self) -> Result:
        """The rows of the last step that has any."""
        return next((s.result for s in reversed(self.steps) if s.query), Result([], [], 0))

    @property
    def query(self) -> str:
        """The query of the last step that ran one."""
        return next((s.query for s in reversed(self.steps) if s.query), "")

    @property
    def choices(self) -> list[schema.Choice]:
        """What the question back offers; each `question` can be asked next."""
        return self.clarification["choices"] if self.clarification else []

    def take(self, event: Event) -> None:
        """Lays an event over what is known so far; fails with RunFailed at the one of a failure."""
        told = event.data
        if event.type == "run-started":
            self.run_id, self.conversation_id = told["runId"], told["conversationId"]
        elif event.type == "plan":
            self.plan = Plan(told["steps"], told["reasoning"])
        elif event.type == "step":
            self.steps.append(Step.of(told))
        elif event.type == "answer":
            self.response, self.clarification = told["response"], told.get("clarification")
            self.doubt, self.notes, self.words = told.get("doubt", False), told.get("notes") or [], told.get("words") or []
        elif event.type == "error":
            kind = Cancelled if told["error_code"] == "CANCELLED" else RunFailed
            raise kind(told["message"], code=told["error_code"])

    def __str__(self) -> str:
        lines = [self.response]
        if self.doubt:
            lines.append("Doubt this answer.")
        return "\n".join(lines + self.notes)

    def __repr__(self) -> str:
        return f"<Answer: {self.response!r}{', doubted' if self.doubt else ''}; {len(self.steps)} steps>"

    def _repr_html_(self) -> str:
        from .display import answer_html

        return answer_html(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}
