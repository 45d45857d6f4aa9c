"""The engines that recognise text: Tesseract where it is installed, else RapidOCR."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from lsum_cli.reading.ocr.pages import POINTS_PER_INCH, PageImage, RecognisedLine, RecognisedPage
from lsum_cli.text.patterns import regex

if TYPE_CHECKING:
    from lsum_cli.machine.checks import Check

INSTALL = "pip install 'lsum-cli[ocr]'"
"""The command that installs an engine, and what renders pages for it."""

PAGE_SECONDS = 180.0
_MIN_CONFIDENCE = 0.45
_GOOD_CONFIDENCE = 0.7
_MIN_SIDEWAYS_LETTERS = 4
_LANGUAGES_SHOWN = 8
# A size of Tesseract reaches from descenders to ascenders, a box of RapidOCR a little further.
_TESSERACT_EM, _RAPIDOCR_EM = 1.06, 0.86
_RAPIDOCR_BASELINE = 0.24
_TITLE_FIELD = regex(r"(bbox|baseline|x_size|x_wconf) ([-\d. ]+)")
_ORIENTATION = regex(r"Orientation in degrees: (\d+)[\s\S]*?Orientation confidence: ([\d.]+)")
_MIN_ORIENTATION_CONFIDENCE = 1.0
_SCRIPT = regex(r"Script: (\w+)[\s\S]*?Script confidence: ([\d.]+)")
_MIN_SCRIPT_CONFIDENCE = 2.0
# A page so uncertain may be in a script that the engine was not trained for: it finds letters all the same.
_DOUBTFUL_CONFIDENCE = 0.6
# RapidOCR often drops the space after a stop.
_GLUED = regex(r"(?<=[^\W\d_]{2})([.!?;:,][\"”’)]?)(?=[^\W\d_]{2})")
_ENGLISH = "eng"
# Tesseract's names of languages.
_TRAINED = {
    "af": "afr", "ar": "ara", "bg": "bul", "ca": "cat", "cs": "ces", "da": "dan", "de": "deu", "el": "ell",
    "en": "eng", "es": "spa", "et": "est", "eu": "eus", "fa": "fas", "fi": "fin", "fr": "fra", "gl": "glg",
    "he": "heb", "hi": "hin", "hr": "hrv", "hu": "hun", "id": "ind", "is": "isl", "it": "ita", "ja": "jpn",
    "ko": "kor", "lt": "lit", "lv": "lav", "nl": "nld", "no": "nor", "pl": "pol", "pt": "por", "ro": "ron",
    "ru": "rus", "sk": "slk", "sl": "slv", "sr": "srp", "sv": "swe", "th": "tha", "tr": "tur", "uk": "ukr",
    "vi": "vie", "zh": "chi_sim",
}  # fmt: skip

# Tesseract's names of scripts other than Latin, and of languages that are written in them.
_SCRIPTS = {
    "Arabic": ("ara", "fas", "urd"), "Armenian": ("hye",), "Bengali": ("ben",),
    "Cyrillic": ("rus", "ukr", "bul", "srp"), "Devanagari": ("hin", "mar", "nep", "san"),
    "Ethiopic": ("amh",), "Georgian": ("kat",), "Greek": ("ell",), "Gujarati": ("guj",), "Gurmukhi": ("pan",),
    "Han": ("chi_sim", "chi_tra"), "Hangul": ("kor",), "Hebrew": ("heb",), "Japanese": ("jpn",),
    "Kannada": ("kan",), "Khmer": ("khm",), "Korean": ("kor",), "Malayalam": ("mal",), "Myanmar": ("mya",),
    "Sinhala": ("sin",), "Tamil": ("tam",), "Telugu": ("tel",), "Thai": ("tha",), "Tibetan": ("bod",),
}  # fmt: skip


class EngineFailure(Exception):
    """An engine could not recognise an image; the message says why."""


class Engine(Protocol):
    """Recognises the text of images; may be called by several threads."""

    @property
    def name(self) -> str:
        """Its name for the user."""

    @property
    def signature(self) -> str:
        """What its results depend on: name, version and language."""

    def recognise(self, image: PageImage) -> RecognisedPage:
        """Recognise the lines of an image.

        Raises:
            EngineFailure: It failed, or took too long.
        """

    def for_language(self, language: str | None) -> Engine:
        """The engine for text in a language, as a two-letter code; itself where that makes no difference."""

    def lacks(self, language: str) -> str | None:
        """What to install for a language that it was not trained for; ``None`` where nothing is needed."""


@lru_cache(maxsize=1)
def find_engine() -> Engine | None:
    """The engine to use; ``None`` where there is none, or nothing that renders pages for it."""
    if not has_renderer():
        return None
    return find_tesseract() or (RapidOcr() if has_rapidocr() else None)


def has_renderer() -> bool:
    """Whether images of pages can be made here."""
    return all(importlib.util.find_spec(name) for name in ("pypdfium2", "PIL"))


def has_rapidocr() -> bool:
    """Whether RapidOCR is installed with its runtime and its models."""
    installed = all(importlib.util.find_spec(name) for name in ("rapidocr", "onnxruntime"))
    return installed and _rapidocr_models() is not None


def find_tesseract() -> Tesseract | None:
    """Tesseract, if it is on the path and has data for a language."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    try:
        versions = _output([program, "--version"])
        listed = _output([program, "--list-langs"]).splitlines()[1:]
    except (OSError, subprocess.SubprocessError):
        return None
    languages = tuple(name.strip() for name in listed if name.strip() not in ("", "osd", "equ"))
    if not languages:
        return None
    found = re.search(r"tesseract v?([\w.]+)", versions)
    return Tesseract(
        program=program,
        version=found[1] if found else "unknown",
        languages=languages,
        language=_ENGLISH if _ENGLISH in languages else languages[0],
    )


def _output(command: list[str]) -> str:
    done = subprocess.run(  # noqa: S603 - the program found on the path, with fixed arguments
        command, capture_output=True, text=True, errors="replace", timeout=20, check=True
    )
    return done.stdout or done.stderr


def check_engines() -> Check:
    """Which engine recognises text on this machine, and what is missing for one."""
    from lsum_cli.machine.checks import Check, CheckStatus

    engine = find_engine()
    tesseract = find_tesseract()
    if engine is None:
        missing = "nothing that renders pages" if tesseract is not None else "no engine"
        return Check(
            name="OCR",
            status=CheckStatus.WARNING,
            detail=f"{missing}: scanned pages and images cannot be read",
            advice=f"where needed: {INSTALL}",
        )
    if isinstance(engine, Tesseract):
        languages = ", ".join(engine.languages[:_LANGUAGES_SHOWN])
        more = f" and {len(engine.languages) - _LANGUAGES_SHOWN} more" * (
            len(engine.languages) > _LANGUAGES_SHOWN
        )
        detail = f"{engine.name} {engine.version} for {languages}{more}"
    else:
        detail = engine.signature.replace("rapidocr-", f"{engine.name} ")
    also = "; RapidOCR is installed too" if isinstance(engine, Tesseract) and has_rapidocr() else ""
    return Check(name="OCR", status=CheckStatus.OK, detail=f"scanned pages are read by {detail}{also}")


@dataclass(frozen=True, kw_only=True)
class Tesseract:
    """Tesseract, run as a program.

    Attributes:
        program: Its path.
        version: As it says.
        languages: Those it has data for, by its own names.
        language: The one it recognises now.
    """

    program: str
    version: str
    languages: tuple[str, ...]
    language: str
    name: str = "Tesseract"

    @property
    def signature(self) -> str:
        """See :class:`Engine`."""
        return f"tesseract-{self.version}-{self.language}"

    def for_language(self, language: str | None) -> Tesseract:
        """See :class:`Engine`."""
        trained = _TRAINED.get(language or "")
        return replace(self, language=trained) if trained in self.languages else self

    def lacks(self, language: str) -> str | None:
        """See :class:`Engine`."""
        trained = _TRAINED.get(language)
        if trained is None or trained in self.languages:
            return None
        return f"its data for that language, such as `apt install {_package(trained)}`"

    def recognise(self, image: PageImage) -> RecognisedPage:
        """See :class:`Engine`; a page that lies on its side is turned.

        Raises:
            EngineFailure: As told there; also where the page is in a script that it has no data for.
        """
        page, confidence = self._recognise(image)
        if confidence >= _GOOD_CONFIDENCE:
            return page
        quarters, script = self._orientation(image)
        written = _SCRIPTS.get(script, ())
        if confidence < _DOUBTFUL_CONFIDENCE and written and self.language not in written:
            trained = next((language for language in written if language in self.languages), None)
            if trained is None:
                raise EngineFailure(
                    f"it is in {script} script, and Tesseract has no data for that here:"
                    f" `apt install {_package(written[0])}`"
                )
            return replace(self, language=trained).recognise(image)
        if not quarters:
            return page
        turned, turned_confidence = self._recognise(image.turned(quarters))
        return turned if turned_confidence > confidence else page

    def _recognise(self, image: PageImage) -> tuple[RecognisedPage, float]:
        return read_hocr(self._run(image, "--psm", "3", "-l", self.language, output="hocr"), image)

    def _orientation(self, image: PageImage) -> tuple[int, str]:
        """Quarter turns anticlockwise that set the image upright, and its script where that is certain."""
        try:
            said = self._run(image, "--psm", "0", output="-").decode("utf-8", errors="replace")
        except EngineFailure:  # too few letters to tell, or no data for that
            return 0, ""
        turned, script = _ORIENTATION.search(said), _SCRIPT.search(said)
        is_sure = turned is not None and float(turned[2]) >= _MIN_ORIENTATION_CONFIDENCE
        is_known = script is not None and float(script[2]) >= _MIN_SCRIPT_CONFIDENCE
        return (
            int(turned[1]) // 90 % 4 if turned is not None and is_sure else 0,
            script[1] if script is not None and is_known else "",
        )

    def _run(self, image: PageImage, *options: str, output: str) -> bytes:
        command = [self.program, "stdin", "stdout", "--dpi", str(round(image.dpi)), *options]
        if output != "-":
            command.append(output)
        try:
            done = subprocess.run(  # noqa: S603 - as above; the image is its standard input
                command,
                input=image.as_pgm(),
                capture_output=True,
                timeout=PAGE_SECONDS,
                # A process for each page makes better use of the processors than threads within.
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise EngineFailure(f"Tesseract took more than {PAGE_SECONDS:.0f} seconds") from None
        except OSError as error:
            raise EngineFailure(f"Tesseract cannot be run: {error.strerror or error}") from error
        if done.returncode:
            said = done.stderr.decode("utf-8", errors="replace").strip().splitlines()
            raise EngineFailure(f"Tesseract failed: {said[-1] if said else f'status {done.returncode}'}")
        return done.stdout


def _package(language: str) -> str:
    """Debian's package of the data for a language."""
    return f"tesseract-ocr-{language.replace('_', '-')}"


def read_hocr(hocr: bytes, image: PageImage) -> tuple[RecognisedPage, float]:
    """The lines of Tesseract's output, and its mean confidence from 0 to 1, weighted by letters.

    Raises:
        EngineFailure: It is not XML.
    """
    from lxml import etree

    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=True)
    try:
        root = etree.fromstring(hocr, parser)
    except etree.XMLSyntaxError:
        root = None
    if root is None:
        raise EngineFailure("Tesseract wrote nothing that can be read")
    points = POINTS_PER_INCH / image.dpi
    lines: list[RecognisedLine] = []
    uncertain = 0
    certain_letters = letters = 0.0
    for element in root.iter("{*}span"):
        fields = _fields(element)
        if "x_size" not in fields or len(fields.get("bbox", ())) != 4:
            continue
        words = [
            (text, _fields(word).get("x_wconf", (0.0,))[0] / 100)
            for word in element.iter("{*}span")
            if word.get("class") == "ocrx_word" and (text := "".join(map(str, word.itertext())).strip())
        ]
        length = sum(len(text) for text, _ in words)
        if not length:
            continue
        left, top, right, bottom = fields["bbox"]
        confidence = sum(len(text) * sure for text, sure in words) / length
        if bottom - top > right - left and length >= _MIN_SIDEWAYS_LETTERS:
            # Tesseract also reads lines that run up or down, but no page consists of them.
            confidence = 0.0
        letters += length
        certain_letters += length * confidence
        if confidence < _MIN_CONFIDENCE:
            uncertain += len(words)
            continue
        slope, offset = (*fields.get("baseline", ()), 0.0, 0.0)[:2]
        lines.append(
            RecognisedLine(
                text=" ".join(text for text, _ in words),
                x0=left * points,
                x1=right * points,
                y=(image.height - bottom - offset) * points,
                size=fields["x_size"][0] * points * _TESSERACT_EM,
                slope=-slope,
                stroke=image.stroke_width(left, top, right, bottom),
            )
        )
    page = RecognisedPage(
        width=image.width * points,
        height=image.height * points,
        lines=tuple(lines),
        uncertain_words=uncertain,
    )
    return page, certain_letters / letters if letters else 0.0


def _fields(element: Any) -> dict[str, tuple[float, ...]]:
    return {
        name: tuple(float(number) for number in numbers.split())
        for name, numbers in _TITLE_FIELD.findall(element.get("title") or "")
    }


def _rapidocr_models() -> tuple[Path, Path] | None:
    """The detection and the recognition model that come with the package."""
    spec = importlib.util.find_spec("rapidocr")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "models"
    found = [sorted(folder.glob(f"*_{task}_*.onnx")) for task in ("det", "rec")]
    return (found[0][-1], found[1][-1]) if all(found) else None


@dataclass(frozen=True, kw_only=True)
class RapidOcr:
    """RapidOCR with the models that come in its package; its downloader is never reached."""

    name: str = "RapidOCR"
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _loaded: list[Any] = field(default_factory=list)

    @property
    def signature(self) -> str:
        """See :class:`Engine`."""
        from importlib.metadata import PackageNotFoundError, version

        try:
            return f"rapidocr-{version('rapidocr')}"
        except PackageNotFoundError:
            return "rapidocr"

    def for_language(self, language: str | None) -> RapidOcr:  # noqa: ARG002 - one model reads all it can
        """See :class:`Engine`."""
        return self

    def lacks(self, language: str) -> str | None:  # noqa: ARG002
        """See :class:`Engine`."""
        return None

    def recognise(self, image: PageImage) -> RecognisedPage:
        """See :class:`Engine`; it uses all processors for one image at a time."""
        import numpy

        grey = numpy.frombuffer(image.pixels, numpy.uint8).reshape(image.height, image.width)
        try:
            with self._lock:
                found = self._model()(numpy.repeat(grey[:, :, None], 3, axis=2))
        except Exception as error:  # onnxruntime and OpenCV raise many types of exception
            raise EngineFailure(f"RapidOCR failed: {error}") from error
        points = POINTS_PER_INCH / image.dpi
        lines: list[RecognisedLine] = []
        uncertain = 0
        for box, text, sure in _boxes(found):
            words = " ".join(_GLUED.sub(r"\1 ", text).split())
            if sure < _MIN_CONFIDENCE:
                uncertain += len(words.split())
            elif words:
                lines.append(_line_of_box(box, words, image))
        return RecognisedPage(
            width=image.width * points,
            height=image.height * points,
            lines=tuple(lines),
            uncertain_words=uncertain,
        )

    def _model(self) -> Any:
        if not self._loaded:
            models = _rapidocr_models()
            if models is None:
                raise EngineFailure("RapidOCR has no models")
            from rapidocr import RapidOCR

            self._loaded.append(
                RapidOCR(
                    params={
                        "Global.log_level": "critical",
                        "Global.use_cls": False,
                        # With a path the package neither looks for a model nor downloads one.
                        "Det.model_path": str(models[0]),
                        "Rec.model_path": str(models[1]),
                    }
                )
            )
        return self._loaded[0]


def _boxes(found: Any) -> Iterator[tuple[Any, str, float]]:
    if found is not None and getattr(found, "boxes", None) is not None:
        yield from zip(found.boxes, found.txts, found.scores, strict=True)


def _line_of_box(box: Any, text: str, image: PageImage) -> RecognisedLine:
    """The line in a quadrangle whose corners are in the order of reading, clockwise from the top left."""
    (x0, top), (x1, right_top), (_, right_bottom), (left, bottom) = [(float(x), float(y)) for x, y in box]
    points = POINTS_PER_INCH / image.dpi
    height = ((bottom - top) + (right_bottom - right_top)) / 2
    slope = (right_bottom - bottom) / max(1.0, x1 - x0)
    return RecognisedLine(
        text=text,
        x0=min(x0, left) * points,
        x1=x1 * points,
        y=(image.height - bottom + _RAPIDOCR_BASELINE * height) * points,
        size=max(1.0, height * _RAPIDOCR_EM * points),
        slope=-slope,
        stroke=image.stroke_width(min(x0, left), min(top, right_top), x1, max(bottom, right_bottom)),
    )
