"""The names of settings, functions and options that head what is told of each.

"True if the gates are to be opened at night." says nothing under the heading of all settings: it is shown
with the name of its own one.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import plain_heading
from lsum_cli.text.patterns import regex

# "OPEN_AT_NIGHT", "open_gate()", "openGate", "--open".
_NAME_OF_CODE = regex(r"\w[\w.]*_[\w.]*(?:\(.*\))?|[\w.]+\(.*\)|[A-Z]{4,}|[a-z]+[A-Z]\w*|--?[a-z][\w-]*")


def setting_names(candidates: Candidates, heading: str, positions: Sequence[int]) -> dict[int, str]:
    """The name for each sentence that is the first one quoted of a setting within a part.

    None for those that name it themselves.

    Args:
        candidates: The sentences of the document.
        heading: That of the part, which is shown.
        positions: The positions of what is quoted of the part, in order.
    """
    found: dict[int, str] = {}
    told = plain_heading(heading)
    for position in positions:
        name = plain_heading(candidates.sections[position].heading)
        is_new, told = name != told, name
        is_named = name.partition("(")[0] in candidates.sentences[position].text
        if is_new and name != plain_heading(heading) and not is_named and _NAME_OF_CODE.fullmatch(name):
            found[position] = name
    return found
