"""Extraction: the bytes of a page to text that keeps its mathematics as LaTeX.

Mathematics become tokens first, boilerplate goes then, and the tokens are restored last, so that
no remover ever sees a formula.
"""

from mathpinpoint.compute.extract.page import (
    EXTRACTOR,
    EXTRACTOR_VERSION,
    Extraction,
    extract,
    extract_item,
    failed,
)

__all__ = ["EXTRACTOR", "EXTRACTOR_VERSION", "Extraction", "extract", "extract_item", "failed"]
