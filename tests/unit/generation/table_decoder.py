"""A decoder without a model: what may follow depends on the last token alone."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


class TableDecoder:
    """Row i of a document's table scores what follows token i; the trace tells row and step."""

    def __init__(self, tables: Sequence[Tensor], *, pages: int = 3) -> None:
        self.tables = [table.log_softmax(dim=-1) for table in tables]
        self.pages = pages
        self.steps = 0
        self.documents_seen: list[int] = []
        self.histories: list[list[int]] = []

    @property
    def num_documents(self) -> int:
        return len(self.tables)

    def start(self, beams: int, max_length: int) -> None:
        self.beams = beams
        self.max_length = max_length
        self.histories = [[] for _ in range(beams * len(self.tables))]

    def step(self, token_ids: Tensor, parents: Tensor) -> tuple[Tensor, list[list[tuple[int, ...]]]]:
        assert token_ids.dtype == parents.dtype == torch.int64
        kept = (parents.view(-1, self.beams)[:, 0] // self.beams).tolist()
        self.tables = [self.tables[document] for document in kept]
        self.documents_seen.append(len(kept))
        self.histories = [
            [*self.histories[parent], token]
            for parent, token in zip(parents.tolist(), token_ids.tolist(), strict=True)
        ]
        self.steps += 1
        scores = torch.stack(
            [self.tables[row // self.beams][token] for row, token in enumerate(token_ids.tolist())]
        )
        traces = [(len(h), h[-1], len(set(h))) for h in self.histories]
        starts = range(0, len(traces), self.beams)
        return scores.clone(), [traces[start : start + self.beams] for start in starts]
