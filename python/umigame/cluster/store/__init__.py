"""The store: results as immutable blocks in a folder or an object store.

A block is a Parquet file whose name is the checksum of its bytes; nothing in it ever changes, and it
appears in one step. Any number of processes read, write and compact one store at the same time,
without locks: the same result written twice counts once. What is still to be computed follows from
the store alone.

| path | |
|---|---|
| `store.json` | version of the format |
| `blocks/KIND/NAME.parquet` | rows sorted by key |
| `manifest.json` | the blocks as of some moment, to notice that one is gone; can be rebuilt |
| `cost.json` | what finished tasks took, to predict others |
| `proofs/NAME.json` | how far a proof is, and its tree as a page |
| `tmp/` | blocks being written |
"""

from umigame.cluster.errors import StoreError
from umigame.cluster.store.schema import SCHEMAS, register
from umigame.cluster.store.store import Store

__all__ = ["SCHEMAS", "Store", "StoreError", "register"]
