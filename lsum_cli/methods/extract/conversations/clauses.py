"""Whether what somebody says has a clause that stands by itself, not a condition or a reason alone.

"If you'd save the more complicated functions for separate remotes." says what may be, and not what then; in
a transcript it ends with a stop like any other sentence. Words are counted that finite verbs are known by,
against those that open clauses which depend on others. All of it is of English text.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lsum_cli.text.patterns import regex
from lsum_cli.text.verbs import VERBS, has_verb

_OPENS_DEPENDENT = regex(
    r"(?:(?:so|and|but|well|because|yeah|i think|i guess|i mean|for example|also|now|or|maybe|perhaps"
    r"|basically|actually|of course),? )*(?:if|when|whenever|unless|while|although|though|because(?! of\b)"
    r"|as long as|as soon as|given that|in case|since(?= (?:i|we|you|they|he|she|it|there)\b))\b"
)
# "If it rains, we stop" and "when it rains, then …" say what; "if possible" has no verb of its own.
_SAYS_WHAT = regex(
    r"[^,]*, (?!(?:and|or|but|like|which|so|because|if|when|you know|i mean)\b)"
    r"|.*, (?:i|we|you|they|he|she|it|there|that|the|our|my)\b(?! (?:know|mean)\b)"
    r"|.*\bthen\b| (?:possible|necessary|needed|so|not)\b"
)
_ASIDE = regex(r"\bi (?:think|guess|mean|suppose)\b|\byou know\b(?! (?:wh\w+|how|if|that|the)\b)")
# "The team's planning a second test": a verb that lists of verbs do not show.
_IS_DOING = regex(r"\w['’]s (?:(?:just|still|now|already|really|not|also) )?\w+ing\b")
_WORD = regex(r"[\w'’-]+")
_OPENS_CLAUSE_TEXT = (
    "if when whenever unless while since although though because 'cause cuz coz whereas which who where how"
    " what whether why until that"
)
_SUBJECTS_TEXT = "i we you they he she it there"
_FINITE_TEXT = (
    "is are was were am has have had do does did can could will would shall should may might must gonna gotta"
    " wanna let"
)
_NO_VERB_TEXT = "and or but to of in on for with"
# After these a pronoun is an object.
_BEFORE_OBJECT_TEXT = "of for with to on at in about like from by than"
_OPENS_OBJECT_TEXT = "a an the my our your their his her its this these those it them us"
# After these a word is no finite verb, or one that its subject has counted for.
_BEFORE_NO_FINITE_TEXT = (
    "to a an the of for and or in on at by with from as this these those its their our his her your my all"
    " some many most several other new no two three four five"
)
_OPENS_CLAUSE = frozenset(_OPENS_CLAUSE_TEXT.split())
_SUBJECTS = frozenset(_SUBJECTS_TEXT.split())
_FINITE = frozenset(_FINITE_TEXT.split())
_CONTRACTED = ("'s", "'re", "'ve", "'ll", "'d", "'m", "n't", "let's")
_NO_VERB = frozenset(_NO_VERB_TEXT.split())
_BEFORE_OBJECT = frozenset(_BEFORE_OBJECT_TEXT.split())
_OPENS_OBJECT = frozenset(_OPENS_OBJECT_TEXT.split())
_NO_SUBJECT_AFTER = _BEFORE_OBJECT | VERBS
_BEFORE_NO_FINITE = _SUBJECTS | frozenset(_BEFORE_NO_FINITE_TEXT.split())
_WITHIN_GROUP = frozenset(("not", "be", "been", "just", "really", "also", "even"))
_SHORTEST_VERB = 4  # letters


def lacks_main_clause(text: str) -> bool:
    """Whether what is said has no verb, or only those of clauses that depend on others."""
    words = text.split()
    lowered = text.lower()
    if not words or not (has_verb(words) or _IS_DOING.search(lowered)):
        return True
    opened = _OPENS_DEPENDENT.match(lowered)
    if opened is None or _SAYS_WHAT.match(lowered, opened.end()) is not None:
        return False
    rest = [word.replace("’", "'") for word in _WORD.findall(_ASIDE.sub("", lowered[opened.end() :]))]
    dependent = 1 + sum(map(_opens_clause, ["", *rest], rest, [*rest[1:], ""]))
    return _count_finite(rest) <= dependent


def _opens_clause(before: str, word: str, following: str) -> bool:
    """Whether a word opens a clause whose verb is known: not "where voices occur", "when we do that"."""
    if word == "that":
        return _is_subject(following) and before not in _BEFORE_OBJECT | _FINITE
    return word in _OPENS_CLAUSE and (_is_subject(following) or _is_finite(following))


def _count_finite(words: Sequence[str]) -> int:
    """How many finite verbs there may be; those of one group ("would have been") count once."""
    count, is_within, before = 0, False, ""
    for word, following in pairwise([*words, ""]):
        if _is_finite(word):
            count += not is_within
            is_within = True
        elif word in _SUBJECTS and before not in _NO_SUBJECT_AFTER and not _is_finite(following):
            count += bool(following) and following not in _NO_VERB | _OPENS_CLAUSE
            is_within = False
        else:
            count += not is_within and before not in _BEFORE_NO_FINITE and _may_be_verb(word, following)
            is_within = is_within and word in _WITHIN_GROUP
        before = word
    return count


def _is_finite(word: str) -> bool:
    return word in _FINITE or word.endswith(_CONTRACTED)


def _is_subject(word: str) -> bool:
    return word.partition("'")[0] in _SUBJECTS


def _may_be_verb(word: str, following: str) -> bool:
    """Whether a word that is no auxiliary may be a verb, as it stands, by its stem or by its object."""
    if word in VERBS:
        return True
    has_ending = len(word) >= _SHORTEST_VERB and word.endswith(("s", "ed"))
    return has_ending and (word[:-1] in VERBS or word[:-2] in VERBS or following in _OPENS_OBJECT)
