"""The types that a signature gives its parameters: what ``cart.total()`` means where ``cart: Cart`` is one."""

from __future__ import annotations

import re
from functools import lru_cache

_TYPE = r"(?P<type>[A-Za-z_][\w.:\\]*)"
_GENERIC = r"(?:<.+>|\[.+\])?"
_NAMED = r"(?P<name>\$?[A-Za-z_]\w*)"
# A name, a colon, a type: "cart: Cart | None = None", "private cart?: Cart", "mut cart: &'a mut Cart<T>".
_COLON = re.compile(
    rf"(?:[\w@]+ )*{_NAMED}\?? ?: ?[\"']?[&*? ]*(?:'\w+ )?(?:mut |dyn |impl )*{_TYPE}{_GENERIC}\??"
    r"(?: ?\| ?(?:None|null|undefined))*[\"']? ?(?:=.*)?"
)
_AFTER = re.compile(rf"{_NAMED} \*?{_TYPE}(?:\[.+\])?")  # "cart *shop.Cart"
# A type, a name: "final Cart<T> cart", "?Cart $cart = null", "const Cart& cart".
_BEFORE = re.compile(rf"(?:final |const |readonly |ref |in |out )*[?\\]*{_TYPE}{_GENERIC}\??[ *&]+{_NAMED} ?(?:=.*)?")
_FORMS = {
    **dict.fromkeys(("python", "javascript", "rust", "swift", "kotlin", "scala"), _COLON),
    "go": _AFTER,
    **dict.fromkeys(("java", "csharp", "php", "c", "cpp"), _BEFORE),
}
_OPTIONAL = re.compile(r"\b(?:typing\.)?Optional\[([\w.\"']+)\]")
_CONTAINERS = frozenset(
    {"list", "dict", "set", "tuple", "List", "Dict", "Set", "Tuple", "Array", "Promise", "Vec", "Option"}
)


@lru_cache(maxsize=8_192)
def types_of(params: tuple[str, ...], language: str) -> dict[str, str]:
    """By parameter: its type as it is spelled, with dots. Those of several types, and of containers, are left out."""
    form = _FORMS.get(_SAME.get(language, language))
    found = {}
    for param in params if form else ():
        spelled = _OPTIONAL.sub(r"\1", param) if language == "python" else param
        matched = form.fullmatch(spelled) if form else None
        if matched and matched["type"] not in _CONTAINERS:
            found[matched["name"]] = matched["type"].replace("::", ".").replace("\\", ".").strip(".")
    return found


_SAME = {"typescript": "javascript", "tsx": "javascript"}
