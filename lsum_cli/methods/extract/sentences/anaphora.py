"""Which sentences need an antecedent: they begin as if they continued, or a word in them refers back.

"However, this …" is understood only if the sentence before it is shown as well; so are "To remedy this, …",
"The second question …" and "Users can enable them with …". What a document calls itself needs no antecedent:
"This paper", "This proposal". What that is depends on the kind of document: a court decides "this case",
elsewhere "in this case" refers back. English has most rules, in
:mod:`~lsum_cli.methods.extract.sentences.english_anaphora`; German, French and Spanish have the words by
which sentences continue; other languages have none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.sentences import english_anaphora
from lsum_cli.methods.extract.sentences.trimming import begin
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import split_terms

_INVERTED = (
    r"(?:do|does|did|is|are|was|were|can|could|will|would|may|might|must|should|has|have|had|beg[au]n|begins"
    r"|ended|ends|started|starts|came|comes|went|goes|arose)"
)
# By which a sentence continues from another and says nothing else, as "but for the lock" and "so far" do;
# "otherwise", "instead", "for example" and "then" change what the sentence says.
_CONNECTIVE_ALONE = regex(
    r"(?:(?:however|therefore|thus|hence|moreover|furthermore|further|additionally|also|nevertheless"
    r"|nonetheless|consequently|accordingly|besides|yet|indeed|still|finally|lastly|similarly|likewise"
    r"|(?:first|second|third|fourth|fif|last)(?:th)?(?:ly)?|overall|ultimately|specifically|again|meanwhile"
    r"|in (?:addition|contrast|fact|particular|other words|short|sum|summary|conclusion)"
    r"|by contrast"
    r"|what(?:['’]s| is) more|on top of (?:this|that)|all in all|by the way|along the same lines"
    r"|on the (?:other hand|contrary)|as a (?:result|consequence)|at the same time|of course|that said"
    r"|more (?:importantly|specifically|generally|precisely|broadly)|most importantly"
    r"|as (?:previously |already )?(?:noted|mentioned|discussed|described|stated|explained|said)"
    r"(?: (?:previously|earlier|above|before|already))?"
    # What the sentence before it says is what is solved.
    r"|to (?:solve|address|fix|overcome|mitigate|resolve|remedy|tackle|alleviate|counter|accomplish|achieve)"
    r" (?:this|these|that|those)(?: [\w-]+){0,2}"
    r"|(?:and|but|so)(?:,? (?:therefore|thus|indeed|finally|again|of course|in fact))?), "
    r"|(?:(?:and(?! (?:not|only|with|because)\b)|but(?! (?:for|then|not|only|rather)\b)"
    r"|meanwhile(?= (?:the|an?|(?-i:[A-Z])))"
    r"|so(?! (?:that|far|long|much|many|few|little|as|called|too)\b)"
    r"|thus(?! far\b)|therefore|hence(?! (?:the|its|their|his|her|our|my|your|an?)\b)) ))"
    # Before what turns the sentence round it says more: "So did the other", "Thus ended the war", "So great
    # was the damage that …", "Hence the name".
    rf"(?!too,|{_INVERTED} |(?<=so )(?-i:[a-z])[\w-]+ {_INVERTED} [^.;]* that )",
    re.IGNORECASE,
)
# "Thus, metadata must also be included": beside what, the sentence before it says.
_ADDS = regex(r"(?:[\w'’-]+ ){1,7}?also\b")
# What is said there is somebody's word, and so is what goes on after "And".
_REPORTS = regex(
    r"\b(?:says?|said|told|warn(?:s|ed|ing)?|argue[sd]? that|claim(?:s|ed)?|believe[sd]?|predict(?:s|ed)?"
    r"|according to|estimate[sd]?|suggest(?:s|ed)?)\b"
)
_LATER_ORDINAL = regex(r"(?:second|third|fourth|fif|last)(?:th)?(?:ly)?, ", re.IGNORECASE)
# The noun of a title: what it is of, or for, comes after. A title of a verb has none: "Handling cases".
_NOUN_OF_TITLE = regex(
    r"(?:.*: )?(?![A-Z]?[a-z]+ing\b)(?:[\w'’-]+ )*?(?P<noun>(?-i:[A-Z])?[a-z]{3,})"
    r"(?= (?:of|for|in|on|to|at|by|with|from|and|about|v\.?\d[\w.]*|[\d.]+)\b| ?[(,:]|$)",
    re.IGNORECASE,
)
_AFTER_A_NOUN = (
    r"\W*$|[,.;:)’']| (?:is|are|was|were|will|would|has|can|could|may|must|should|does|to|for|of|in|on|as"
    r"|and|or|but|that|which|also|by|at|with|be|if|when|\w+s|\w+ly)\b"
)
# What a sentence right after a heading calls that which the heading names; "This prints 3" is about code.
_AUXILIARY = r"(?:is|was|are|were|has|have|will|would|can|may|must|should|currently|also|only)\b"
_OF_HEADING = regex(
    rf"(?:This|These)(?P<nouns>(?= {_AUXILIARY})| [\w-]+|(?: (?!the\b|{_AUXILIARY})[\w-]+){{2,3}}|) "
    rf"(?={_AUXILIARY}|(?!(?:prints|outputs|produces|gives|returns|yields|shows|displays|results|generates"
    r"|means|works|happens|looks|leads|raises)\b)[a-z]+[^\Ws]s\b)"
)
# So a part begins that needs nothing but its heading: "You can also define …", "First the client sends …".
_OPENS_PART = regex(
    r"(?:First(?:ly)?,? (?=[a-z])"
    r"|(?P<adds>(?:We|You|One|Users|There)"
    r" (?:(?:now )?(?:can|may|could|should|must|might|will|are|is) )?)also "
    r"|(?P<example>(?:This|The following) (?:example|sample) (?=[a-z]+s\b)"
    r"|In (?:this|the following) (?:example|sample),? )"
    r"|The following (?=(?:[\w-]+ ){1,3}(?:may|can|must|should|will|defines?|describes?|allows?)\b))"
)
# "The idea is to …" and "Setting this to 1 …" right below the heading that says of what.
_NAMED_BY_HEADING = regex(
    rf"(?:The (?:idea|trick|point) (?=is\b)|(?P<deed>{english_anaphora.DEEDS}) this )", re.IGNORECASE
)
_BOTH, _TWO = regex(r"Both (?=[a-z])"), regex(r" (?:and|or|vs\.?|versus) |/|, ")
_ANSWER = regex(r"(?:Yes|No)(?:,| [-–—]) ")
# After so many words, and at such a place, a sentence has said itself what it refers to.
_CLAUSE_WITHIN = regex(r"[,;:] | (?:and|but|so|because|that's why) ")
_WORDS_BEFORE_A_REFERENCE = 6
# But what follows the sentence is not shown: "The kit consists of the following four parts."
_ANNOUNCED = regex(r"[^.:]\bthe following [^:]*\.$")
# What a document may be of, and says so where it begins: "Weir is a small library"; "This library …".
_THING = (
    r"(?P<thing>library|package|module|framework|plugin|extension|tool|program|software|protocol|fork|script"
    r"|repository|crate|application|implementation|format|bundle|standard)"
)
_IS_A_THING = regex(
    r"(?:\W*(?:The )?[\w.+-]+(?: [\w.+-]+){0,2}? (?:is|provides|defines) an? "
    rf"(?:[\w.,+-]+ ){{0,5}}?{_THING}"
    rf"|.*\b[Tt]his {_THING.replace('thing', 'own')})(?:{_AFTER_A_NOUN})"
)
# Among how many of the first sentences that is; or it is so called in so many of its sections.
_SENTENCES_OF_AN_OPENING, _FEWEST_SECTIONS = 10, 2
_THIS_THING = regex(
    rf"\b[Tt]his (library|framework|protocol|fork|repository|crate|software)(?:{_AFTER_A_NOUN})"
)
_NOUNS_OF_HEADINGS_TEXT = (
    "component module class function method option setting parameter command field plugin event attribute"
    " property macro directive filter signal variable"
)
_NOUNS_OF_HEADINGS = frozenset(_NOUNS_OF_HEADINGS_TEXT.split())
# How sentences continue in other languages: as they begin, a few words in, and the nouns by which a document
# refers to itself.
_OTHERS: Mapping[str, tuple[str, str, str]] = {
    "de": (
        # A clause that depends on the sentence before: "Weil sie leckten, wie der Fischer sagte."
        r"(?:weil|dass|obwohl|sodass|wenn|falls|sofern|nachdem"
        r"|bevor|indem|wobei|wodurch|wohingegen) [^,;:–—]*(?:, "
        r"(?:ob|dass|wie|was|wer|wo|die|der|das|den|dem|weil|wenn|als|um|sondern|aber|und|oder) [^,;:–—]*)*$"
        r"|(?:jedoch|hingegen|dagegen|allerdings|dennoch|trotzdem|gleichwohl|daher|deshalb|deswegen|darum"
        r"|somit|folglich|demnach|also|zudem|au(?:ß|ss)erdem|ferner|weiterhin|weiters|dar(?:ü|ue)ber hinaus"
        r"|ebenso|ebenfalls|auch|aber|doch|und|oder|denn|sondern|schlie(?:ß|ss)lich|anschlie(?:ß|ss)end"
        r"|stattdessen|andererseits|demgegen(?:ü|ue)ber|insbesondere|beispielsweise|zum beispiel"
        r"|im gegensatz dazu|so|dann|dort|damals|seitdem|danach|davor|zuvor|dadurch|damit|dabei|daf(?:ü|ue)r"
        r"|daraus|darin|darauf|daran|dazu|davon|dar(?:ü|ue)ber"
        r"|hier(?:bei|mit|durch|zu|aus|f(?:ü|ue)r|in|von)"
        r"|letztere[rsnm]?|erstere[rsnm]?|beide|solche[rsnm]?|andere|er|ihn?|ihm|ihnen|ihre?[rnms]?"
        r"|seine?[rnms]?|dessen|deren|dies|das gleiche"
        r"|diese[rsnm]?(?! (?:[\w-]+ )?(?:{own}))"
        r"|jene[rsnm]?|aus diesem grund|in diesem (?:fall|zusammenhang)|zu diesem zweck"
        r"|(?:in|an|auf|bei|mit|nach|von|aus|zu|f(?:ü|ue)r|durch|unter|um|gegen|ohne|vor|seit"
        r"|wegen|trotz|w(?:ä|ae)hrend|aufgrund|im rahmen|(?:ü|ue)ber|zwischen|neben|hinter"
        r"|angesichts|anhand|dank|gem(?:ä|ae)(?:ß|ss)|mithilfe|innerhalb|au(?:ß|ss)er|entgegen"
        r"|laut) (?:diese[rsnm]?(?! (?:[\w-]+ )?(?:{own}))|jene[rsnm]?|ihm|ihnen|ihn|solche[rsnm]?)"
        r"|sie (?:ist|sind|war|waren|hat|hatte|hatten|wird|wurden?|werden|kann|soll|muss|darf|gilt|gelten"
        r"|besteht|bestehen|enth(?:ä|ae)lt|erm(?:ö|oe)glicht|umfasst|bietet|dient|zeigt)"
        # "Sie führte", which is no form of address.
        r"|sie (?!(?:nicht|selbst|jetzt|seit|mit|damit|erst|fast|meist|zuerst|seht|habt|seid)\b)\w+te?"
        r"|da (?:kommt|ist|war|liegt|steht|geht|hilft)"
        # "Im ersten, der im Mai beginnt, …", but not "Im ersten Halbjahr".
        r"|(?:der|die|das|im|in der) (?:erste|zweite|dritte|letzte)[nr]?(?=,| (?:ist|sind|wird|werden|soll"
        r"|sollen|umfasst|besteht|betrifft|beginnt|entsteht|entstehen|dient)\b)"
        # "Das geht am besten …", but not "Das neue Boot", "Das selbst gebaute Boot".
        r"|das (?:ist|sind|war|waren|hat|hatte|wird|wurde|kann|soll|muss|darf|sollte|konnte|w(?:ä|ae)re?"
        r"|(?!(?:selbst|meist|oft|erst|fast|jetzt|nicht|zuletzt|bekannt|gesamt|komplett|echt|leicht)\b)"
        # Nor "Das rot lackierte Boot".
        r"(?-i:[a-zäöü]+t\b(?! [a-zäöüß]{3,}(?:te|ene|nde) [A-ZÄÖÜ])))|es (?:hat|hatte|bietet|enth(?:ä|ae)lt"
        r"|besteht aus|dient|erm(?:ö|oe)glicht|umfasst|erlaubt|unterst(?:ü|ue)tzt|verwendet|regelt))\b(?!-)",
        r"[^,.;:()]{2,45} "
        r"(?:jedoch|hingegen|allerdings|daher|deshalb|somit|folglich|dennoch|zudem|au(?:ß|ss)erdem)\b"
        # "Seit 2017 ist er …"
        r"|[^,.;:()]{2,45} (?:ist|war|hat|kann|will|soll|muss|darf|(?-i:[a-zäöü]{3,}te?)) "
        r"(?-i:er|sie|ihn|ihm)\b",
        r"artikel|arbeit|studie|bericht|dokument|beitrag|papier|kapitel|buch|gesetz|verordnung|richtlinie"
        r"|satzung"
        r"|entscheidung|urteil|handbuch|anleitung|seite|jahr|monat|woche|untersuchung|analyse|vorschlag"
        r"|(?:ü|ue)bersicht|projekt|leitfaden|aufsatz",
    ),
    "fr": (
        r"(?:car|d['’]o(?:ù|u)"
        r"|cependant|toutefois|n(?:é|e)anmoins|pourtant|mais|et|ou|or|donc|ainsi|de plus|en outre"
        r"|par ailleurs"
        r"|en effet|en revanche|au contraire|par cons(?:é|e)quent|de m(?:ê|e)me|aussi|ensuite|puis|enfin"
        r"|alors"
        r"|d['’]autre part|par exemple|notamment|c['’](?:est|(?:é|e)tait) (?!ainsi que)|ce (?:dernier|qui"
        r"|sont)"
        # "La première, qui débute en mai, …", but not "La première phase".
        r"|l[ae] (?:premi(?:è|e)re?|seconde?|(?:deux|trois)i(?:è|e)me|derni(?:è|e)re?)(?=,| (?:est|sera"
        r"|(?:é|e)tait|qui|que|comprend|pr(?:é|e)voit|d(?:é|e)bute|commence|concerne|porte|vise|permet|consiste"
        r"|doit|devrait)\b)"
        r"|cela|ceci|(?:celui|celle|ceux|celles)-(?:ci|l(?:à|a))|tel(?:le)?s?|(?:cet?|cette|ces) (?!{own})"
        r"|(?:dans|pour|avec|sur|par|de|(?:à|a)|en|apr(?:è|e)s|depuis|selon|sous|malgr(?:é|e)) (?:cela|ceci"
        r"|(?:cet?|cette|ces) (?!{own})|lui|elles?|eux)|pour cela|elles?|ils|leurs?|sa|son|ses"
        r"|il (?!y a|est (?:\w+ )?(?:\w+ )?(?:de|que|d['’])|n['’]y|faut|s['’]agit|convient|existe|importe"
        r"|para(?:î|i)t"
        r"|semble|n['’]existe|n['’]est pas))(?<=[\w’' ])\b",
        r"[^,.;:()]{2,45} (?:cependant|toutefois|n(?:é|e)anmoins|donc|(?:é|e)galement)\b"
        # "Visiblement ému, il en profite …": no name before, no clause that may have one.
        r"|(?!(?:si|quand|lorsque?|comme|puisque?|bien que?|quoique?|une fois)\b|s['’]|lorsqu|puisqu)"
        r"(?-i:.[^,.;:()A-ZÀ-Ý]{1,60}), (?:ils|elles?"
        r"|il (?!y a|n['’]y|faut|s['’]agit|convient|existe|importe|para(?:î|i)t|semble|n['’]existe"
        r"|n['’]est pas|est (?:\w+ )?(?:\w+ )?(?:de|que|d['’])))(?<=[\w ])(?!-)",
        r"article|travail|(?:é|e)tude|rapport|document|papier|chapitre|livre|loi|d(?:é|e)cret|r(?:è|e)glement"
        r"|directive|guide|manuel|page|ann(?:é|e)e|mois|semaine|analyse|proposition|projet|m(?:é|e)moire"
        r"|th(?:è|e)se",
    ),
    "es": (
        r"(?:sin embargo|no obstante|adem(?:á|a)s"
        r"|por (?:lo tanto|tanto|ello|eso|consiguiente|otra parte|otro lado|ejemplo|esto|este motivo)"
        r"|as(?:í|i)|asimismo|tambi(?:é|e)n|pero|y|e|o|pues|entonces|luego|despu(?:é|e)s|finalmente"
        # "La primera empieza en mayo", but not "La primera fase".
        r"|(?:la|el) (?:primer[oa]|segund[oa]|tercer[oa]|(?:ú|u)ltim[oa])(?=,| (?:es|ser(?:á|a)|era|que|se"
        r"|comprende|prev(?:é|e)|empieza|comienza|incluye|consiste|trata|permite|debe)\b)"
        r"|en (?:cambio|consecuencia|particular|efecto)"
        r"|al contrario|aunque (?:este|esta|esto|ello)|él|ella|ellos|ellas|ello|esto|eso|aquello"
        r"|(?:é|e)stos?|(?:é|e)stas?|sus?|dich[oa]s?|tal(?:es)?"
        r"|(?:este|esta|estos|estas|ese|esa|esos|esas|aquel|aquella) (?!{own})"
        r"|(?:en|para|con|por|de|a|desde|tras|seg(?:ú|u)n|bajo|sobre) (?:ello|esto|eso|dich[oa]s?|ell[oa]s?"
        r"|(?:este|esta|estos|estas|ese|esa|esos|esas) (?!{own})))(?<=[\w ])\b",
        r"[^,.;:()]{2,45} (?:sin embargo|no obstante|por (?:lo )?tanto|tambi(?:é|e)n|asimismo)\b",
        r"art(?:í|i)culo|trabajo|estudio|informe|documento|cap(?:í|i)tulo|libro|ley|decreto|reglamento"
        r"|directiva"
        r"|gu(?:í|i)a|manual|p(?:á|a)gina|a(?:ñ|n)o|mes|semana|an(?:á|a)lisis|propuesta|proyecto|tesis"
        r"|sentencia",
    ),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class AnaphoraRules:
    """What makes a sentence need an antecedent, in one language and kind of document.

    Attributes:
        continuation: Whether a sentence begins as if it continued from the one before.
        inside: Matches where it does so a few words into the sentence.
        back_reference: Whether a word within a sentence refers back to one before it.
        of_code: Whether a sentence below code, with the one before it, says something of the code.
        counts_code: Whether a sentence, with the one before it, says something of one piece of code of many.
        named: Matches what a document calls itself as its title does: "this roadmap".
    """

    continuation: Callable[[str], bool]
    inside: re.Pattern[str]
    back_reference: Callable[[str], bool]
    of_code: Callable[[str, str], bool]
    counts_code: Callable[[str, str], bool]
    named: re.Pattern[str] | None = None

    def of_title(self, title: str) -> AnaphoraRules:
        """The same for a document of this title: its noun is one by which the document refers to itself."""
        noun = _NOUN_OF_TITLE.match(title) if self.back_reference is not _never else None
        if noun is None:
            return self
        word = noun["noun"]
        if word.endswith("s"):
            # "These Terms", but not "these cases": of several things there may be others.
            return replace(self, named=regex(rf"\b[Tt]hese (?={word}\b)")) if word[0].isupper() else self
        # "this environment", but not "this environment variable".
        return replace(self, named=regex(rf"\b[Tt]his (?=(?i:{word})(?:{_AFTER_A_NOUN}))"))

    def of_things(self, texts: Sequence[str], section: Sequence[int]) -> AnaphoraRules:
        """The same for a document of these sentences: what it says that it is of, it may always call so.

        Args:
            texts: The sentences.
            section: Number of the section of each.
        """
        if self.back_reference is _never:
            return self
        opening = map(_IS_A_THING.match, texts[:_SENTENCES_OF_AN_OPENING])
        things = {found["thing"] or found["own"] for found in opening if found is not None}
        called = {
            (found[1], number)
            for text, number in zip(texts, section, strict=True)
            if "his " in text and (found := _THIS_THING.search(text)) is not None
        }
        sections = Counter(thing for thing, _ in called)
        things.update(thing for thing, count in sections.items() if count >= _FEWEST_SECTIONS)
        if not things:
            return self
        own = rf"\b[Tt]his (?=(?i:{'|'.join(sorted(things))})(?:{_AFTER_A_NOUN}))"
        return replace(self, named=regex(own if self.named is None else f"{self.named.pattern}|{own}"))

    def continues(self, text: str) -> bool:
        """Whether a sentence, without its list marker, begins as if it continued from the one before."""
        text = self._without_named(text)
        return self.continuation(text) or self.inside.match(text) is not None

    def refers_back(self, text: str) -> bool:
        """Whether a word within a sentence refers back to one before it."""
        return self.back_reference(self._without_named(text))

    def says_of_code(self, text: str, before: str) -> bool:
        """Whether a sentence below code that is not shown says something of the code: "This prints …".

        Args:
            text: The sentence, without its list marker.
            before: The one before it in its section, or empty.
        """
        return self.of_code(self._without_named(text), before)

    def needs_antecedent(self, text: str) -> bool:
        """Whether a sentence, without its list marker, needs the one before it to be understood."""
        return self.continues(text) or self.refers_back(text)

    def needs_only_heading(self, text: str, heading: str) -> bool:
        """Whether what a sentence refers back to is only its heading, right above it.

        "This is a list of hosts"; "These variables are set by the caller" under "Variables".
        """
        if self.back_reference is _never:
            return False
        rest = _after_opening(text, heading)
        return not self.continues(rest) and (not self.refers_back(rest) or self._refers_within(rest))

    def _refers_within(self, text: str) -> bool:
        """Whether nothing in the first clause of a sentence refers back; what comes later may refer to it."""
        if _ANNOUNCED.search(text):
            return False
        for found in _CLAUSE_WITHIN.finditer(text):
            before = text[: found.start()]
            if len(before.split()) >= _WORDS_BEFORE_A_REFERENCE:
                return not self.refers_back(before)
        return False

    def _without_named(self, text: str) -> str:
        if self.named is None or ("his " not in text and "hese " not in text):
            return text
        return self.named.sub("the ", text)

    def connective_length(self, text: str, before: str = "") -> int:
        """Length of the connective that a sentence begins with, if without it it needs no antecedent; else 0.

        "Thus, the first is faster" says what "The first is faster" does. After "The guide warns that …", "And
        the bridge will fall" is what the guide says.

        Args:
            text: The sentence.
            before: The one before it.
        """
        found = _CONNECTIVE_ALONE.match(text) if self.back_reference is not _never else None
        if found is None or (found[0] == "And " and _REPORTS.search(before) is not None):
            return 0
        rest = text[found.end() :]
        if _ADDS.match(rest) is not None:
            return 0
        return 0 if self.needs_antecedent(rest[:1].upper() + rest[1:]) else found.end()


def _after_opening(text: str, heading: str) -> str:
    """A sentence without the beginning for which it needs only its heading."""
    found = _OF_HEADING.match(text)
    if found is not None:
        noun = found["nouns"].rpartition(" ")[2].lower()
        if not noun or noun in _NOUNS_OF_HEADINGS or stem(noun) in map(stem, split_terms(heading)):
            return f"The matter {text[found.end() :]}"
    found = _OPENS_PART.match(text)
    if found is not None:
        rest = (found["adds"] or "") + text[found.end() :]
        return f"The example {rest}" if (found["example"] or "").startswith("Th") else begin(rest)
    found = _NAMED_BY_HEADING.match(text) if heading else None
    if found is not None:
        return f"{found['deed'] or ''} the matter {text[found.end() :]}".strip()
    found = _BOTH.match(text) if _TWO.search(heading) else None
    found = _ANSWER.match(text) if heading.rstrip().endswith("?") else found
    return text if found is None else begin(text[found.end() :])


def continues_enumeration(text: str) -> bool:
    """Whether a sentence begins with a later number of an enumeration: "Second, the …"."""
    return _LATER_ORDINAL.match(text) is not None


def turns_to_other_story(text: str) -> bool:
    """Whether a sentence of news turns to another story: "Meanwhile, the ferry …"."""
    return text.startswith(("Meanwhile, ", "Meanwhile "))


def anaphora_rules(language: str | None, kind: DocumentKind) -> AnaphoraRules | None:
    """The rules of a language (a two-letter code) for a kind of document; ``None`` where there are none."""
    if language == "en":
        return _english(kind)
    return _other(language) if language in _OTHERS else None


@cache
def _english(kind: DocumentKind) -> AnaphoraRules:
    continuation = english_anaphora.continuation_pattern(kind)
    reference = english_anaphora.reference_pattern(kind)
    return AnaphoraRules(
        continuation=lambda text: english_anaphora.continues(text, continuation),
        inside=english_anaphora.CONTINUATION_INSIDE,
        back_reference=lambda text: english_anaphora.refers_back(text, reference),
        of_code=lambda text, before: english_anaphora.says_of_code(text, before, continuation),
        counts_code=english_anaphora.counts_code,
    )


@cache
def _other(language: str) -> AnaphoraRules:
    words, inside, own = _OTHERS[language]
    opening = regex(words.replace("{own}", own), re.IGNORECASE)
    return AnaphoraRules(
        continuation=lambda text: opening.match(text) is not None,
        inside=regex(inside, re.IGNORECASE),
        back_reference=_never,
        of_code=lambda *_: False,
        counts_code=lambda *_: False,
    )


def _never(_: str) -> bool:
    return False
