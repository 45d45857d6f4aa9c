"""Whether what somebody says is a whole sentence: it does not break off, or begin in the middle.

A turn into which another falls breaks off, and the next of the same speaker goes on in the middle. All
patterns are of text in small letters.
"""

from __future__ import annotations

from lsum_cli.methods.extract.conversations.speech import ELLIPSIS
from lsum_cli.text.patterns import regex

# It breaks off, or begins in the middle.
_BREAKS_OFF = regex(
    r"(?:\b(?:and|or|but|so|the|a|an|of|to|with|that|yeah|okay|uh|um|like|know|because|is|are|was|were|am|be"
    r"|been|has|had|have|do|does|did|will|would|can|could|shall|should|may|might|must|my|our|your|their|its"
    r"|this|these|those|if|whether|than|very|quite|really|how|what|where|when|why|who|which|whose|i|we|they"
    r"|he|she|you|(?<!and it is )(?<!but it is )not|going|gonna|sort|kind|also|just|maybe|say|says|said|about"
    r"|into|from|for|at|by|between|some|any|every|each|\w+['’](?:s|re|m|ll|ve))[.,! …-]*|\.\.\.|-|—\.?)$"
)
# "What the intention was.", "more than yellow has."
_ENDS_CLAUSE = regex(
    r"\b(?:what|how|where|who|than|as) (?:[\w'’-]+ ){2,8}(?:is|are|was|were|has|have|had|can|will|would)[.!]$"
)
_MARKS_AT_END, _LONGEST_AT_END = ".,! …-", 10
# With a stop these may end a sentence: "a display to work with.", "what a remote control does."
_ENDS_WHOLE = regex(
    r"(?<!so )(?<!that )(?<!you )(?<!and )(?<!like )(?<!or )(?<!but )"
    r"\b(?:with|for|about|from|at|by|do|does|did|be|been|know|you)[.!]$"
    # After a noun it begins a clause that never came: "of titanium that."
    r"|\b(?:do|doing|done|did|like|with|about|of|on|for|from|to|than|at|by|after|before|want|need|say|said|have"
    r"|use|see|get|make) that[.!]$"
)
_BEGINS_IN_MIDDLE = regex(
    r"—|(?:thank|sorry|just|maybe|or|nor|['’]?cause|cuz|coz|especially|partly|mostly|as for|way we"
    r"|therefore to|some(?:thing (?:that|like|which)| kinds? of)|much|either|lots?|plus"
    r"|even(?! if [^,]+, \w)|until|except"
    r"|unless|kind of|sort of|kinda|not|like|of|let['’]s say"
    # "At the moment we have two pumps" begins at its beginning.
    r"|(?:with|at|by|from)(?!(?: [a-z-]+){1,5}?,? (?:i|we|you|they|it|there)(?:['’](?:re|ll|ve|s)| (?:can"
    r"|could|will|would"
    r"|should|have|has|had|need|are|is|was|were|want|use|get))\b)"
    r"|(?:(?:but|then),? )?(?:be|do|go|mak|tak|us|gett?|hav|say|look|try|putt?|think|talk)ing"
    r"|think|is|are|was|were|has|have|had"
    r"|does|did|will|would|could|should|can|may|might|must|been|be|means?|meaning|seems?|gonna|wanna|got"
    r"|that (?:we|i|they|you|he|she|it)|so that"
    r"|but,? (?:like|because|except|especially)"
    r"|such as|that (?:the|an?|there|all|both|our|my)|where(?!.*(?:,| (?:is|was) ))"
    r"|also (?:something|because|just|like|an?)"
    r"|depends (?:on|where|what|how)|(?:seemed|looked|turned|wanted|tried|figured|then must)"
    r"|too (?:many|much)(?! [a-z-]+ (?:can|could|may|might|will|would|is|are|was|were|has|have|makes?"
    r"|means?)\b)"
    r"|probably (?:w|sh|c)ould|correction)\b"
    # "But until it is paid, the mill is closed" says all that is needed.
    r"|but,? (?:just|not|even|until|unless)\b(?!.*, \w)"
    # "What we could do is drop the case" says what.
    r"|(?:(?:so|and|but|well),? )*(?:(?:what(?! (?:[a-z'’]+ ){1,5}(?:is|was) (?!that\W|it\b|not\b))|which"
    r"|how|whether|because|than|of)\b"
    r"|(?:sha|wo|ca|could|should|would|is|are|was|were|do|does|did|have|has)n['’]t (?:i|we|you|they|he|she|it"
    r"|that)\b"
    r"|(?:have|do|did|are|were|is) (?:we|you|they)\b"
    r"|(?:sends|makes|takes|gives|goes|comes|gets|puts|says|lets|needs|wants|uses|tells) (?!of\b|are\b|is\b"
    r"|were\b)"
    r"|(?:shall|should|could|can|would) (?:i|we|you|they|it)\b(?!.*,))"
)
_SO_AGAIN = regex(r"\b(?:so (?:so|i should|we i)|and so)\b")
# "If we lose the wheel and make it depend on the touch screen …": what then follows another turn tells.
_SUPPOSES_ALONE = regex(
    r"(?:(?:so|and|but|well|because|then|yeah|i think|i mean|for example),? )*"
    r"(?:if|when|whenever|unless|while|since|although|though|because)\b(?!.*(?:,|\bthen\b))"
)
_SUPPOSES_AT_END = regex(r"\b(?:because|so that|but|and|so) (?:if|when|unless|since)\b(?:(?!\bthen\b)[^,])*$")
_LONGEST_CLAUSE = 160  # characters
# An aim without what it is for, a subject of which nothing is said: in small letters.
_NO_CLAUSE = regex(
    r"(?:(?:so|and|but|well|because),? )*to (?!.*\b(?:i|we|you|they|he|she|it|is|are|was|were|be|will|would"
    r"|can|could|should|must|might|has|have|had|do|does|did|\w+(?<!thi)s|\w+ed)\b)(?!.*,)"
    r"|.*\bi (?:think|guess|believe|mean) (?:that )?(?:the|an?|our|my|your|their) [\w-]+[.…]*$"
)


def is_broken(lowered: str) -> bool:
    """Whether what is said, in small letters, breaks off or begins in the middle."""
    end = max(0, len(lowered.rstrip(_MARKS_AT_END)) - _LONGEST_AT_END)
    return (
        (
            _BREAKS_OFF.search(lowered, end) is not None
            and _ENDS_WHOLE.search(lowered, end) is None
            and _ENDS_CLAUSE.search(lowered) is None
        )
        or _BEGINS_IN_MIDDLE.match(lowered) is not None
        or _NO_CLAUSE.match(lowered) is not None
        or says_so_again(lowered)
    )


def only_supposes(lowered: str) -> bool:
    """Whether what is said, in small letters and without a stop, is a condition or a reason alone."""
    if not lowered.endswith(ELLIPSIS):
        return False
    end = max(0, len(lowered) - _LONGEST_CLAUSE)
    return _SUPPOSES_ALONE.match(lowered) is not None or _SUPPOSES_AT_END.search(lowered, end) is not None


def says_so_again(lowered: str) -> bool:
    """Whether it begins again from "so", or ends in it."""
    return _SO_AGAIN.search(lowered) is not None
