"""Terms of texts in any script, and sentences as rows of a sparse term matrix."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import TYPOGRAPHIC_MARKS, without_typographic_marks
from lsum_cli.text.stems import stem

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

# Scripts written without spaces between words: Thai, Lao, Burmese, Khmer, kana, ideographs.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# Combining vowel signs and accents: Latin, Hebrew, Arabic, Indic.
MARKS = "\u0300-\u036f\u05b0-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_NUMBER = r"\d+(?:[.,]\d+)*"
_UNSPACED_RUN = regex(f"[{UNSPACED}]+")
_ASCII_TERM = regex(_NUMBER + "|[a-z][a-z0-9]*")
_SPACED_TERM = regex(f"{_NUMBER}|[^\\W\\d_](?:[^\\W_]|[{MARKS}])*")
_TERM = regex(f"[{UNSPACED}]+|{_NUMBER}|[^\\W\\d_{UNSPACED}](?:[^\\W_{UNSPACED}]|[{MARKS}])*")
_ASCII_WORD = regex(_NUMBER + "|[A-Za-z][A-Za-z0-9]*")
_WORD = regex(f"[{UNSPACED}]|{_NUMBER}|[^\\W\\d_{UNSPACED}](?:[^\\W_{UNSPACED}]|[{MARKS}])*")
_CHARACTERS_PER_WORD = 2


def count_words(text: str) -> int:
    """Number of words, split at white space; in scripts without spaces, two characters count as a word."""
    if text.isascii() or without_typographic_marks(text).isascii():
        return len(text.split())
    unspaced = _UNSPACED_RUN.findall(text)
    if not unspaced:
        return len(text.split())
    characters = sum(len(run) for run in unspaced)
    return len(_UNSPACED_RUN.sub(" ", text).split()) + (characters + 1) // _CHARACTERS_PER_WORD


def split_terms(text: str) -> list[str]:
    """The terms of a text in order: case-folded words and numbers; character bigrams in unspaced scripts."""
    if not text.isascii():
        # Each of them stands between terms.
        for mark in TYPOGRAPHIC_MARKS:
            text = text.replace(mark, " ")
    if text.isascii():
        return _ASCII_TERM.findall(text.lower())
    text = unicodedata.normalize("NFKC", text).casefold()
    if not _UNSPACED_RUN.search(text):
        return _SPACED_TERM.findall(text)
    terms: list[str] = []
    for run in _TERM.findall(text):
        if len(run) > 1 and _UNSPACED_RUN.match(run):
            terms.extend(run[start : start + 2] for start in range(len(run) - 1))
        else:
            terms.append(run)
    return terms


@lru_cache(maxsize=1 << 14)
def content_stems(text: str) -> frozenset[str]:
    """The stems of the words of a text that say something."""
    return frozenset(stem(term) for term in split_terms(text) if not is_function_word(term))


def word_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every word and number, in order; in unspaced scripts of every character."""
    return [match.span() for match in (_ASCII_WORD if text.isascii() else _WORD).finditer(text)]


# Verbs of English whose past or participle is another word than their stem: base, past, participle. Left out
# are those with a form that is as often another word ("left", "saw", "ground", "wound", "felt", "rose",
# "bore", "lay", "bit", "bound", "fed", "led") and those that are function words.
_IRREGULAR_VERBS = (
    "arise arose arisen|awake awoke awoken|beat beat beaten|become became become|begin began begun|"
    "bend bent|bite bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|"
    "build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung|come came come|"
    "creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk|"
    "drive drove driven|eat ate eaten|fall fell fallen|fight fought|find found|flee fled|"
    "fling flung|fly flew flown|forbid forbade forbidden|forget forgot forgotten|"
    "forgive forgave forgiven|forsake forsook forsaken|freeze froze frozen|give gave given|"
    "grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|"
    "lean leant|leap leapt|learn learnt|lend lent|lose lost|make made|meet met|pay paid|"
    "ride rode ridden|ring rang rung|run ran|seek sought|sell sold|send sent|shake shook shaken|"
    "shine shone|shoot shot|show showed shown|shrink shrank shrunk|sing sang sung|sink sank sunk|"
    "sit sat|slay slew slain|sleep slept|slide slid|speak spoke spoken|spend spent|spill spilt|"
    "spin spun|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|"
    "stink stank stunk|strike struck stricken|strive strove striven|swear swore sworn|sweep swept|"
    "swell swelled swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|"
    "throw threw thrown|tread trod trodden|wake woke woken|wear wore worn|weave wove woven|"
    "weep wept|win won|wring wrung|write wrote written"
)
_FORMS_OF_VERBS = [tuple(forms.split()) for forms in _IRREGULAR_VERBS.split("|")]
# "withdraw", "overcome", "rewrite"; not "outside", whose rest is no verb.
_PREFIX = regex(r"(?:with|over|under|up|re|un|out|fore|mis|be)(?=[a-z]{3})")


@lru_cache(maxsize=1)
def _verb_of_form() -> dict[str, tuple[str, ...]]:
    """The forms of each irregular verb, by each of them."""
    found: dict[str, tuple[str, ...]] = {}
    for base, *others in _FORMS_OF_VERBS:
        forms = tuple(dict.fromkeys((base, f"{base}s", f"{base.removesuffix('e')}ing", *others)))
        found |= dict.fromkeys(forms, forms)
    return found


def inflections(term: str) -> tuple[str, ...]:
    """A case-folded English term, and the forms of its verb if that is irregular: "wrote" has "written".

    A verb with a prefix has the forms of the verb in it: "withdrew" has "withdrawn". A term of which the stem
    tells all forms has none but itself.
    """
    verbs = _verb_of_form()
    if term in verbs:
        return verbs[term]
    prefix = _PREFIX.match(term)
    rest = verbs.get(term[prefix.end() :]) if prefix else None
    return (term,) if prefix is None or rest is None else tuple(prefix[0] + form for form in rest)


_FUNCTION_WORDS = (
    "a about above after again against all also am an and any are as at be because been before being "
    "below between both but by can cannot could did do does doing done down during each either few for "
    "from further had has have having he her here hers him his how however i if in into is it its "
    "itself just may me might more most must my neither no nor not now of off on once one only onto or "
    "other our out over own per same shall she should since so some such than that the their them then "
    "there these they this those through thus to too under until up upon us very was we were what when "
    "where whether which while who whom whose why will with within without would yet you your okay yeah "
    "uh um mm hmm oh like know think get got go going gonna really thing things way well mean right "
    "s t ll re ve don"
)
_FUNCTION_STEMS = frozenset(stem(word) for word in _FUNCTION_WORDS.split())


# The same of other languages, with their auxiliaries, contracted forms and words that ask; not stemmed.
_FUNCTION_WORDS_OF = {
    "de": (
        "ab aber alle allem allen aller allerdings alles als also am an andere anderem anderen anderer"
        " anderes anschließend auch auf aufgrund aus außerdem bei beide beiden beim bereits bevor bin bis"
        " bisher bist bzw da dabei dadurch dafür dagegen daher dahin damals damit danach dann daran darauf"
        " daraus darf darin darüber darum darunter das dass daß davon davor dazu dein deine deinem deinen"
        " deiner dem den denen denn dennoch der deren des deshalb dessen die dies diese diesem diesen"
        " dieser dieses dir doch dort du durch dürfen durfte ebenfalls ebenso eher eigene eigenen"
        " eigentlich ein eine einem einen einer eines einfach einige einigen einmal er erst es etc etwa"
        " etwas euch euer eure fast für gab gar gegen gegenüber geht gemacht gerade gern gibt ging gleich"
        " gut habe haben habt hat hatte hatten hätte hätten her heute hier hin hinter ich ihm ihn ihnen"
        " ihr ihre ihrem ihren ihrer ihres im immer in indem innerhalb ins insbesondere insgesamt ist ja"
        " je jede jedem jeden jeder jedes jedoch jener jetzt jeweils kam kann kannst kaum kein keine"
        " keinem keinen keiner kommen kommt könne können konnte konnten könnte könnten lassen lässt"
        " lediglich ließ machen macht mal man manche mehr mehrere mein meine meinem meinen meiner meist"
        " mich mir mit möchte möchten mögen möglich muss muß müssen musste mussten müsste nach nachdem"
        " neben nein nicht nichts nie noch nun nur ob obwohl oder oft ohne rund schließlich schon sehr sei"
        " seien sein seine seinem seinen seiner seines seit selber selbst sich sie siehe sind so sobald"
        " sodass sogar solche solchen solcher soll sollen sollte sollten somit sondern sonst sowie sowohl"
        " statt steht stehen über überhaupt um und uns unser unsere unserem unseren unserer unter viel"
        " viele vielen vieler vielleicht vom von vor vor während wann war waren wäre wären warum was weder"
        " weg wegen weil weiter weitere weiteren weiterer weiterhin welche welchem welchen welcher welches"
        " wem wen wenig wenige weniger wenn wer werde werden wessen wie wieder will wir wird wirklich wo"
        " wobei wodurch wofür wohl wollen wollte wollten worden wurde wurden würde würden zu zudem zuletzt"
        " zum zunächst zur zurück zusammen zwar zwischen"
    ),
    "fr": (
        "afin ai ainsi alors après as assez au aucun aucune aujourd'hui aussi autant autour autre autres"
        " aux avaient avait avant avec avez avoir avons ayant beaucoup bien c ça car ce cela celle celles"
        " celui cependant ces cet cette ceux chaque chez ci comme comment contre d dans de déjà depuis"
        " dernier dernière des dès deux devait devrait doit doivent donc dont du durant elle elles en"
        " encore enfin entre es est et étaient était étant été être eu eux fait faire fait faut font fut"
        " hors ici il ils j jamais je jusqu l la là laquelle le lequel les lesquelles lesquels leur leurs"
        " lors lorsqu lorsque lui m ma mais malgré même mêmes mes mieux moi moins mon n ne ni non nos"
        " notamment notre nous on ont ou où par parce parfois parmi pas pendant peu peut peuvent plus"
        " plusieurs plutôt pour pourquoi pourrait pourtant pouvait pouvoir près puis puisque qu quand que"
        " quel quelle quelles quelque quelques quels qui quoi rien s sa sans sauf se selon sera serait"
        " seront ses seulement si soit son sont sous souvent suis sur surtout t tandis tant te tel telle"
        " telles tels tes toi ton toujours tous tout toute toutes très trop tu un une va vers veut voici"
        " voilà voir vont vos votre vous vraiment y"
    ),
    "es": (
        "a además ahora al algo alguna algunas alguno algunos allí ante antes aquel aquella aquellas"
        " aquellos aquí así aun aún aunque bajo bien cada casi como cómo con contra cual cuál cuales"
        " cualquier cuando cuándo cuanto de del desde después dice dicho dijo donde dónde dos durante e él"
        " el ella ellas ellos en entonces entre era eran es esa esas ese eso esos esta está estaba estaban"
        " están estar estas este esto estos fue fueron ha haber había habían hace hacer hacia han hasta"
        " hay he incluso la las le les lo los luego más me mi mientras mis mismo misma mismos mucho muchos"
        " muy nada ni no nos nosotros nuestra nuestro nunca o otra otras otro otros para pero poco por"
        " porque pues puede pueden qué que quien quién quienes se según ser será serán si sí sido sin sino"
        " sobre solo sólo son su sus también tampoco tan tanto te tener tiene tienen toda todas todavía"
        " todo todos tras tu tus un una unas uno unos va vez y ya yo"
    ),
    "it": (
        "a abbia abbiamo agli ai al alcune alcuni alla alle allo allora altra altre altri altro anche"
        " ancora avere aveva avevano bene c che chi ci ciò circa come con contro così cui d da dagli dai"
        " dal dalla dalle dallo degli dei del dell della delle dello dentro deve di dopo dove due e è ed"
        " era erano essa essere esso fa fare fatto fino fra già gli ha hanno ho i il in infatti invece io"
        " l la le lei li lo loro lui ma mai me meno mentre mi mia mio molte molti molto ne negli nei nel"
        " nell nella nelle nello no noi non nostra nostro nulla o ogni oltre oppure per perché però più"
        " poco poi possono prima può quale quali quando quanto quasi quella quelle quelli quello questa"
        " queste questi questo qui quindi sarà saranno se sempre senza si sia siamo siano sono sopra sotto"
        " sta stata state stati stato su sua sue sugli sui sul sulla sulle sullo suo suoi tale tanto te ti"
        " tra tranne tu tutta tutte tutti tutto un una uno va verso vi voi"
    ),
    "nl": (
        "aan al alle alles als altijd andere bij daar dan dat de den der deze die dit doen door dus een"
        " eens elk en er ergens geen had hadden heb hebben heeft hem hen het hier hij hoe hun iets ik in"
        " is ja je kan konden kon kunnen maar me meer men met mij mijn moet moeten na naar niet niets nog"
        " nu of om omdat onder ons onze ook op over reeds sinds te tegen toch toen tot u uit van vanaf"
        " veel volgens voor waar waarom wanneer want waren was wat we weer wel welke werd werden wie wij"
        " wil worden wordt zal ze zelf zich zij zijn zo zoals zonder zou zouden zullen"
    ),
    "pt": (
        "a ainda além algum alguma algumas alguns ali antes ao aos apenas após aquela aquele aqui as"
        " assim até bem cada com como contra cuja cujo da das de dela dele deles depois desde dessa desse"
        " desta deste do dos duas durante e é ela elas ele eles em enquanto então entre era eram essa"
        " essas esse esses esta está estão estar estas este estes eu faz fazer foi foram há isso isto já"
        " la lhe lo maior mais mas me mesmo meu minha muito muitos na não nas nem nessa nesse nesta neste"
        " no nos nossa nosso num numa o onde os ou outra outras outro outros para pela pelas pelo pelos"
        " pode podem por porque porém pouco qual quais quando quanto que quem são se sem sempre sendo ser"
        " será seu seus sido sim sob sobre sua suas também tanto te tem têm tendo ter teve tinha toda"
        " todas todo todos um uma umas uns vai vão você"
    ),
}


@lru_cache(maxsize=16)
def function_words(language: str | None) -> frozenset[str]:
    """The function words of a language, case-folded, with its auxiliaries; none where they are not known.

    Those of English are recognised by their stems, by :func:`is_function_word`.
    """
    return frozenset(_FUNCTION_WORDS_OF.get(language or "", "").casefold().split())


# Words that ask, rather than say what is asked about.
_ASKING_WORDS = (
    "say says said tell tells explain explains describe describes summarize summarise summary document text"
    " paper article report book author authors show shows mean means talk talks please still yet already"
    " happen happens happened look looks"
)
_ASKING_STEMS = frozenset(stem(word) for word in _ASKING_WORDS.split())


# The same in Chinese and Japanese, with the particles at which their questions fall into words; what may
# follow a question word goes with it.
_ASKING_UNSPACED = regex(
    "(?:(?:为|為)?(?:什么|什麼)(?:时候|時候|样|樣)?|怎(?:么样|麼樣|么|麼|样|樣)|如何|哪(?:里|裡|儿|兒|些|个|個|一)?"
    "|何(?:时|時|地|以)|(?:谁|誰)|有?多(?:少|久|长|長|大|高|远|遠)|几(?=[个年月天次人种名位])|是否|(?:能|可)否"
    "|有(?:没|沒)有|(?:请|請)(?:问|問)|(?:关于|關於))(?:要|会|會|能|可以|不)?"
    "|[吗嗎呢的是]|了(?=\\W|[吗嗎呢]|$)"
    "|いつ|どこ|だれ|なぜ|どうして|ど(?:の|れ)(?:くらい|ように)?|どんな|どう|いく[つら]|について|とは"
    "|(?:でし|し)?(?:た|ました|ます|です)か"
)
_PARTICLES = regex("(?<![\u3040-\u309f])[はがをにのでとへも]+(?![\u3040-\u309f])")
_UNSPACED_CHARACTER = regex(f"[{UNSPACED}]")


def question_terms(question: str, language: str | None = None) -> list[str]:
    """The terms of a question that say what it is about, in order and once each; it may have none.

    "What does the report say about costs?" is about costs; "What is a report?" is about reports.

    Args:
        question: A question, or some words.
        language: Its language, whose function words say nothing either; ``None`` if unknown.
    """
    functions = function_words(language)
    if not question.isascii():
        question = _without_asking(question)
    terms = [
        term for term in split_terms(question) if not is_function_word(stem(term)) and term not in functions
    ]
    content = [term for term in terms if stem(term) not in _ASKING_STEMS]
    return list(dict.fromkeys(content or terms))


def _without_asking(question: str) -> str:
    """A question without what asks it in an unspaced script, where pairs of characters would cross it.

    A character that is left alone, of which no text has the term, goes too if anything else is left.
    """
    parts = _PARTICLES.sub(" ", _ASKING_UNSPACED.sub(" ", question)).split()
    return " ".join([part for part in parts if not _UNSPACED_CHARACTER.fullmatch(part)] or [question])


def is_function_word(stemmed: str) -> bool:
    """Whether a stemmed term is an English function word (stop word)."""
    return stemmed in _FUNCTION_STEMS


def is_asking_word(term: str) -> bool:
    """Whether a term asks in a question and says nothing of what it is about, as "tell" does."""
    return stem(term) in _ASKING_STEMS


def distinct(numbers: IntArray) -> IntArray:
    """The different numbers in an array, ascending.

    As ``np.unique``, which imports all that numpy has for masked arrays unless it is asked to count.
    """
    found: IntArray = np.unique(numbers, return_counts=True)[0]
    return found


def quantile(values: FloatArray | IntArray, share: float) -> float:
    """The value below which this share of the values lies, between two of them in proportion.

    As ``np.quantile``, which imports all that numpy has for masked arrays.
    """
    ordered = np.sort(values).astype(float)
    place = share * (len(ordered) - 1)
    below = int(place)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    over = place - below
    # Rounded as numpy rounds.
    return float(high - (high - low) * (1 - over) if over >= 0.5 else low + (high - low) * over)


@dataclass(frozen=True, eq=False)
class TermMatrix:
    """Term counts per sentence, in compressed sparse rows (CSR).

    Attributes:
        starts: (rows + 1,) where each row starts in ``columns`` and ``counts``; the last is their length.
        columns: (entries,) index of the term, ascending within a row.
        counts: (entries,) how often it occurs in the sentence.
        num_terms: Number of columns.
    """

    starts: IntArray
    columns: IntArray
    counts: FloatArray
    num_terms: int

    @classmethod
    def of(cls, rows: Sequence[IntArray], num_terms: int, is_counted: BoolArray | None = None) -> TermMatrix:
        """Count term indices row by row.

        Args:
            rows: The indices of each row.
            num_terms: Number of terms.
            is_counted: Which of the terms are counted; by default all.
        """
        flat = np.concatenate(rows) if rows else np.zeros(0, np.int64)
        lengths = np.array([len(row) for row in rows], np.int64)
        if is_counted is not None:
            kept = is_counted[flat]
            lengths = np.diff(np.concatenate(([0], np.cumsum(kept)))[np.cumsum([0, *lengths])])
            flat = flat[kept]
        return cls._of_flat(flat, lengths, num_terms)

    @classmethod
    def of_pairs(cls, rows: Sequence[IntArray], num_terms: int) -> TermMatrix:
        """Count pairs of neighbouring terms; each distinct pair is a column."""
        flat = np.concatenate(rows) if rows else np.zeros(0, np.int64)
        lengths = np.array([len(row) for row in rows], np.int64)
        # No pair of the last term of a row and the first of the next.
        is_within = np.ones(len(flat), bool)
        is_within[np.cumsum(lengths)[lengths > 0] - 1] = False
        keys = (flat[:-1] * num_terms + flat[1:])[is_within[:-1]]
        pairs, indices = np.unique(keys, return_inverse=True)
        return cls._of_flat(indices, np.maximum(0, lengths - 1), len(pairs))

    @classmethod
    def _of_flat(cls, indices: IntArray, lengths: IntArray, num_terms: int) -> TermMatrix:
        """Count the term indices of rows of these lengths, one after the other."""
        width = max(1, num_terms)
        keys = np.repeat(np.arange(len(lengths)), lengths) * width + indices
        unique, counts = np.unique(keys, return_counts=True)
        starts = np.searchsorted(unique, np.arange(len(lengths) + 1) * width)
        return cls(starts, unique % width, counts.astype(np.float64), num_terms)

    @property
    def num_rows(self) -> int:
        """Number of sentences."""
        return len(self.starts) - 1

    @property
    def row_of_entry(self) -> IntArray:
        """(entries,) the row of each entry."""
        return np.repeat(np.arange(self.num_rows), np.diff(self.starts))

    @property
    def frequency(self) -> FloatArray:
        """(terms,) in how many sentences each term occurs."""
        return np.bincount(self.columns, minlength=self.num_terms).astype(np.float64)

    def mean_over_terms(self, value_of_term: FloatArray) -> FloatArray:
        """The mean value of the distinct terms of each row; 0 for rows without a term."""
        return self.sum_rows(value_of_term[self.columns]) / np.maximum(1, np.diff(self.starts))

    def sum_rows(self, values: FloatArray) -> FloatArray:
        """Sum ``values``, one per entry, over each row."""
        totals = np.concatenate(([0.0], np.cumsum(values)))
        return totals[self.starts[1:]] - totals[self.starts[:-1]]

    def columns_of(self, rows: Sequence[int]) -> IntArray:
        """The indices of the terms of several rows together, in their order."""
        if not len(rows):
            return np.zeros(0, np.int64)
        return np.concatenate([self.columns[self.row(index)] for index in rows])

    def row(self, index: int) -> slice:
        """The slice of the entries of a row."""
        return slice(int(self.starts[index]), int(self.starts[index + 1]))


class Lexicon:
    """A mapping of terms to indices; terms with the same stem share one."""

    def __init__(self) -> None:
        self._index_of_stem: dict[str, int] = {}
        self._index_of_term: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._index_of_stem)

    @property
    def stems(self) -> list[str]:
        """The stems in the order of their indices."""
        return list(self._index_of_stem)

    def index(self, text: str) -> IntArray:
        """The indices of the terms of a text, in order."""
        known = self._index_of_term
        indices = [known[term] if term in known else self._add(term) for term in split_terms(text)]
        return np.array(indices, np.int64)

    def find(self, text: str) -> list[int]:
        """The indices of those terms of a text that the lexicon contains."""
        return self.having(map(stem, split_terms(text)))

    def having(self, stems: Iterable[str]) -> list[int]:
        """The indices of those stems that the lexicon contains; the stem of a stem may be another."""
        return [self._index_of_stem[each] for each in stems if each in self._index_of_stem]

    def _add(self, term: str) -> int:
        index = self._index_of_stem.setdefault(stem(term), len(self._index_of_stem))
        self._index_of_term[term] = index
        return index
