"""The browser tests render the same summaries as the tests of rendering."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "unit" / "rendering"))
