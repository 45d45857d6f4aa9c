"""Examples encoded in the order of the data set, by this process or by several at the same time."""

from __future__ import annotations

import multiprocessing
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle, islice
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lsum_cli.datasets.dataset import Dataset, Standing
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.measures import measure
from lsum_cli.errors import DatasetError

Array = NDArray[np.generic]
Encoder = Callable[[Example], Mapping[str, Array] | None]


class Encoded(NamedTuple):
    """What is kept of an example: its features, ``None`` where it has none, and what was measured."""

    standing: Standing
    features: Mapping[str, Array] | None
    measures: tuple[int, int, int, int]


def encode_examples(dataset: Dataset, encode: Encoder, processes: int = 1) -> Iterator[Encoded]:
    """Encode all examples of a data set, in its order.

    Args:
        processes: How many encode; each goes through the files and makes every so-manieth record an
            example. Where processes cannot be forked, and for 1, it is this one.

    Raises:
        DatasetError: As iterating does.
    """
    if processes < 2 or not sys.platform.startswith("linux"):
        for example in dataset:
            yield _encode(encode, example)
        return
    yield from dataset.select(_encode_in_processes(dataset, encode, processes))


def _encode(encode: Encoder, example: Example) -> Encoded:
    return Encoded(Standing.of(example), encode(example), measure(example))


_Answer = list[tuple[Standing, Encoded]]


def _encode_in_processes(
    dataset: Dataset, encode: Encoder, processes: int
) -> Iterator[tuple[Standing, Encoded]]:
    context = multiprocessing.get_context("fork")
    workers: list[tuple[BaseProcess, Connection]] = []
    try:
        for part in range(processes):
            receiver, sender = context.Pipe(duplex=False)
            worker: BaseProcess = context.Process(
                target=_answer, args=(dataset, encode, part, processes, sender), daemon=True
            )
            with warnings.catch_warnings():
                # Python warns of forking beside threads; the workers compute with numpy and tokenizers alone.
                warnings.simplefilter("ignore", DeprecationWarning)
                worker.start()
            # So that a worker that dies leaves the pipe without a writer.
            sender.close()
            workers.append((worker, receiver))
        for _, receiver in cycle(workers):
            try:
                answer: _Answer | Exception | None = receiver.recv()
            except EOFError as error:
                raise DatasetError(
                    f"{dataset.where}: a process that encodes ended without a word", "try fewer processes"
                ) from error
            if answer is None:
                return
            if isinstance(answer, Exception):
                raise answer
            yield from answer
    finally:
        for worker, receiver in workers:
            receiver.close()
            worker.terminate()
            worker.join()


def _answer(dataset: Dataset, encode: Encoder, part: int, processes: int, sender: Connection) -> None:
    """Send what is made of every so-manieth record, then ``None``; or the error that ended it."""
    # The tokenizers' own threads do not survive a fork.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    try:
        for load in islice(dataset.read(), part, None, processes):
            sender.send([_encode_admitted(dataset, encode, example) for example in load()])
        sender.send(None)
    except (BrokenPipeError, KeyboardInterrupt):
        return
    except Exception as error:
        sender.send(error)


def _encode_admitted(dataset: Dataset, encode: Encoder, example: Example) -> tuple[Standing, Encoded]:
    standing = Standing.of(example)
    if dataset.admits(standing):
        return standing, _encode(encode, example)
    return standing, Encoded(standing, None, (0, 0, 0, 0))
