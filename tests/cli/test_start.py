"""Starting up: help, version, and what is not imported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest


@pytest.mark.parametrize("arguments", [["--help"], ["summarize", "--help"], ["plan", "--help"], ["-h"]])
def test_help(lsum_anew, arguments):
    result = lsum_anew(*arguments)
    assert (result.code, result.stderr) == (0, "")
    assert "lsum" in result.stdout


def test_every_command_has_examples(lsum_anew):
    for command in ("summarize", "plan"):
        assert f"lsum {command} paper.pdf" in lsum_anew(command, "--help").stdout


def test_version(lsum_anew):
    import lsum_cli

    result = lsum_anew("--version")
    assert (result.code, result.stdout) == (0, f"lsum {lsum_cli.__version__}\n")


def test_an_unknown_command_is_wrong_usage(lsum_anew):
    result = lsum_anew("sumarize", "x.pdf")
    assert (result.code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["summarize", "--nonsense"], ["summarize", "missing.txt"], ["plan", "article.md"]],
)
def test_no_heavy_library_is_loaded(arguments, tmp_path):
    (tmp_path / "article.md").write_text("# A\n\nOne sentence.\n\n# B\n\nAnother.\n", encoding="utf-8")
    script = (
        "import sys\n"
        "from lsum_cli.cli.app import run\n"
        f"run({arguments!r})\n"
        "heavy = {'torch', 'transformers', 'trafilatura', 'pypdf', 'httpx', 'bs4'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr


def test_reading_a_pdf_needs_no_numpy():
    """It is read in a process of its own, which would load numpy beside that of the program."""
    script = (
        "import sys\n"
        "import lsum_cli.reading.pdf.document\n"
        "sys.exit('loaded numpy' if 'numpy' in sys.modules else 0)\n"
    )
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr


def test_a_run_loads_nothing_that_it_does_not_use(tmp_path):
    """Libraries that convert flags or tell languages take longer than the run; so do the records of models."""
    text = "The committee met in the morning. It decided that the bridge is to be built of wood. " * 9
    (tmp_path / "page.txt").write_text(text, encoding="utf-8")
    script = (
        "import sys\n"
        "from lsum_cli.cli.app import run\n"
        "assert run(['summarize', 'page.txt', '--method', 'extract', '--length', '20']) == 0\n"
        "unused = {'pydantic', 'numpy.ma', 'py3langid', 'jinja2', 'pypdf', 'lsum_cli.checkpoints.manifest',\n"
        "    'lsum_cli.attribution.flags', 'lsum_cli.cli.summary_folder'} & set(sys.modules)\n"
        "sys.exit(f'loaded {unused}' if unused else 0)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    assert "bridge" in process.stdout


@pytest.mark.parametrize("wish", [None, "9"])
def test_threads_that_wait_sleep_unless_the_user_says_otherwise(wish):
    script = (
        "import os, sys\n"
        "from lsum_cli.cli.app import main\n"
        "sys.argv = ['lsum', '--version']\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    print(os.environ['OMP_WAIT_POLICY'], os.environ['OPENBLAS_THREAD_TIMEOUT'])\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    environment |= {"OPENBLAS_THREAD_TIMEOUT": wish} if wish else {}
    process = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert process.stdout.splitlines()[-1] == f"PASSIVE {wish or 4}"


def test_the_public_names_are_what_the_package_says():
    import lsum_cli

    names = set(lsum_cli.__all__)
    assert names == {*lsum_cli._HOMES, "__version__"}
    assert {"read", "paginate", "Summarizer", "train", "evaluate", "load_checkpoint"} <= names
    for name in names - {"__version__"}:
        assert getattr(lsum_cli, name).__doc__
    with pytest.raises(AttributeError):
        _ = lsum_cli.nothing


@pytest.mark.skipif(os.name == "nt", reason="signals are ignored from outside on Unix alone")
def test_started_in_the_background_the_program_goes_on_ignoring_ctrl_c():
    script = (
        "import signal\n"
        "from lsum_cli.cli.app import run\n"
        "run(['--version'])\n"
        "signal.raise_signal(signal.SIGINT)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", script],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr


def test_an_interrupt_while_the_program_is_loaded_leaves_one_line() -> None:
    interrupted = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'lsum_cli.cli.messages':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from lsum_cli.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", interrupted], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "lsum: interrupted\n")
