"""Tables within plain text."""

from __future__ import annotations

import pytest

from lsum_cli import read
from lsum_cli.reading.plain.tables import table_rows

TIMETABLE = """\
Dep. Whitby   Arr. Staithes   Dep. Staithes
08:00         08:45           09:00
10:00         10:45           11:00
12:00         12:45           13:00"""
TWO_COLUMNS = """\
the ferry sails in the     and those who come by car
morning and returns at     leave it at the old mill
noon from the harbour.     which has room for forty."""
JUSTIFIED = """\
The  ferry sails from  the harbour in the  morning and
returns at  noon when the  tide allows it to  pass the
bar of  the river and  nobody waits for  those who are
late,  as the  keeper says."""


def test_the_rows_of_a_table_are_lines_with_their_cells_divided(tmp_path):
    path = tmp_path / "ferry.txt"
    notes = "The ferry does not sail on Mondays.\nIn strong wind it may be cancelled by the keeper."
    path.write_text(f"Ferry timetable\n\n{TIMETABLE}\n\n{notes}\n", "utf-8")
    texts = [sentence.text for sentence in read(path).sentences]
    assert "08:00 | 08:45 | 09:00" in texts
    assert "Whitby Arr." not in texts
    assert texts[-1] == "In strong wind it may be cancelled by the keeper."


@pytest.mark.parametrize("text", [TWO_COLUMNS, JUSTIFIED])
def test_prose_in_columns_or_justified_is_no_table(text: str):
    assert table_rows(text.splitlines()) is None
