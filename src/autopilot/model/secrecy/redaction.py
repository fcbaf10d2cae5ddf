"""Text without secrets and without terminal control sequences: for everything that is stored, shown or prompted."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence

from autopilot.model.secrecy.secrets import FORMS, MIN_LENGTH, Form
from autopilot.model.secrecy.spellings import Span, Spellings
from autopilot.model.secrecy.terminal import strip_controls

# A file of any size is searched piece by piece: the search makes copies of what it searches.
_WINDOW, _OVERLAP = 4_000_000, 100_000
_SCATTERED = 12  # letters and digits: fewer of them may follow each other by chance
_NOT_LETTERS = bytes(set(range(256)) - set((string.ascii_letters + string.digits).encode()))
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class Redactor:
    """Known values first, in every spelling they may come in; then whatever looks like a secret by its form."""

    def __init__(self, values: Mapping[str, str] | None = None, forms: Sequence[Form] = FORMS) -> None:
        known = [(name, value) for name, value in (values or {}).items() if len(value) >= MIN_LENGTH]
        self._spellings = Spellings(known)
        letters = (_letters(value) for _, value in known)
        self._scattered = [value for value in letters if len(value) >= _SCATTERED and not value.isalpha()]
        self._forms = tuple(forms)
        self._hinted: dict[str, list[int]] = {}
        for number, form in enumerate(self._forms):
            for hint, _ in form.hints:
                self._hinted.setdefault(hint, []).append(number)

    def redact(self, text: str) -> str:
        text = _replace(self._spellings.spans(text), text)
        lowered = _lower(text)
        hints = {hint for hint in self._hinted if hint in lowered}
        for number in sorted({number for hint in hints for number in self._hinted[hint]}):
            form = self._forms[number]
            starts = _starts([(hint, reach) for hint, reach in form.hints if hint in hints], lowered)
            if (hidden := _hide(form, text, starts)) is not text:
                text, lowered = hidden, _lower(hidden)
        return text

    def knows(self, text: str) -> bool:
        """Whether a known value stands in it. What only looks like a secret may be an example."""
        plain = strip_controls(text)
        return self._is_spelled(text) or (plain != text and self._is_spelled(plain)) or self._is_scattered(text)

    def _is_spelled(self, text: str) -> bool:
        starts = range(0, max(1, len(text)), _WINDOW)
        return any(True for start in starts for _ in self._spellings.spans(text[start : start + _WINDOW + _OVERLAP]))

    def _is_scattered(self, text: str) -> bool:
        """Whether a value's letters and digits follow each other, with quotes, signs or anything else between them."""
        letters = _letters(text)
        return any(value in letters for value in self._scattered)

    def clean(self, text: str) -> str:
        """Controls go first: a colour in the middle of a secret must not hide it."""
        return self.redact(strip_controls(text))

    def clean_bytes(self, content: bytes) -> bytes:
        """The same for output of unknown encoding; bytes that are no UTF-8 stay as they are."""
        return self.clean(content.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _letters(text: str) -> bytes:
    return text.encode("ascii", "ignore").translate(None, _NOT_LETTERS)


def _replace(spans: Iterable[Span], text: str) -> str:
    """Spans that overlap become one, under the name of the longest that begins first: a value may contain another."""
    pieces, end = [], 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start >= end:
            pieces += [text[end : span.start], f"[redacted:{span.name}]"]
        end = max(end, span.end)
    return "".join((*pieces, text[end:])) if pieces else text


def _hide(form: Form, text: str, starts: Iterable[int]) -> str:
    """As if the pattern had been tried at every place, for only around a hint can it match."""
    pieces, end = [], 0
    match = form.pattern.match
    for start in starts:
        if start >= end and (found := match(text, start)):
            pieces += [text[end:start], found.groupdict().get("keep") or "", f"[redacted:{form.name}]"]
            end = found.end()
    return "".join((*pieces, text[end:])) if pieces else text


def _starts(hints: Sequence[tuple[str, int]], lowered: str) -> Iterable[int]:
    if len(hints) == 1 and hints[0][1] == 0:
        return _places(hints[0][0], lowered)
    found: set[int] = set()
    for hint, reach in hints:
        for place in _places(hint, lowered):
            found.update(range(max(0, place - reach), place + 1))
    return sorted(found)


def _places(hint: str, lowered: str) -> Iterator[int]:
    place = lowered.find(hint)
    while place >= 0:
        yield place
        place = lowered.find(hint, place + 1)


def _lower(text: str) -> str:
    """Every letter at its place: the few that become two in lower case stay as they are, with all their kind."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_ASCII_LOWER)
