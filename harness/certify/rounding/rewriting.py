"""The source of a body with hooks: around operations, calls, decimals, comparisons, loops and names from outside."""

import ast
from typing import Any

from harness.certify.recompiled import augmented
from harness.certify.rounding.operations import names

HOOK, COMBINE, WHOLE = "_tightrope_named", "_tightrope_combined", "_tightrope_whole"
CALL, SEEN, COMPARE = "_tightrope_called", "_tightrope_seen", "_tightrope_compared"
TRUTH, EACH, ATTRIBUTE = "_tightrope_truth", "_tightrope_each", "_tightrope_attribute"
SATURATING = names(
    """
    sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh asin acos atan arctanh
    atanh erf erfc erfcx expit logit ndtr log_ndtr gammainc gammaincc gamma lgamma gammaln loggamma betainc stdtr
    chdtr chdtrc cdf sf logcdf logsf pdf logpdf ppf isf logaddexp softmax log_softmax logsumexp xlogy xlog1py power
    pow j0 i0 hypot
    """
)
_FRAMES = frozenset(("super", "locals", "globals", "vars", "dir", "eval", "exec"))  # look at who calls them
_TO_INTEGERS = frozenset(("int", "round", "ceil", "floor", "trunc", "rint"))
_COMPARISONS = {"Eq": "eq", "NotEq": "ne", "Lt": "lt", "LtE": "le", "Gt": "gt", "GtE": "ge"}
_OPERATORS = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "FloorDiv": "floordiv", "Mod": "mod"}
_OPERATORS |= {"Pow": "pow", "MatMult": "matmul", "LShift": "lshift", "RShift": "rshift"}
_OPERATORS |= {"BitAnd": "and_", "BitOr": "or_", "BitXor": "xor"}


class Wrap(ast.NodeTransformer):
    """Wraps every arithmetic operation and call, every decimal, and every name that may stand for one from outside."""

    def __init__(self) -> None:
        self.own: set[str] | None = None  # names that the function sets itself: their values have been moved

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if self.own is None:
            inside = list(ast.walk(node))
            stored = {each.id for each in inside if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
            self.own = stored - {each.arg for each in inside if isinstance(each, ast.arg)}
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return self._wrapped(node) if isinstance(node.value, float) else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        outside = isinstance(node.ctx, ast.Load) and node.id not in (self.own or ())
        return self._wrapped(node) if outside else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            return self._written_into(node)
        self.generic_visit(node)
        call = ast.Call(ast.Name(ATTRIBUTE, ast.Load()), [node.value, ast.Constant(node.attr)], [])
        return ast.copy_location(call, node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return self.generic_visit(node) if isinstance(node.ctx, ast.Load) else self._written_into(node)

    def _written_into(self, node: ast.expr) -> ast.expr:
        """What a statement writes into is the thing itself, and no moved copy of it."""
        if isinstance(node, ast.Name):
            return node
        if not isinstance(node, ast.Attribute | ast.Subscript):
            return self.visit(node)  # type: ignore[no-any-return]
        node.value = self._written_into(node.value)
        if isinstance(node, ast.Subscript):
            node.slice = self.visit(node.slice)
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node  # a pattern is no expression; what is matched with it compares itself

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        node.patterns, node.kwd_patterns = (
            [self.visit(each) for each in some] for some in (node.patterns, node.kwd_patterns)
        )
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._combination("", node.op, self.visit(node.left), self.visit(node.right))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        self.generic_visit(node)
        if function in SATURATING and node.args and not isinstance(node.args[0], ast.Starred):
            call = ast.Call(ast.Name(CALL, ast.Load()), [node.func, *node.args], node.keywords)
            return ast.copy_location(call, node)
        if function in _TO_INTEGERS and node.args:
            first = node.args[0]
            node.args[0] = ast.copy_location(ast.Call(ast.Name(WHOLE, ast.Load()), [first], []), first)
        if function in _FRAMES:
            return self._wrapped(node)
        call = ast.Call(ast.Name(SEEN, ast.Load()), [node.func, *node.args], node.keywords)
        return ast.copy_location(call, node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        name = _COMPARISONS.get(type(node.ops[0]).__name__)
        if name is None or len(node.ops) > 1:
            return node
        call = ast.Call(ast.Name(COMPARE, ast.Load()), [ast.Constant(name), node.left, node.comparators[0]], [])
        return ast.copy_location(call, node)

    def _visit_branch(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        node.test = self._truth_of(node.test)
        return node  # type: ignore[no-any-return]

    visit_If = visit_IfExp = visit_While = _visit_branch  # noqa: N815

    def _visit_loop(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        node.iter = ast.copy_location(ast.Call(ast.Name(EACH, ast.Load()), [node.iter], []), node.iter)
        return node  # type: ignore[no-any-return]

    visit_For = visit_comprehension = _visit_loop  # noqa: N815

    def _truth_of(self, test: ast.expr) -> ast.expr:
        """A condition, with the truth of its plain numbers."""
        if isinstance(test, ast.BoolOp):
            test.values = [self._truth_of(value) for value in test.values]
            return test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test.operand = self._truth_of(test.operand)
            return test
        return ast.copy_location(ast.Call(ast.Name(TRUTH, ast.Load()), [test], []), test)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        return augmented(node, lambda read, value: self._combination("i", node.op, read, value))

    @staticmethod
    def _combination(prefix: str, op: ast.operator, left: ast.expr, right: ast.expr) -> ast.expr:
        name = prefix + _OPERATORS[type(op).__name__].rstrip("_" if prefix else "")
        return ast.copy_location(ast.Call(ast.Name(COMBINE, ast.Load()), [ast.Constant(name), left, right], []), left)

    @staticmethod
    def _wrapped(node: ast.AST) -> ast.expr:
        return ast.copy_location(ast.Call(ast.Name(HOOK, ast.Load()), [node], []), node)  # type: ignore[list-item]
