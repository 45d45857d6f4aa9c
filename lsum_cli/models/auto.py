"""Registers our models with the Auto classes of ``transformers`` when it is imported.

No command imports it. After ``import lsum_cli.models.auto`` a checkpoint, from a folder or from the hub, is
loaded as any other: ``AutoModelForSeq2SeqLM.from_pretrained("owner/name")``, and an importance tagger with
``AutoModelForTokenClassification``.
"""

from lsum_cli.models.pagesum.modeling import register_pagesum
from lsum_cli.models.topdown.modeling import register_topdown
from lsum_cli.models.windowing.modeling import register_windowing

for register in (register_pagesum, register_topdown, register_windowing):
    register()
