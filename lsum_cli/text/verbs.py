"""English verbs, by lists and by their places: a sentence has a finite one, a title or a noun phrase none."""

from __future__ import annotations

from collections.abc import Sequence

from lsum_cli.text.patterns import regex

# Words after which a word in -s is a noun.
_NO_SUBJECTS_TEXT = (
    "a an the of for and or in on at to by with from as this these those its their our his her your my "
    "all some many most several various other new no two three four five "
)
_NO_SUBJECTS = frozenset(_NO_SUBJECTS_TEXT.split())
# English words that make a short line a sentence; others are known by their endings and places.
_AUXILIARIES_TEXT = (
    "is are was were be been being am has have had do does did can could will would may might must "
    "shall should isn't aren't wasn't weren't don't doesn't didn't can't cannot won't isn’t aren’t "
    "wasn’t don’t doesn’t didn’t can’t won’t it's it’s that's that’s there's there’s we're we’re "
    "they're they’re i'm i’m "
)
# Pasts, and those that are participles too.
_PASTS_TEXT = (
    "became began gave went came saw knew ran stood wrote grew fell rose sat ate drank chose drew drove "
    "flew threw sank sang swam shrank rang sprang lay rode shook spoke stole swore tore woke wore wove "
    "blew broke forgot forgave froze hid overcame strove trod undertook withdrew fled arose awoke "
    "foresaw underwent mistook overthrew overtook retook took strode forbade slew "
)
_PARTICIPLES_TEXT = (
    "said made found led thought got kept left lost met paid sold sent shown spent taught told won "
    "brought bought built held felt heard laid slept dealt meant sought caught dug shut slid struck "
    "stuck swept swung bent bled bred burst clung crept hung hurt knelt lent quit shone sped upheld "
    "shot leapt spun stung understood "
    "wept fought fed flung rebuilt chosen hit put let "
)
_VERBS_TEXT = (
    "read set make take give get go come see know think want use find tell ask work seem feel try leave "
    "call show provide include allow need mean require remain become keep begin help turn start play "
    "run move live believe hold bring happen write sit stand lose pay meet continue learn change lead "
    "understand follow stop create speak spend grow open offer remember love consider appear buy wait "
    "serve die send expect build stay fall cut reach kill raise pass sell decide return explain hope "
    "develop carry break receive agree support report present describe propose introduce add suggest "
    "recommend conclude affirm reverse reject deny argue vacate remand dismiss depend rely contain "
    "differ vary increase decrease reduce improve enable define specify implement apply ensure eat "
    "drink choose win draw fail succeed mark drive fly throw hear "
)
AUXILIARIES, _PASTS = frozenset(_AUXILIARIES_TEXT.split()), frozenset(_PASTS_TEXT.split())
_PARTICIPLES = frozenset(_PARTICIPLES_TEXT.split())
VERBS = frozenset((*AUXILIARIES, *_PASTS, *_PARTICIPLES, *_VERBS_TEXT.split()))
# After them a verb comes.
_PRONOUNS_AS_SUBJECTS = frozenset(("I", "We", "You", "They"))
_NOMINATIVES = _PRONOUNS_AS_SUBJECTS | {"we", "they", "he", "she", "He", "She"}
_ASKS = frozenset(("How", "What", "Why", "Where", "Which", "Who"))
# After "This" they are nouns.
_SINGULARS_IN_S = frozenset(("series", "species", "news"))
_DOTTED = regex(r"\d\.\d[\d.]*$")
# What says what something is, and has no verb of its own: "A key that has two columns."
_OPENS_PHRASE = regex(
    r"(?:An?|(?:The|Optional|Maximum|Minimum|Default)(?: [a-z]\w*)?(?= (?:names?|number|lists?|set|path"
    r"|values?|amount|length|size|types?|URLs?|address|class|director(?:y|ies)|files?|key|port|host|format"
    r"|string|maximum|minimum|default|version|level|function|method|object|option|time(?:out)?|interval"
    r"|identifier|ID)\b)|(?:Names?|Number|List|Set|Length|Size|Amount)(?= of\b)|Path(?= (?:of|to)\b)"
    # "Free to add as they see fit."
    r"|(?:Free|(?:Una|A)ble|Easy|Hard|Likely|Willing|Ready|Eager|Keen|Glad|[A-Z][a-z]+(?:ible|ful|less|ous))"
    r"(?= (?:to [a-z]|in the sense that)[^,]*$)|Whether(?= to [a-z][^,]*$))\b"
    r"(?! (?:few|lot|little|number|majority|variety|range|handful|couple|group)\b)"
)
_LONGEST_PHRASE = 30  # words
_BEFORE_PARTICIPLES = AUXILIARIES | {"be", "been", "not", "longer"}
# Verbs that are hardly ever nouns, even in -s.
_ONLY_VERBS_TEXT = (
    "allow apply become contain define depend consist describe differ enable ensure exist implement "
    "include invoke occur provide raise refer rely remain represent require seem specify support vary "
)
_ONLY_VERBS = frozenset(form for verb in _ONLY_VERBS_TEXT.split() for form in (verb, f"{verb}s"))
_BEFORE_NO_VERB = frozenset(("to", "for", "of", "and", "or", "the", "a", "an", "no"))
# What opens a clause whose verb is not that of the sentence.
_SUBORDINATES = frozenset(
    ("that", "which", "who", "whose", "when", "where", "if", "whether", "while", "because", "unless", "how")
)
_DETERMINERS_TEXT = (
    "the a an its their his her our this that these those no any all each every it them you your one how "
    "what whether half more less much only well up out better best too itself themselves "
)
_DETERMINERS = frozenset(_DETERMINERS_TEXT.split())
_ARTICLES = frozenset(("the", "a", "an"))
_PREPOSITIONS_TEXT = "of in to for by with from on at between about as into within during using via under "
_PREPOSITIONS = frozenset((*_PREPOSITIONS_TEXT.split(), "when", "while", "if", "through", "containing"))
# What may begin an object, and what stands before one and is no verb.
_OPENS_OBJECT_TEXT = (
    "the a an its their our your his her my this these those no any each every another some several"
)
_OPENS_OBJECT = frozenset(_OPENS_OBJECT_TEXT.split())
_NO_BASE_FORM_TEXT = (
    "across along among amongst around beside beneath beyond behind below above after before against "
    "despite down up except inside outside like unlike near off onto out over past per plus minus since till "
    "throughout toward towards underneath until upon versus via within without than amid because though "
    "although unless whether where whereas once twice not never only even just also both half all quite "
    "rather such what almost then thus hence else still already often always sometimes here there now today "
    "tomorrow yesterday maybe who whom whose that which how why too very more most less least much "
    "many few little own same due instead alone together ago later soon again yes yet nor so and or but you "
    "sometimes perhaps besides afterwards somewhat anyway further him it them us me"
)
# What a command is about: "Protect your files", "Watch everything", "Manage them from one place"; after an
# article it is as likely what a function does: "Retrieve a comb".
_OPENS_OBJECT_OF_A_COMMAND = (_OPENS_OBJECT - _ARTICLES) | {"it", "them", "everything", "anything"}
# What no base form is before "the", and "Checkout the docs", which says nothing of the thing.
_NOT_COMMANDED = frozenset(
    ("check", "checkout", "absent", "given", "granted", "only", "early", "late", "throughout")
)
# "Back up your files."
_PARTICLES = frozenset(("up", "out", "off", "down"))
_NO_BASE_FORM = _PREPOSITIONS | _OPENS_OBJECT | frozenset(_NO_BASE_FORM_TEXT.split())
# After "all" a word without -s is no noun.
_PLURALS = frozenset(("these", "those", "all", "some", "many", "most", "several", "both"))
_BEFORE_NO_BASE_FORM = (_NO_SUBJECTS | _PREPOSITIONS | _OPENS_OBJECT) - _PLURALS
_SHORTEST_BASE_FORM = 3  # letters
_JOINS = frozenset(("and", "or", "but"))
_SHORTEST_VERB = 4  # letters
# "opened", "you're giving", "they've won"; what ends in "'s" may be a genitive.
_ENDS_A_VERB = ("ed", "'re", "’re", "'ve", "’ve", "'ll", "’ll", "'m", "’m", "n't", "n’t")


def has_verb(words: Sequence[str]) -> bool:
    """Whether an English line has a word that may be a finite verb: a title or a reference has none.

    Verbs that no list has are known by what stands around them: an ending in -s after what may be a subject,
    or an object that begins right after ("Keepers sign the form").
    """
    if words[0] in _PRONOUNS_AS_SUBJECTS:
        return True
    last = words[-1]
    # "How they behave" has a verb in its clause alone.
    subjects = _NOMINATIVES if words[0] not in _ASKS else frozenset()
    for before, word, following in zip(words, words[1:], [*words[2:], ""], strict=False):
        plain = word.strip(".,;:()[]”“\"'").lower()
        if plain in VERBS or plain.endswith(_ENDS_A_VERB) or (before in subjects and word is not last):
            return True
        is_word = (
            word.islower() and plain.replace("-", "").isalpha() and not word.endswith((",", ")", ":", ";"))
        )
        if word is last or not is_word or plain in _NO_BASE_FORM:
            continue
        if len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is")):
            found = _is_third_person(before, plain, following)
        else:
            found = following in _OPENS_OBJECT and _is_base_form(before, plain)
        if found:
            return True
    return words[0].lower() in VERBS or _is_command(words)


def _is_command(words: Sequence[str]) -> bool:
    """Whether a line begins with what may be a base form, and its object: "Protect your files"."""
    verb, rest = words[0], words[1:]
    if len(rest) > 1 and rest[0] in _PARTICLES:
        rest = rest[1:]
    return (
        len(rest) > 1
        and verb.isalpha()
        and verb.istitle()
        and rest[0] in _OPENS_OBJECT_OF_A_COMMAND
        and rest[1][:1].islower()
        and verb.lower() not in _NO_BASE_FORM
        and verb.lower() not in _NOT_COMMANDED
        and _is_base_form("", verb.lower())
    )


def _is_third_person(before: str, word: str, following: str) -> bool:
    """Whether a word in -s may be a verb: after "many" or "12" it is a noun."""
    if before.lower() in ("this", "that"):
        return word not in _SINGULARS_IN_S
    if following in _OPENS_OBJECT and (before.lower() not in _NO_SUBJECTS or following in _ARTICLES):
        return True
    before = before.strip("()[],\"”’'`_")
    is_name = before[-1:].isalpha() or _DOTTED.search(before) is not None
    return is_name and before.lower() not in _NO_SUBJECTS


def _is_base_form(before: str, word: str) -> bool:
    """Whether a word before "the" or another determiner may be a verb: it is no preposition and no adverb."""
    return (
        len(word) >= _SHORTEST_BASE_FORM
        and not word.endswith(("s", "ing", "ly"))
        and before.lower() not in _BEFORE_NO_BASE_FORM
    )


def is_noun_phrase(text: str, words: Sequence[str]) -> bool:
    """Whether an English line begins as a noun phrase and has verbs only in clauses: "A key that has rows".

    What may be its finite verb is taken for it.

    Args:
        text: The line.
        words: Its words.
    """
    if len(words) > _LONGEST_PHRASE or not _OPENS_PHRASE.match(text):
        return False
    is_within = has_clause = is_in_phrase = False
    plain = [word.strip(".,;:()[]”“\"'") for word in words]
    for before, word, following in zip(["", *plain], plain, [*plain[1:], ""], strict=False):
        if word in _SUBORDINATES:
            # "When writing an API" has no verb that "is" could be.
            is_within = not following.endswith(("ing", "ed"))
            continue
        is_verb = word.lower() in AUXILIARIES or word in _PASTS or word == "need"
        is_verb = is_verb or (word in _ONLY_VERBS and before not in _BEFORE_NO_VERB)
        if not is_verb and len(word) >= _SHORTEST_VERB and word.islower():
            if word.endswith("ed") or word in _PARTICIPLES:
                is_verb = following not in _PREPOSITIONS or is_within
            elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and before not in _NO_SUBJECTS:
                is_verb = following in _DETERMINERS or following[:1].isupper() or not is_in_phrase
        is_in_phrase |= word in _PREPOSITIONS
        if not is_verb:
            continue
        if is_within:
            is_within, has_clause = False, True
        elif not has_clause or (before not in _JOINS and before not in _BEFORE_PARTICIPLES):
            return False
    return True
