"""What the minutes of a meeting mark: decisions, tasks, what stays open, motions; and what it is all about.

Minutes mark them in so many words: "RESOLVED:", "ACTION:", a heading "Conclusion", "moved … seconded …
carried", "it was agreed that", "Anna will write to the owner". A decision or task that no such form makes out
is not called one.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.assignments import Assignments
from lsum_cli.methods.extract.conversations.attendance import (
    heads_list,
    is_entry,
    is_list_alone,
    is_name_line,
    names_of_people,
    names_somebody,
    opens_list,
)
from lsum_cli.methods.extract.conversations.speech import ELLIPSIS
from lsum_cli.methods.extract.kinds import SPEAKER, plain_heading, shown_heading
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray


class Mark(enum.StrEnum):
    """What a passage of minutes is, as the label of its first sentence says it; what matters most first."""

    DECISION = "Decision"
    ACTION = "Action"
    OPEN = "Open"
    MOTION = "Motion"


# What opens a paragraph, or heads a section of them.
_NOUNS: dict[Mark, str] = {
    Mark.DECISION: (
        r"resolved|resolutions?|(?:key )?decisions?(?: made)?|agreed|agreements?|conclusions?|outcomes?"
        r"|consensus|beschl(?:uss|uß|üsse)|entscheidung(?:en)?|décisions?|résolutions?"
    ),
    Mark.ACTION: (
        r"(?:new )?actions?(?: (?:items?|points?|required))?|ai|ap|to-?dos?|next steps?"
        r"|follow[- ]?ups?|tasks?"
        r"|aufgaben?|nächste schritte"
    ),
    Mark.OPEN: (
        r"(?:still )?open(?: (?:issues?|questions?|points?|items?))?|deferred|parking lot"
        r"|offen(?:e punkte)?"
    ),
    Mark.MOTION: r"proposed(?: resolution)?|motion",
}
_NAME = r"(?-i:[^\W\d_a-z])[\w.'’-]*"
_OPENS = {
    mark: regex(
        rf"\(?(?:{nouns})(?: ?#?\d+)?(?: ?[\[(](?P<who>[^\])]{{1,60}})[\])])?"
        rf"(?: (?P<name>{_NAME}(?: {_NAME}){{0,2}})(?=:))?(?: ?: ?| [–—-] (?=\S)|, that (?=\S)|$)",
        re.IGNORECASE,
    )
    for mark, nouns in _NOUNS.items()
}
_HEADS = {
    mark: regex(rf"(?:summary of )?(?:{nouns})(?: ?(?:/|&|and) ?(?:{nouns}))*:?", re.IGNORECASE)
    for mark, nouns in _NOUNS.items()
    if mark is not Mark.MOTION
}
# "RESOLVED that the fence be mended."
_RESOLVED_THAT = regex(r"(?:RESOLVED|AGREED|Resolved) (?=that\b|to\b)")
_NOTHING = regex(r"(?:none|nil|n/?a|no|-|tbd|resolved)?[.!]?", re.IGNORECASE)

# Within running minutes.
_DECIDES = regex(
    r"\b(?:RESOLVED|AGREED|APPROVED)\b"
    r"|(?i:\b(?:it was|were|was) (?:also |then |unanimously |therefore |further )*"
    r"(?:resolved|agreed|decided|determined that)\b"
    r"|\b(?:board|council|committee|group|members|trustees|directors|cabinet|panel"
    r"|tsc|sc|wg|we|everyone|all) (?:(?:unanimously|then|also|all|has|have) )?"
    r"(?:agreed|decided|resolved|voted|determined|concluded|approved|adopted|elected|appointed)\b"
    r"|\band (?:unanimously )?(?:decided|resolved|agreed) (?:to|that|on)?\b"
    r"|\b(?:approved|adopted|accepted|rejected|passed) (?:unanimously|by acclamation|\d+[-–]\d+)"
    r"|(?<!no )(?<!any )(?<!not )\bconsensus (?:to|on|that|is)\b"
    r"|\b(?:beschloss(?:en)?|beschließ(?:t|en)|einigten? sich"
    r"|(?:einstimmig|mehrheitlich|bei \w+ \w+) (?:angenommen|genehmigt|abgelehnt|gewählt|entlastet))\b)"
)
_CARRIES = regex(
    r"\b(?:motions?|resolution|proposal|amendment)\b[^.;]{0,40}\b(?:carrie[sd]|pass(?:es|ed)|approved|adopted"
    r"|fail(?:s|ed)|(?:is|was|were) lost|defeated|withdrawn|tabled)\b(?! over\b)"
    r"|\bsecond(?:s|ed)\b[^.;]{0,60}(?:,|\band|\bwas|\bis|\bmotion) (?:then |was |is |unanimously )*"
    r"(?:carried|lost|defeated|passed|rejected|approved|adopted|failed)\b"
    r"|^(?:elected|carried|passed|unanimous|defeated)\b",
    re.IGNORECASE,
)
_MOVES = regex(
    r"\b(?:moves|moved|seconds|seconded|nominat(?:es|ed)|motion (?:to|that|by)|proposed by)\b", re.IGNORECASE
)
_LEAVES_OPEN = regex(
    r"\b(?:deferr?(?:ed)? (?:to|until|till|pending)|postponed?|tabled until|carried over|held over"
    r"|leave (?:it |this )?on (?:the )?agenda"
    r"|needs? (?:more|further) (?:work|discussion|exploration|investigation|thought)|needs work|no consensus"
    r"|not (?:yet )?(?:agreed|decided|resolved)|to be (?:decided|determined|confirmed)|continued, "
    r"|return to \w+ for revision|remains? (?:open|unresolved)|(?:take|taken) (?:this |it )?offline"
    r"|take (?:this |it )?to (?:the )?(?:list|issue|mailing list)"
    r"|nicht (?:beschlossen|entschieden)|vertagt|zurückgestellt)\b",
    re.IGNORECASE,
)
_REACHES_NOTHING = regex(
    r"\bno (?:agreement|decision|consensus|conclusion|vote) (?:was|were|has been|had been|could be)\b",
    re.IGNORECASE,
)
# A resolution that settles nothing: "Deferred.", "How does that translate to the API".
_SETTLES_NOTHING = regex(
    r"(?:defer|how|what|whether|which|who|when|no decision)\b|deferred[.!]?$", re.IGNORECASE
)
# It says what is so in some case, not what was decided.
_SUPPOSES = regex(r"\b(?:if|unless|whether|ob|falls|sofern)\b", re.IGNORECASE)
# Every meeting approves its agenda and the minutes of the last one, and closes.
_ROUTINE = regex(
    r"\b(?:minutes|agenda)\b.{0,200}?\b(?:accept|approv|adopt|confirm|sign|correct|true)"
    r"|\b(?:accept|approv|adopt|confirm|sign)\w*\b.{0,200}?\b(?:minutes|agenda)\b|\badjourn|\bapolog"
    r"|\b(?:protokoll|tagesordnung)\b.{0,200}?\b(?:genehmig|angenommen|beschlossen)",
    re.IGNORECASE,
)
_POINTS_BACK = regex(r"\b(?:do|did|work on|look (?:at|into)|take) (?:that|this|it|so)\b[.!]?$", re.IGNORECASE)

_HEADS_FORM = regex(
    r"links?|agenda|contents|table of contents|call to order|(?:upcoming|next) meetings?.*|adjournment"
    r"|quorum"
    r"|(?:review|approval) of (?:the )?(?:previous|last) (?:meeting|minutes).*"
    r"|(?:approval of|previous) minutes.*|meeting details|tagesordnung|stand-?up",
    re.IGNORECASE,
)
_OF_FORM = regex(
    r"(?:chair|bosun|host|facilitator|recording|(?:audio |video )?recording|video|chat|github(?: issue)?"
    r"|location|date|time|venue|artifacts|topics|agenda\+?|minutes|calendar|declarations? of interest\w*"
    r"|next meeting)\b ?(?::|$|[-–] ?$)"
    r"|https?://|<[^<>]{1,30}>|\+1\b"
    r"|(?:the )?(?:chair )?(?:meeting|session) (?:was )?(?:called to order|commenced|opened|closed|adjourned"
    r"|started|ended)"
    r"|.{0,40}\b(?:leaves|left|joins|joined) (?:the )?(?:meeting|call)"
    r"|(?:der|die) \w*vorsitzende\b.* (?:eröffnet|begrüßt|schließt)\b"
    r"|respectfully submitted|\W?extracted from|click\b"
    r"|there (?:were|was|being) no (?:declarations?|apolog|further|other|questions|matters|announcements"
    r"|updates?)"
    r"|no (?:updates?|questions|declarations)\b"
    r"|\[[^\]]*\]$|\([^)]*\)$|minutes of (?:the|a) meeting|chair\b \S+$|contents$|meeting minutes$",
    re.IGNORECASE,
)
# What opens a topic among items that no heading divides: "Remove the timer #20894", "[Anna] Travel costs".
_TOPIC_ITEM = regex(r"(?:.{8,90} )?#\d+$|\[[A-Z][\w ]{1,20}\] \S.{6,90}$")
_MARKER = regex(
    r"(?:(?:zu )?TOP \d+[.:]?(?: +|$)|[-*•] |\[[ xX]\] |(?:\d+(?:\.\d+)*[.)]|\d+\.\d+|[a-z]{1,3}[.)]) +)+"
)

_LONGEST_ITEM = 70  # words of a paragraph that is quoted as one
_LONGEST_TOPIC = 14
_SHORTEST_TOPIC = 4
_SHORTEST_ITEM = 2
# The context of an item has so many words at most; what so few words decide needs a topic.
_LONGEST_LEAD = 30
# A heading that says nothing of what it heads.
_GENERIC = regex(
    r"slide \d+|mic|discussion|notes|minutes|topics|agenda|q ?& ?a|meeting minutes", re.IGNORECASE
)

# Two words or so, and no file: "Concise Methods", "Object.isObject".
_SHORT_TOPIC = regex(r"(?!.*\.(?:pdf|pptx?|docx?|html?|md|txt)$)[\w .&/-]+[\w)]", re.IGNORECASE)
_NUMBERED = regex(r"\d+[.)\d]")
_SO_RESOLVED = regex(r"(?:so )?resolved|(?:motion )?carried(?: unanimously)?", re.IGNORECASE)
_SECONDED = regex(r"\bsecond(?:s|ed)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Item:
    """A passage that minutes mark.

    Attributes:
        mark: What it is.
        positions: Its sentences.
        start: Where in its first sentence it begins, past its mark.
        who: Who is to do it, where that stands outside the sentence; what it is about, where it does not say.
        topic: What it is about.
        lead: The sentence before it that it needs as context; ``None`` where it needs none.
    """

    mark: Mark
    positions: tuple[int, ...]
    start: int = 0
    who: str = ""
    topic: str = ""
    lead: int | None = None

    @property
    def rows(self) -> tuple[int, ...]:
        """The sentences that it is quoted with."""
        return self.positions if self.lead is None else (self.lead, *self.positions)

    @property
    def label(self) -> str:
        """What it is, and whose."""
        return f"{self.mark} ({self.who})" if self.who else str(self.mark)


@dataclass(frozen=True, kw_only=True)
class Minutes:
    """What minutes hold.

    Attributes:
        items: What they mark, in order.
        topics: What each sentence is about; empty where nothing says.
        is_said: Which sentences tell what was said: no list of those present, no agenda, no item.
        lists_present: Whether they tell who was there.
    """

    items: tuple[Item, ...]
    topics: tuple[str, ...]
    is_said: BoolArray
    lists_present: bool


def tells_outcome(text: str) -> bool:
    """Whether a sentence tells what was decided, or that nothing was."""
    return any(form.search(text) for form in (_DECIDES, _CARRIES, _LEAVES_OPEN, _REACHES_NOTHING))


@lru_cache(maxsize=1)
def read_minutes(candidates: Candidates) -> Minutes:
    """Find what minutes mark, and what each sentence is about."""
    return _Reader(candidates).read()


class _Reader:
    """Reads minutes paragraph by paragraph."""

    def __init__(self, candidates: Candidates) -> None:
        self._candidates = candidates
        self._texts = [sentence.text for sentence in candidates.sentences]
        self._paragraphs = _paragraphs(candidates)
        headings = {
            section.path for section in candidates.sections if _heading_mark(section.heading or "") is None
        }
        self._has_headings = (
            len({heading for heading in headings if not _SO_RESOLVED.fullmatch(heading)} - {""}) >= 2
        )
        self._names = names_of_people(candidates, self._paragraphs)
        self._assignments = Assignments(self._texts, self._names)
        self._items: list[Item] = []
        self._topics = [""] * len(candidates)
        self._is_said = np.zeros(len(candidates), bool)
        self._lists_present = False
        self._proposal: Item | None = None

    def read(self) -> Minutes:
        """What the minutes hold."""
        section, line, mode, is_one, listing, is_after = -1, "", None, False, False, False
        wholes = [" ".join(self._texts[row] for row in rows) for rows in self._paragraphs]
        for rows, whole, below in zip(self._paragraphs, wholes, [*wholes[1:], ""], strict=True):
            text = self._texts[rows[0]]
            start = marker_end(text)
            body = text[start:]
            heading = self._candidates.sections[rows[0]].heading or ""
            if int(self._candidates.section[rows[0]]) != section:
                section, listing = int(self._candidates.section[rows[0]]), False
                mode, is_one = _heading_mark(heading), False
                if _SO_RESOLVED.fullmatch(heading.strip(" .")):
                    mode = None
                    self._settle()
                else:
                    line, is_after = "", True
                self._proposal = None
            is_form = self._is_form(rows[0], whole)
            listing = listing and is_name_line(whole)
            opens = opens_list(whole[start:])
            if is_form or listing or opens or _OF_FORM.match(body):
                is_alone = opens and is_list_alone(whole)
                self._lists_present |= listing or (
                    opens and names_somebody(below if is_alone else whole[start:])
                )
                listing = listing or is_alone
                self._set_topic(rows, line)
                continue
            if _SO_RESOLVED.fullmatch(whole.strip(" .")):
                self._settle()
                continue
            head = _heading_mark(whole)
            if head is not None:
                # "Decisions:" above a list of them, "Decision:" above one.
                mode, is_one = head, not whole.rstrip(":").endswith("s")
                continue
            is_marked = any(opens.match(body) for opens in _OPENS.values())
            if mode is None and not is_marked and self._opens_topic(whole[start:].strip(), is_after=is_after):
                line, self._proposal, is_after = whole[start:].strip(), None, False
                self._set_topic(rows, line)
                continue
            topic = self._set_topic(rows, line)
            is_after = self._marked(rows, text, start, topic, mode)
            if not is_after:
                self._running(rows, topic)
            if is_one:
                mode, is_one = None, False
        return Minutes(
            items=tuple(self._items),
            topics=tuple(self._topics),
            is_said=self._is_said,
            lists_present=self._lists_present,
        )

    def _marked(self, rows: Sequence[int], text: str, start: int, topic: str, mode: Mark | None) -> bool:
        """Take a paragraph that opens with a mark, or stands under one; false where it does neither."""
        body, who, mark = text[start:], "", mode
        resolved = _RESOLVED_THAT.match(body)
        for each, opens in _OPENS.items():
            found = opens.match(body)
            if found is not None:
                mark, who, start = each, (found["who"] or found["name"] or "").strip(), start + found.end()
                break
        else:
            if resolved is not None:
                mark = Mark.DECISION
        if mark is None:
            return False
        rest = text[start:].strip(" )")
        if len(rows) == 1 and _NOTHING.fullmatch(rest):
            return True
        if mark is Mark.DECISION and (_LEAVES_OPEN.search(rest) or _SETTLES_NOTHING.match(rest)):
            mark = Mark.OPEN
        elif mark is Mark.DECISION and (promise := self._assignments.find(text, start)) is not None:
            mark, who, start = Mark.ACTION, promise[0], promise[1]
        if mark is Mark.DECISION and _ROUTINE.search(rest):
            return True
        if mark is not Mark.ACTION:
            who = ""
        if len(rest.split()) <= _SHORTEST_ITEM and mark in (Mark.DECISION, Mark.OPEN) and len(rows) == 1:
            # "Decision: postponed." says nothing without its topic.
            who = topic.split(PATH_BREAK)[-1][marker_end(topic.split(PATH_BREAK)[-1]) :]
        count = int(self._candidates.num_words[list(rows)].sum())
        positions = tuple(rows) if count <= _LONGEST_ITEM else (rows[0],)
        item = Item(mark=mark, positions=positions, start=start, who=who, topic=topic)
        if mark is Mark.MOTION:
            self._proposal = item
        elif mark is Mark.DECISION:
            self._drop_proposal()
        self._items.append(item)
        return True

    def _running(self, rows: Sequence[int], topic: str) -> None:
        """Take what the sentences of a paragraph decide, assign and leave open."""
        taken: set[int] = set()
        moved: int | None = None
        label, label_end = self._label(rows)
        inner = label or topic
        for row in rows:
            text = self._texts[row]
            start = marker_end(text)
            body = text[start:]
            mark, who = None, ""
            positions: tuple[int, ...] = (row,)
            if _MOVES.search(body) and moved is None:
                moved = row
            if _CARRIES.search(body):
                first = moved if moved is not None else max(rows[0], row - 1)
                mark, positions = (
                    Mark.DECISION,
                    tuple(each for each in rows if first <= each <= row and each not in taken),
                )
                moved = None
            elif body.endswith("?"):
                pass
            elif self._decides(body):
                mark = Mark.OPEN if _LEAVES_OPEN.search(body) else Mark.DECISION
                moved = None
            elif (promise := self._assignments.find(text, start)) is not None:
                mark, (who, start) = Mark.ACTION, promise
            elif _LEAVES_OPEN.search(body):
                mark = Mark.OPEN
            if mark is None:
                # "… however, there may be more": what a scribe writes on under the name of who speaks.
                self._is_said[row] = not body.startswith(ELLIPSIS)
                continue
            whole = " ".join(self._texts[each] for each in positions)
            taken.update(positions)
            if mark is Mark.DECISION and _ROUTINE.search(whole):
                self._is_said[list(positions)] = False
                continue
            if positions[0] != row and mark is Mark.DECISION:
                start = marker_end(self._texts[positions[0]])
            if positions[0] == rows[0] and label and not who:
                start = max(start, label_end)
            self._is_said[list(positions)] = False
            lead = self._lead(rows, positions[0], whole, taken, is_labelled=bool(label))
            self._items.append(
                Item(mark=mark, positions=positions, start=start, who=who, topic=inner, lead=lead)
            )
        if moved is not None and moved not in taken:
            text = self._texts[moved]
            if _ROUTINE.search(text) is None and _SECONDED.search(text) is not None:
                self._is_said[moved] = False
                start = label_end if moved == rows[0] and label else marker_end(text)
                lead = self._lead(rows, moved, text, taken, is_labelled=bool(label))
                self._items.append(
                    Item(mark=Mark.MOTION, positions=(moved,), start=start, topic=inner, lead=lead)
                )

    def _decides(self, text: str) -> bool:
        """Whether a sentence says what was decided; what a speaker holds is no decision."""
        found = _DECIDES.search(text)
        if found is None or found[0].isupper():
            return found is not None
        speaker = SPEAKER.match(text)
        is_said = speaker is not None and speaker[0].split(":")[0].split()[0] in self._names
        return not is_said and _SUPPOSES.search(text, 0, found.start()) is None

    def _lead(
        self, rows: Sequence[int], position: int, text: str, taken: set[int], *, is_labelled: bool
    ) -> int | None:
        """The sentence that an item needs as context: what opens its paragraph, or what it refers back to."""
        lead = rows[0]
        if position == rows[0]:
            if not _POINTS_BACK.search(text) or not position:
                return None
            lead = position - 1
            if self._topics[lead] != self._topics[position]:
                return None
        elif is_labelled:
            return None
        is_short = self._candidates.num_words[lead] <= _LONGEST_LEAD
        is_told = lead in taken or any(lead in item.positions for item in self._items[-3:])
        return lead if is_short and not is_told else None

    def _is_form(self, row: int, whole: str) -> bool:
        """Whether a paragraph only says who was there, or what was to be talked about."""
        section = self._candidates.sections[row]
        path = [plain_heading(part) for part in (section.path or section.heading or "").split(PATH_BREAK)]
        if any(map(heads_list, path)):
            is_list = is_entry(whole[marker_end(whole) :])
            self._lists_present |= is_list
            return is_list or opens_list(whole)
        return _HEADS_FORM.fullmatch(path[-1]) is not None

    def _opens_topic(self, text: str, *, is_after: bool) -> bool:
        """Whether a line names what comes next; a word or two do after what was decided of the last topic."""
        if _TOPIC_ITEM.fullmatch(text):
            return True
        is_short = is_after and len(text.split()) <= _SHORTEST_TOPIC
        if self._has_headings and is_short and _SHORT_TOPIC.fullmatch(text):
            return True
        is_line = len(text.split()) <= _LONGEST_TOPIC and text[:1].isupper() and text[-1:] not in ".!?:;,…"
        return not self._has_headings and is_line and ": " not in text and not text.isdigit()

    def _label(self, rows: Sequence[int]) -> tuple[str, int]:
        """What a paragraph calls its subject, before a colon, and where what it says of that begins.

        Empty below a heading, unless the paragraph has a number of its own: "3. Co-options: …".
        """
        text = self._texts[rows[0]]
        start = marker_end(text)
        before, colon, _ = text[start:].rpartition(": ")
        is_own = bool(_NUMBERED.match(text)) or not self._topics[rows[0]]
        if not (colon and is_own) or len(before.split()) > _LONGEST_TOPIC or self._is_speaker(before):
            return "", start
        return before, start + len(before) + len(colon)

    def _is_speaker(self, text: str) -> bool:
        return text.split(":")[0].split(" ")[0].strip(",") in self._names or _MOVES.search(text) is not None

    def _set_topic(self, rows: Sequence[int], line: str) -> str:
        """Note what a paragraph is about, and return it."""
        section = self._candidates.sections[rows[0]]
        named = [
            shown_heading(part)
            for part in (section.path or section.heading or "").split(PATH_BREAK)
            if (plain := plain_heading(part))
            and _heading_mark(plain) is None
            and not _SO_RESOLVED.fullmatch(plain)
            and not _HEADS_FORM.fullmatch(plain)
        ]
        last = named[-2:] if named and _GENERIC.fullmatch(plain_heading(named[-1])) else named[-1:]
        topic = PATH_BREAK.join([*last, *([line] if line else [])])
        for row in rows:
            self._topics[row] = topic
        return topic

    def _settle(self) -> None:
        """What was proposed is resolved."""
        if self._proposal is None and self._items and self._items[-1].mark is Mark.MOTION:
            self._proposal = self._items[-1]
        if self._proposal is not None:
            self._items[self._items.index(self._proposal)] = replace(self._proposal, mark=Mark.DECISION)
        self._proposal = None

    def _drop_proposal(self) -> None:
        """What was resolved instead of a proposal, or in its words, stands for it."""
        if self._proposal is not None:
            self._items.remove(self._proposal)
        self._proposal = None


def marker_end(text: str) -> int:
    """Where a line begins past the sign or number of a list."""
    found = _MARKER.match(text)
    return found.end() if found else 0


def _heading_mark(heading: str) -> Mark | None:
    """What the paragraphs below a heading or a line are."""
    plain = plain_heading(heading)
    return next((mark for mark, heads in _HEADS.items() if heads.fullmatch(plain)), None)


def _is_marked_line(text: str) -> bool:
    """Whether a sentence opens with a mark and a colon: "ACTION: …"."""
    found = [opens.match(text, marker_end(text)) for opens in _OPENS.values()]
    return any(each is not None and each[0].rstrip().endswith(":") for each in found)


def _paragraphs(candidates: Candidates) -> list[list[int]]:
    """The positions of the sentences by paragraph; what is marked opens one."""
    made: list[list[int]] = []
    for row in range(len(candidates)):
        if (
            not made
            or candidates.opens_paragraph[row]
            or candidates.section[row] != candidates.section[row - 1]
            or _is_marked_line(candidates.sentences[row].text)
        ):
            made.append([])
        made[-1].append(row)
    return made
