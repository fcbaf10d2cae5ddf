"""The form of a trace: words that ask a reader to follow code from a handler to what it finally does."""

from __future__ import annotations

import re

_ARRIVES = r"(?:\b(?:to|through|into|until|via|down)\b|->|→)\s*\S"
_READ = re.compile(
    rf"\W*(?:by\s+|manually\s+)?(?:read|reading)\s+(?!-)\S.*?\b(?:trace[sd]?|tracing|follow(?:s|ed|ing)?)\b.*?{_ARRIVES}",
    re.IGNORECASE | re.DOTALL,
)
# Without "read" the handler must be named as one, or any sentence with "trace" would do.
_TRACE = re.compile(
    rf"\W*(?:by\s+|manually\s+)?(?:trace|tracing)\s+(?!-)`?[\w./@-]+:\w.*?{_ARRIVES}", re.IGNORECASE | re.DOTALL
)
_SHELL = re.compile(r"[;|]|&&|\$\(|<|(?<![-=])>")
_LONGEST = 600


def is_trace(text: str) -> bool:
    """Known by its form and never run, so nothing that a shell would understand may pass for one."""
    plain = text.strip()
    return len(plain) <= _LONGEST and not _SHELL.search(plain) and bool(_READ.match(plain) or _TRACE.match(plain))
