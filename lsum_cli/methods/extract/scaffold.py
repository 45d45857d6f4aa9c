"""What stands around the matter of a guide, and counts for little: calls, and the text on itself."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.guides.requirements import tells_requirement
from lsum_cli.methods.extract.kinds import DocumentKind, plain_heading, releases_of_readme
from lsum_cli.methods.extract.sentences.boilerplate import stands_under_calls
from lsum_cli.methods.extract.sentences.presentability import definitions
from lsum_cli.methods.extract.sentences.wording import announces_whole, is_metadiscourse
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray

# What a sentence counts that is about the text itself, in standard deviations.
_OF_TEXT = -2.0
# What a definition counts in a glossary, in standard deviations.
_OF_A_DEFINITION = 1.5
_GLOSSARY = regex(r"\b(?:glossary|terminology|nomenclature|vocabulary|definitions)\b", re.IGNORECASE)
_OF_EXAMPLES = regex(
    r"(?:(?:usage|code|more|some|simple|basic|further) )*examples?(?: usages?)?", re.IGNORECASE
)
_MOST_OF_EXAMPLES = 0.8
# What says what the thing needs.
_OF_NEEDED = 1.0


def without_scaffold(extractor: Extractor, is_scaffold: BoolArray) -> Extractor:
    """The same, where what says nothing of the matter counts for little, and in a glossary what defines.

    Nothing is quoted of the changelog of a readme.
    """
    values = extractor.scores.values
    texts = [sentence.text for sentence in extractor.candidates.sentences]
    added = _OF_TEXT * is_scaffold
    if _GLOSSARY.search(extractor.documents[0].title or "") is not None:
        added += _OF_A_DEFINITION * definitions(texts)
    if extractor.structure.document_kind is DocumentKind.OTHER:
        added += _OF_NEEDED * np.array([tells_requirement(text) for text in texts])
    values = values + float(values.std()) * added
    structure = extractor.structure
    # Of a readme's changelog nothing is told: what it changes is no news to who does not know the thing.
    told = structure.is_presentable & ~releases_of_readme(extractor.candidates)
    if (told & structure.stands_alone).any():
        structure = replace(structure, is_presentable=told)
    return replace(extractor, structure=structure, scores=replace(extractor.scores, values=values))


def of_no_matter(extractor: Extractor) -> BoolArray:
    """Which sentences tell of the text itself, or call the readers of a guide to help, to report, to pay."""
    texts = [sentence.text for sentence in extractor.candidates.sentences]
    found = np.array([is_metadiscourse(text) for text in texts], bool)
    # What the first sentence says that the page is about is what it is about.
    first = int(np.argmax(extractor.structure.is_presentable))
    found[first] &= not announces_whole(texts[first])
    return found | stands_under_calls(extractor.candidates) | _under_examples(extractor.candidates)


def _under_examples(candidates: Candidates) -> BoolArray:
    """Which sentences of a guide go through its examples, which a summary does not have.

    None of one that is about examples, by its title or by how much of it stands there.
    """
    headings = [plain_heading(section.heading) for section in candidates.sections]
    under = np.array([_OF_EXAMPLES.fullmatch(heading) is not None for heading in headings], bool)
    words = candidates.num_words
    is_about_them = any("example" in title.lower() for title in {*candidates.titles})
    is_about_them |= int(words[under].sum()) > _MOST_OF_EXAMPLES * int(words.sum())
    return np.zeros_like(under) if is_about_them else under
