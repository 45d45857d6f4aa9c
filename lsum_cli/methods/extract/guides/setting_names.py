"""The names of settings, functions and options that head what is told of each.

"True if the gates are to be opened at night." says nothing under the heading of all settings: it is shown
with the name of its own one.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import plain_heading, section_path
from lsum_cli.text.patterns import regex

# "OPEN_AT_NIGHT", "open_gate()", "openGate", "--open"; "NOTES" may be a heading like any other.
_NAME_OF_CODE = regex(r"\w[\w.]*_[\w.]*(?:\(.*\))?|[\w.]+\(.*\)|[a-z]+[A-Z]\w*|--?[a-z][\w-]*")


def setting_names(candidates: Candidates, heading: str, positions: Sequence[int]) -> dict[int, str]:
    """The name for each sentence that is the first one quoted of a setting within a part.

    None for those that name it themselves. After one of a setting the first of another section has its
    heading too, or it would be read as told of the setting; what is within the section of the setting is.

    Args:
        candidates: The sentences of the document.
        heading: That of the part, which is shown.
        positions: The positions of what is quoted of the part, in order.
    """
    found: dict[int, str] = {}
    told = part = plain_heading(heading)
    shown: str | None = None
    for position in positions:
        section = candidates.sections[position]
        name = plain_heading(section.heading)
        is_new, told = name != told, name
        if not is_new or name == part or shown in section_path(section).split(PATH_BREAK):
            continue
        is_code = _NAME_OF_CODE.fullmatch(name) is not None
        is_named = name.partition("(")[0] in candidates.sentences[position].text
        if not is_code and shown is None:
            continue
        shown = name
        if not is_named:
            found[position] = name
    return found
