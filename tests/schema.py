"""A validator for the JSON schemas that msgspec writes: every keyword that it does not know is an error."""

from collections.abc import Mapping
from typing import Any

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
NOTES = {"title", "description", "default", "discriminator", "$schema", "$defs"}


class Invalid(AssertionError):  # noqa: N818  (what has happened)
    """A value is not what the schema says."""


def validate(value: Any, schema: Mapping[str, Any]) -> None:
    """Raise Invalid when a value breaks the schema."""
    _check(value, schema, schema, "$")


def _check(value: Any, part: Mapping[str, Any], root: Mapping[str, Any], at: str) -> None:
    if "$ref" in part:
        _check(value, root["$defs"][part["$ref"].removeprefix("#/$defs/")], root, at)
    for keyword, wanted in part.items():
        if keyword in NOTES or keyword == "$ref":
            continue
        KEYWORDS[keyword](value, wanted, part, root, at)


def _type(value: Any, wanted: str, *rest: Any) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fits = isinstance(value, TYPES[wanted]) and (is_number or wanted not in ("integer", "number"))
    _require(fits, f"{value!r} is no {wanted}", rest)


def _enum(value: Any, wanted: list[Any], *rest: Any) -> None:
    _require(value in wanted, f"{value!r} is none of {wanted}", rest)


def _const(value: Any, wanted: Any, *rest: Any) -> None:
    _require(value == wanted, f"{value!r} is not {wanted!r}", rest)


def _any_of(value: Any, wanted: list[Mapping[str, Any]], _: Any, root: Mapping[str, Any], at: str) -> None:
    reasons = []
    for option in wanted:
        try:
            return _check(value, option, root, at)
        except Invalid as error:
            reasons.append(str(error))
    raise Invalid("; ".join(reasons))


def _required(value: Any, wanted: list[str], *rest: Any) -> None:
    _require(isinstance(value, dict) and set(wanted) <= value.keys(), f"one of {wanted} is missing", rest)


def _properties(value: Any, wanted: Mapping[str, Any], _: Any, root: Mapping[str, Any], at: str) -> None:
    for name in wanted.keys() & value.keys():
        _check(value[name], wanted[name], root, f"{at}.{name}")


def _additional(value: Any, wanted: Any, part: Mapping[str, Any], root: Mapping[str, Any], at: str) -> None:
    more = value.keys() - part.get("properties", {}).keys()
    _require(wanted is not False or not more, f"{sorted(more)} is unknown", (part, root, at))
    for name in more if isinstance(wanted, dict) else ():
        _check(value[name], wanted, root, f"{at}.{name}")


def _items(value: Any, wanted: Any, part: Mapping[str, Any], root: Mapping[str, Any], at: str) -> None:
    rest = value[len(part.get("prefixItems", ())) :]
    _require(wanted is not False or not rest, f"{rest} is too much", (part, root, at))
    for index, item in enumerate(rest if wanted is not False else ()):
        _check(item, wanted, root, f"{at}[{index}]")


def _prefix_items(value: Any, wanted: list[Any], _: Any, root: Mapping[str, Any], at: str) -> None:
    for index, (item, part) in enumerate(zip(value, wanted, strict=False)):
        _check(item, part, root, f"{at}[{index}]")


def _at_least(value: Any, wanted: int, *rest: Any) -> None:
    _require(len(value) >= wanted, f"{value!r} has fewer than {wanted} items", rest)


def _at_most(value: Any, wanted: int, *rest: Any) -> None:
    _require(len(value) <= wanted, f"{value!r} has more than {wanted} items", rest)


def _require(fits: bool, sentence: str, where: tuple[Any, ...]) -> None:  # noqa: FBT001
    if not fits:
        raise Invalid(f"{where[-1]}: {sentence}")


KEYWORDS = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "anyOf": _any_of,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "prefixItems": _prefix_items,
    "minItems": _at_least,
    "maxItems": _at_most,
}
