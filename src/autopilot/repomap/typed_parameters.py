"""The types that a signature gives its parameters: what ``cart.total()`` means where ``cart: Cart`` is one."""

from __future__ import annotations

import re
from functools import lru_cache

from autopilot.model.repomap.facts import FileFacts

_TYPE = r"(?P<type>[A-Za-z_][\w.:\\]{0,60})"
_GENERIC = r"(?:<.{1,80}>|\[.{1,80}\])?"
_NAMED = r"(?P<name>\$?[A-Za-z_]\w{0,40})"
_DEFAULT = r" ?(?:=.{0,80})?"
# A name, a colon, a type: "cart: Cart | None = None", "private cart?: Cart", "mut cart: &'a mut Cart<T>".
_COLON = re.compile(
    r"(?:\w{1,12} ){0,3}"
    + _NAMED
    + r"\?? ?: ?[\"']?[&*?]{0,2}(?:'\w{1,20} )?(?:mut |dyn |impl ){0,2}"
    + _TYPE
    + _GENERIC
    + r"\??(?: ?\| ?(?:None|null|undefined)){0,2}[\"']?"
    + _DEFAULT
)
_AFTER = re.compile(_NAMED + r" \*?" + _TYPE + r"(?:\[.{1,80}\])?")  # "cart *shop.Cart"
# A type, a name: "final Cart<T> cart", "?Cart $cart = null", "const Cart& cart".
_WORDS = r"(?:(?:final|const|readonly|ref|in|out) ){0,2}[?\\]{0,2}"
_BEFORE = re.compile(_WORDS + _TYPE + _GENERIC + r"\??[ *&]{1,4}" + _NAMED + _DEFAULT)
_FORMS = {
    **dict.fromkeys(("python", "javascript", "rust", "swift", "kotlin", "scala"), _COLON),
    "go": _AFTER,
    **dict.fromkeys(("java", "csharp", "php", "c", "cpp"), _BEFORE),
}
_OPTIONAL = re.compile(r"\b(?:typing\.)?Optional\[([\w.\"']{1,60})\]")
_CONTAINERS = frozenset(
    {"list", "dict", "set", "tuple", "List", "Dict", "Set", "Tuple", "Array", "Promise", "Vec", "Option"}
)


def parameter_types(facts: FileFacts) -> dict[tuple[str, str], str]:
    """By function and parameter: those on which it, or a function inside of it, calls something."""
    if _SAME.get(facts.language, facts.language) not in _FORMS:
        return {}
    signatures = {f"{one.owner}.{one.name}".lstrip("."): one.params for one in facts.functions if one.params}
    found: dict[tuple[str, str], str] = {}
    for call in facts.calls:
        owner = call.within if call.receiver and "." not in call.receiver else ""
        while owner:
            if typed := types_of(signatures.get(owner, ()), facts.language).get(call.receiver):
                found[call.within, call.receiver] = typed
                break
            owner = owner.rpartition(".")[0]
    return found


@lru_cache(maxsize=8_192)
def types_of(params: tuple[str, ...], language: str) -> dict[str, str]:
    """By parameter: its type as it is spelled, with dots. Those of several types, and of containers, are left out."""
    form = _FORMS.get(_SAME.get(language, language))
    found = {}
    for param in params if form else ():
        spelled = _OPTIONAL.sub(r"\1", param) if language == "python" and "Optional" in param else param
        matched = form.fullmatch(spelled) if form and (language != "python" or ":" in param) else None
        if matched and matched["type"] not in _CONTAINERS:
            found[matched["name"]] = matched["type"].replace("::", ".").replace("\\", ".").strip(".")
    return found


_SAME = {"typescript": "javascript", "tsx": "javascript"}
