"""A client of Quern: datasets as tables, questions in plain language.

    import quern

    client = quern.Client("https://quern.example", token)
    client.dataset("harbour/ships").to_pandas()
    client.ask("Which ship is the longest?", namespace="harbour")

`AsyncClient` has the same methods, awaited. Everything that fails is a QuernError; see `quern.errors` for one class
per kind.
"""

from ._async.client import AsyncClient
from ._async.dataset import AsyncDataset
from ._sync.client import Client
from ._sync.dataset import Dataset
from .errors import *  # noqa: F403
from .values import Answer, CutWarning, DatasetPath, Event, Plan, Result, Step

__version__ = "0.1.0"
