"""Sentence splitters compared: hand-written probes, speed, and time on text without sentence ends.

    python -m benchmarks.sentences [--limit 20] [--data DIR] [--output FILE]

Each line of the probes is a paragraph in which " | " marks the ends of sentences; a cut is right if it is
exactly there. The rules of :mod:`lsum_cli.text.sentences` were developed on these probes; docs/design.md
reports results on unseen text. Splitters that are not installed are skipped.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.corpora import CORPORA, default_data, read_examples
from lsum_cli.documents import PARAGRAPH_BREAK
from lsum_cli.text.sentences import split_sentences

Splitter = Callable[[str], Sequence[str]]

PROBES = """\
Smith et al. found this. | It was new.
See Fig. 3 for details. | The rest follows.
Dr. Jones met Mr. Brown at 5 p.m. on Monday. | They left.
The U.S. Supreme Court ruled in No. 07–1529. | It was final.
It is cf. section 3 vs. section 4. | Next.
It weighs approx. 3.5 kg. | Next one.
Acme Inc. was sold to Beta Ltd. in 2010. | The price was low.
J. K. Rowling wrote it. | She is rich.
It was shown before (Smith et al., 2010). | We disagree.
As seen in [12]. | The next.
This was shown.12 | The mice died.
This was shown.[12] | The mice died.
The value is 3.14 and p < 0.05. | We stop.
He waited... and then left. | She stayed.
He said “Stop.” | Then he left.
He said "Stop." | Then left.
(This is a sentence.) | This is another.
There are two: (1) one; (2) two. | Done.
See 475 U. S. 625 (1986). | The rule holds.
Id., at 5. | The Court agreed.
In Smith v. Jones, 5 F. 3d 10, it said so. | We agree.
“Where are you going?” she asked. | He did not answer.
“Oh!” he said. | “It is you.”
See https://example.com/a.b?c=d. | Then go.
Use v1.2.3 of the tool. | It works.
We used Python 3. | It worked.
The plan, e.g. using i.e. dots, works. | Good.
It is 5 p.m. | We go home.
He works at Yahoo! in the U.S. and likes it. | Fine.
Cells were kept at 37 °C. | They grew.
The gene E. coli lacZ was used. | It worked.
Staphylococcus aureus and S. epidermidis were grown. | No growth was seen.
See Sec. 3.1 and Eq. (2). | Then stop.
Prof. Dr. Müller came. | Er ging.
the cells were lysed. | the dna was cut.
expression of p53 increased in <dig> percent of cases. | see table <dig> for details.
これは文です。 | 次の文です。
这是第一句。 | 这是第二句！ | 第三句？
هذه جملة. | هل هذه جملة؟ | نعم.
यह एक वाक्य है। | यह दूसरा है।
What? | No! | Yes.
The Corp. of America v. United States, ante, at 3. | It lost.
It costs $5. | Buy it.
Jan. 5 was cold. | Feb. was colder.
See pp. 5–10 and vol. 3, no. 2. | Read it.
We compare methods (i.e., A and B.) | Then we stop.
Section 1983 of Title 42 U. S. C. applies. | We hold so.
The answer was A. | The other was B.
As in Table 2. | Figure 3 shows more.
He was born in St. Louis. | He died in Washington, D.C. | He was old.
The Ph.D. student left. | He returned.
Gov. Smith and Sen. Lee met Rep. Ray. | They spoke.
et al. is Latin. | So is etc. | And more.
They sold apples, pears, etc. | Then they left.
They sold apples, etc., in bulk. | Then left.
Justice Scalia, J., dissented. | He wrote alone.
See 28 U. S. C. §1257(a). | We granted certiorari. 556 U. S. ___ (2009). | We affirm.
The file is a.txt. | Open it.
Call obj.method() first. | Then stop.
The ConductorManager.do_sync method was added. | It is new.
node.js is used. | It is fast.
.NET is old. | So is C#.
It rained; however, we went. | We won.
A 5 vs. 3 vote. | Next.
Mrs. Dalloway said she would buy the flowers herself. | So she did.
The patient (no. 5) died. | Others lived.
Op. cit. at 3. | Ibid. | See above.
at a max. of 5 min. and a min. of 1 min. | Then it stopped.
The study (ref. 5) used resp. both. | Fine.
Ca. 500 B.C. it fell. | Rome rose.
Dept. of Energy funded it. | Thanks.
Let asyncio.Task run. | It ends.
1. First we go. | 2. Then we stop.
(a) First we go. | (b) Then we stop.
「はい。」と言った。 | 次の文です。
See 961 So. 2d 211, 218 (Fla. 2007). | We affirm.
Huang et al. reported it. | It was true.
App. to Pet. for Cert. 55a. | We granted review.
He left (it was late.) | She stayed.
Ocimum spp. are herbs. | They grow.
This was seen before.3,4 | The rest is new.
We use the app. | The app is good.
In 84 Stat. 947 it is said. | So it is.
No. | It is not. | I know.
See H. R. Rep. No. 96. | It says so.
It was found in h. pylori strains. | these grow.
""".splitlines()
_SPACED = re.compile("[a-zA-Z\u0600-\u06ff\u0900-\u097f]")
_STOP = re.compile(r"(?<=[.!?])\s+(?=[“\"(\[]?[A-Z0-9])|(?<=[。！？])")


def with_our_rules() -> Splitter:
    return split_sentences


def with_sentencex() -> Splitter:
    sentencex = importlib.import_module("sentencex")
    return lambda text: sentencex.segment("en", text)


def with_blingfire() -> Splitter:
    blingfire = importlib.import_module("blingfire")
    return lambda text: [text[start:end] for start, end in blingfire.text_to_sentences_and_offsets(text)[1]]


def with_pysbd() -> Splitter:
    return importlib.import_module("pysbd").Segmenter(language="en", clean=False).segment


def with_syntok() -> Splitter:
    segmenter = importlib.import_module("syntok.segmenter")
    return lambda text: [
        "".join(token.spacing + token.value for token in sentence)
        for paragraph in segmenter.process(text)
        for sentence in paragraph
    ]


def with_punkt() -> Splitter:
    return importlib.import_module("nltk.tokenize.punkt").PunktSentenceTokenizer().tokenize


def with_one_expression() -> Splitter:
    return _STOP.split


SPLITTERS: dict[str, Callable[[], Splitter]] = {
    "sentencex and our rules": with_our_rules,
    "sentencex": with_sentencex,
    "blingfire": with_blingfire,
    "pysbd": with_pysbd,
    "syntok": with_syntok,
    "NLTK punkt, untrained": with_punkt,
    "one regular expression": with_one_expression,
}


def ends(sentences: Sequence[str], text: str) -> set[int]:
    """Where sentences end in the text, its own end not counted."""
    found, position = set(), 0
    for sentence in filter(None, map(str.strip, sentences)):
        position = text.index(sentence, position) + len(sentence)
        found.add(position)
    return found - {len(text)}


def judge(splitter: Splitter) -> tuple[int, float, float]:
    """Lines all right, precision and recall of the cuts."""
    right = made = wanted = lines = 0
    for probe in PROBES:
        sentences = probe.split(" | ")
        text = (" " if _SPACED.search(probe) else "").join(sentences)
        true, found = ends(sentences, text), ends(splitter(text), text)
        lines += true == found
        right, made, wanted = right + len(true & found), made + len(found), wanted + len(true)
    return lines, right / made, right / wanted


def words_per_second(splitter: Splitter, paragraphs: Sequence[str]) -> float:
    """Speed over whole paragraphs; slow splitters see no more of them than two seconds allow."""
    words, began = 0, time.process_time()
    for paragraph in paragraphs:
        splitter(paragraph)
        words += len(paragraph.split())
        if time.process_time() - began > 2:
            break
    return words / (time.process_time() - began)


def seconds_without_a_stop(splitter: Splitter) -> float:
    """Time for 100,000 characters in which no sentence ends."""
    began = time.process_time()
    splitter("word " * 20_000)
    return time.process_time() - began


def table(paragraphs: Sequence[str]) -> str:
    """A Markdown table, one splitter a line."""
    lines = [
        "| splitter | lines right | precision | recall | F1 | million words / s | s for no stop |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, make in SPLITTERS.items():
        try:
            splitter = make()
        except ImportError:
            continue
        right, precision, recall = judge(splitter)
        f1 = 2 * precision * recall / (precision + recall)
        speed = words_per_second(splitter, paragraphs) / 1e6
        lines.append(
            f"| {name} | {right}/{len(PROBES)} | {precision:.3f} | {recall:.3f} | {f1:.3f} "
            f"| {speed:.3g} | {seconds_without_a_stop(splitter):.3f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, print the table, and write it where ``--output`` says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sentences", description=__doc__)
    parser.add_argument("--limit", type=int, default=20, help="documents per corpus to time; default: 20")
    parser.add_argument("--data", type=Path, default=default_data(), help="folder that holds corpora/")
    parser.add_argument("--output", type=Path, help="file for the table; default: none")
    options = parser.parse_args()
    paragraphs = [
        paragraph
        for corpus in CORPORA
        for example in read_examples(corpus, "valid", data=options.data, limit=options.limit)
        for document in example.documents
        for paragraph in document.text.split(PARAGRAPH_BREAK)
    ]
    result = table(paragraphs)
    print(result)
    if options.output:
        command = f"python -m benchmarks.sentences {' '.join(sys.argv[1:])}"
        options.output.write_text(f"Made with `{command}`.\n\n{result}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
