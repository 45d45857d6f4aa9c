"""A process that has imported what most commands need; each run of the program is a copy of it.

    python warm_program.py

Reads a line of JSON for each run: its ``arguments``, the ``folder`` to run in, the ``environment``, and the files
of its three ``streams``. Answers each with a line when it has ended: its exit code. A copy has its own
environment, streams, memory and end, as a process that starts anew has; what it does not do again is to import
libraries and to compile patterns, which takes longer than most commands do.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, NoReturn

FLAGS = (os.O_RDONLY, *2 * [os.O_WRONLY | os.O_CREAT | os.O_TRUNC])


def warm() -> None:
    """Load what most commands load."""
    import torch  # noqa: F401

    from lsum_cli.cli.app import COMMANDS, make_app
    from lsum_cli.methods.options import SummaryOptions
    from lsum_cli.methods.summarizer import Summarizer
    from lsum_cli.reading.registry import RawSource, ReadOptions
    from lsum_cli.reading.sources import read_raw
    from lsum_cli.text.encoder import packaged_encoder
    from lsum_cli.text.languages import detect

    make_app(COMMANDS)
    detect("Ein Satz, den nur das Modell erkennt.")
    packaged_encoder()
    page = Path(__file__).resolve().parents[2] / "README.md"
    raw = RawSource(id="d0", name=page.name, content=page.read_bytes(), media_type="text/markdown")
    Summarizer(SummaryOptions(method="extract")).summarize([read_raw(raw, ReadOptions())])
    # Their variables, which differ from run to run, are read once.
    assert not {"huggingface_hub", "transformers", "ray"} & set(sys.modules)


def become(run: dict[str, Any]) -> NoReturn:
    """The program, as ``python -m lsum_cli`` starts it."""
    import lsum_cli.__main__ as program

    os.chdir(run["folder"])
    os.environ.clear()
    os.environ.update(run["environment"])
    for number, (path, flags) in enumerate(zip(run["streams"], FLAGS, strict=True)):
        os.dup2(os.open(path, flags, 0o600), number)
    sys.modules["__main__"] = program
    sys.argv = ["lsum", *run["arguments"]]
    code: Any = 0
    try:
        program.main()
    except SystemExit as stop:
        code = stop.code
    except BaseException:
        traceback.print_exc()
        code = 1
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
        code = 1
    # What Python does at its end, but for taking all modules apart: that copies the memory of the process.
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or 0)


def main() -> None:
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    warm()
    gc.collect()
    gc.freeze()
    for line in requests:
        pid = os.fork()
        if pid == 0:
            requests.close()
            answers.close()
            become(json.loads(line))
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


if __name__ == "__main__":
    main()
