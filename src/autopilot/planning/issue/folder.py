"""The folder of an issue and what is read out of it: its number and name, the issue's text, the approval of its prd."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from autopilot.model.errors import UsageError
from autopilot.text.frontmatter import Frontmatter, parse_frontmatter
from autopilot.text.lines import Line, heading
from autopilot.text.visible import visible

ISSUES = "docs/issues"
LONGEST_SLUG = 48
LONGEST_TITLE = 200
_FOLDER = re.compile(rf"({ISSUES}/0*([1-9]\d{{0,8}})(?:-[^/]+)?)(/?)")
_NUMBER = re.compile(r"#?0*([1-9][0-9]{0,8})")
_WORD_HINT = "name an issue by its number (24 or #24), by the path of a file, or by a title"
_STATUS = re.compile(
    r"[> \t]*(?:[-*+][ \t]+(?:\[[xX]\][ \t]+)?)?[*_]{0,3}status[*_]{0,3}[ \t]*:[*_]{0,3}(.*)", re.IGNORECASE
)
_APPROVED = re.compile(
    r"[*_`\"'✅ \t]*approved[*_`\"'✅.! \t]*(?:$|(?:\b(?:by|on|at|in)\b|\(?\d{4}-\d\d-\d\d)(.*)$)", re.IGNORECASE
)
_DOUBTS = re.compile(
    r"\b(?:not|no|pending|except|but|unless|until|without|once|if|draft|subject|condition\w*|withdrawn|revoked)\b",
    re.IGNORECASE,
)


def find_issue(paths: Sequence[str], number: int) -> str | None:
    """Among the files of a repository. Two folders of one number are an error: the user decides."""
    found = sorted({folder for folder, own in _folders(paths) if own == number})
    if len(found) > 1:
        hint = "rename or remove all but one: an issue has one folder"
        raise UsageError(f"issue {number} has {len(found)} folders: {', '.join(found)}", hint)
    return found[0] if found else None


def next_number(paths: Sequence[str]) -> int:
    """One that no folder and no file among the issues has."""
    matches = (_FOLDER.match(path) for path in paths)
    return 1 + max((int(found[2]) for found in matches if found), default=0)


def folder_of(number: int, slug: str) -> str:
    return f"{ISSUES}/{number:03d}-{slug}"


def slug_of(title: str) -> str:
    """What of a title can stand in the name of a folder and of a branch."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    slug = "-".join(re.findall(r"[a-z0-9]+", re.sub(r"['’`]", "", plain)))
    if len(slug) > LONGEST_SLUG:
        cut = slug[: LONGEST_SLUG + 1]
        slug = cut.rpartition("-")[0] or cut[:LONGEST_SLUG]
    return slug or "issue"


def read_word(word: str) -> int | str:
    """The number of an issue, or a path or title as it was given. What is nearly a number is a slip, not a title."""
    argument = word.strip()
    if number := _NUMBER.fullmatch(argument):
        return int(number[1])
    has_words = any(char.isalpha() for char in argument) and argument.isprintable()
    is_path = "/" in argument or argument.endswith((".md", ".txt"))
    if not has_words or argument[0] in "-+#" or (argument[0].isdigit() and not is_path and " " not in argument):
        raise UsageError(f"`{word}` does not name an issue", _WORD_HINT)
    return argument


def parse_issue(text: str) -> tuple[str, tuple[str, ...], str]:
    """Title, labels and body. The line that was taken for the title is not repeated in the body."""
    plain = text.removeprefix("\ufeff")
    front = parse_frontmatter(plain)
    body = "\n".join(plain.split("\n")[front.lines :]).strip()
    labels = tuple(dict.fromkeys(part.strip() for word in _values(front, "labels") for part in word.split(",")))
    title = " ".join(" ".join(_values(front, "title")).split())
    if not title:
        title, body = _title_of(body)
    return title[:LONGEST_TITLE].rstrip(), tuple(label for label in labels if label), body


def is_approved(prd: str) -> bool:
    """Whether it says so of itself: in its front matter, or else by the first line that states a status."""
    front = parse_frontmatter(prd.removeprefix("\ufeff"))
    statements = [_says_approved(word) for word in _values(front, "status")]
    statements += [word.lower() in {"true", "yes"} for word in _values(front, "approved")]
    if statements or {"status", "approved"} & {key.lower() for key in front.values}:
        return bool(statements) and all(statements)
    shown = visible(prd).split("\n")[front.lines :]
    stated = (found for line in shown if (found := _STATUS.fullmatch(line.rstrip())))
    first = next(stated, None)
    return first is not None and _says_approved(first[1])


def _says_approved(status: str) -> bool:
    """ "Approved by Ann on 2024-05-01" is; "approved, except AC-3" and "approved pending review" are not."""
    found = _APPROVED.match(status.strip())
    return found is not None and not _DOUBTS.search(found[1] or "")


def _folders(paths: Sequence[str]) -> Iterator[tuple[str, int]]:
    for path in paths:
        found = _FOLDER.match(path)
        if found and found[3]:
            yield found[1], int(found[2])


def _values(front: Frontmatter, key: str) -> tuple[str, ...]:
    """Of a key however its letters are written."""
    return next((front.list_of(own) for own in front.values if own.lower() == key), ())


def _title_of(body: str) -> tuple[str, str]:
    lines = body.split("\n")
    shown = [Line(number, line.rstrip()) for number, line in enumerate(visible(body).split("\n"))]
    titled = next((line for line in shown if heading(line)), None)
    taken = titled or next((line for line in shown if line.text.strip()), None)
    if taken is None:
        return "", body
    title = heading(taken)
    text = title.text if title else " ".join(taken.text.split())
    if taken.number > 0 or len(text) > LONGEST_TITLE:
        return text, body
    return text, "\n".join(lines[taken.number + 1 :]).strip()
