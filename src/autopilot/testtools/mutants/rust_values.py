"""Two constants of a Rust type. None of a type that may have no constant: a mutant with it would not build."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.text.script_tree import ScriptTree

Constants = tuple[bytes, bytes]  # nothing, true

_DEFAULT = (b"Default::default()", b"Default::default()")
_BASIC: dict[bytes, Constants] = {
    b"bool": (b"false", b"true"),
    b"char": (b"' '", b"'x'"),
    b"String": (b"String::new()", b'String::from("x")'),
}
_BASIC |= dict.fromkeys((b"f32", b"f64"), (b"0.0", b"1.0"))
_BASIC |= {b"%s%s" % (sign, size): (b"0", b"1") for sign in (b"i", b"u") for size in b"8 16 32 64 128 size".split()}
_NAMES_WITH_DEFAULT = frozenset({b"PathBuf", b"OsString", b"Duration"})
# Whatever they are of: all have an empty value.
_COLLECTIONS = frozenset(b"Vec VecDeque HashMap HashSet BTreeMap BTreeSet BinaryHeap LinkedList Cow".split())
_WRAPPERS = frozenset(b"Box Rc Arc Cell RefCell Mutex RwLock".split())
_ROUNDS = 5  # of types that are made of types of the file that are made of types of the file
_LONGEST = 2000  # bytes of a constant
_DERIVES_DEFAULT = re.compile(rb"#\[\s*derive\s*\([^)]*\bDefault\b")


class RustTypes(Struct, frozen=True):
    tree: ScriptTree
    text: bytes
    known: Mapping[bytes, Constants] = {}  # of the types that the file itself declares

    def constants(self, index: int, self_type: bytes) -> Constants | None:
        """Of the type at this place in the tree; ``self_type`` is what `Self` means there."""
        source = self.source(index)
        match self.tree.parts[index].kind:
            case "primitive_type":
                return _BASIC.get(source)
            case "unit_type":
                return b"()", b"()"
            case "reference_type":
                return self._reference(index, self_type)
            case "tuple_type":
                inside = [self.constants(child, self_type) for child in self.tree.children(index)]
                return joined(b"(%s,)", inside)
            case "type_identifier" | "scoped_type_identifier":
                return self._named(source, self_type)
            case "generic_type":
                return self._generic(index, self_type)
            case _:
                return None

    def source(self, index: int) -> bytes:
        part = self.tree.parts[index]
        return self.text[part.start : part.end]

    def _reference(self, index: int, self_type: bytes) -> Constants | None:
        inner = self.tree.child(index, "type")
        if inner is None:
            return None
        if self.source(inner) == b"str":
            is_mutable = any(self.tree.parts[child].kind == "mutable_specifier" for child in self.tree.children(index))
            return _DEFAULT if is_mutable else (b'""', b'"x"')
        if self.tree.parts[inner].kind == "array_type" and self.tree.child(inner, "length") is None:
            return _DEFAULT
        return joined(b"Box::leak(Box::new(%s))", [self.constants(inner, self_type)])

    def _named(self, source: bytes, self_type: bytes) -> Constants | None:
        path, _, name = source.rpartition(b"::")
        if path == b"Self":
            return None  # what the trait's implementation says it is
        if name == b"Result" and path.endswith(b"fmt"):
            return b"Ok(())", b"Ok(())"
        declared = self.known.get(self_type if name == b"Self" else name) if not path else None
        return declared or _BASIC.get(name) or (_DEFAULT if name in _NAMES_WITH_DEFAULT else None)

    def _generic(self, index: int, self_type: bytes) -> Constants | None:
        type, arguments = self.tree.child(index, "type"), self.tree.child(index, "type_arguments")
        if type is None or arguments is None:
            return None
        source = self.source(type)
        name = source.rpartition(b"::")[2]
        if source in self.known:
            return self.known[source]
        if name == b"Option":
            return b"None", b"None"
        if name in _COLLECTIONS:
            return _DEFAULT
        first = next(self.tree.children(arguments), None)
        if first is None or (name != b"Result" and name not in _WRAPPERS):
            return None
        make = b"Ok" if name == b"Result" else source + b"::new"
        return joined(make + b"(%s)", [self.constants(first, self_type)])


def joined(frame: bytes, inside: Sequence[Constants | None]) -> Constants | None:
    """``frame`` around the constants; None where one is missing."""
    known = [constants for constants in inside if constants]
    nothing, true = (frame % b", ".join(constants[place] for constants in known) for place in (0, 1))
    return (nothing, true) if len(known) == len(inside) and len(nothing + true) < _LONGEST else None


def read_types(tree: ScriptTree, text: bytes) -> RustTypes:
    known = dict.fromkeys(_deriving_default(tree, text), _DEFAULT)
    types = RustTypes(tree, text, known)
    declared = [index for index, part in enumerate(tree.parts) if part.kind in {"struct_item", "enum_item"}]
    for _ in range(_ROUNDS):
        found = {name: made for index in declared for name, made in _made(types, index) if name not in known}
        if not found:
            break
        known |= found
    return types


def _made(types: RustTypes, index: int) -> Iterator[tuple[bytes, Constants]]:
    """A struct of constants, or the first and the last variant of an enum that hold nothing."""
    tree, name, body = types.tree, types.tree.child(index, "name"), types.tree.child(index, "body")
    if name is None or not _is_plain(tree, index):
        return
    spelled = types.source(name)
    kind = tree.parts[body].kind if body is not None else ""
    made: Constants | None = None
    if body is None:
        made = spelled, spelled
    elif kind == "enum_variant_list":
        variants = [child for child in tree.children(body) if tree.parts[child].kind == "enum_variant"]
        names = [tree.child(variant, "name") for variant in variants if _is_empty(tree, variant)]
        empty = [types.source(name) for name in names if name is not None]
        made = (b"%s::%s" % (spelled, empty[0]), b"%s::%s" % (spelled, empty[-1])) if empty else None
    elif kind == "ordered_field_declaration_list":
        fields = [child for child in tree.children(body) if tree.parts[child].field == "type"]
        made = joined(spelled + b"(%s)", [types.constants(field, spelled) for field in fields])
    else:
        fields = [child for child in tree.children(body) if tree.parts[child].kind == "field_declaration"]
        made = joined(spelled + b" { %s }", [_field(types, field, spelled) for field in fields])
    if made is not None:
        yield spelled, made


def _field(types: RustTypes, index: int, self_type: bytes) -> Constants | None:
    name, type = types.tree.child(index, "name"), types.tree.child(index, "type")
    if name is None or type is None:
        return None
    return joined(types.source(name) + b": %s", [types.constants(type, self_type)])


def _is_plain(tree: ScriptTree, index: int) -> bool:
    """Without parameters but lifetimes."""
    parameters = tree.child(index, "type_parameters")
    inside = tree.children(parameters) if parameters is not None else ()
    return all(tree.parts[child].kind == "lifetime_parameter" for child in inside)


def _is_empty(tree: ScriptTree, variant: int) -> bool:
    return tree.child(variant, "body") is None


def _deriving_default(tree: ScriptTree, text: bytes) -> Iterator[bytes]:
    derived = False
    for index, part in enumerate(tree.parts):
        if part.kind == "attribute_item":
            derived = derived or _DERIVES_DEFAULT.match(text, part.start, part.end) is not None
        elif part.kind.endswith("_item"):
            name = tree.child(index, "name")
            if derived and name is not None and _is_plain(tree, index):
                yield text[tree.parts[name].start : tree.parts[name].end]
            derived = False
