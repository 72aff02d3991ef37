"""Bodies without inputs whose two sides are equal, one for each thing that Python does in its own way."""

import math
from typing import Any


def a_formatted_number() -> Any:
    return 3.0, len(f"{0.5}") + 0.0


def a_formatted_number_of_two_digits() -> Any:
    return 4.5, len(f"{0.25:.2f}") + 0.5


def a_division_by_zero() -> Any:
    flag = 0.0
    x = 0.5 - 0.5
    try:
        1.0 / x
    except ZeroDivisionError:
        flag = 1.0
    return 1.0, flag


def a_root_of_less_than_zero() -> Any:
    flag = 0.0
    try:
        math.sqrt(-1.0)
    except ValueError:
        flag = 1.0
    return 1.0, flag


def a_logarithm_of_zero() -> Any:
    flag = 0.0
    try:
        math.log(0.0)
    except ValueError:
        flag = 1.0
    return 1.0, flag


def an_exponential_that_overflows() -> Any:
    flag = 0.0
    try:
        math.exp(1000.0)
    except OverflowError:
        flag = 1.0
    return 1.0, flag


def a_whole_division_by_zero() -> Any:
    flag = 0.0
    try:
        1 / 0  # noqa: B018
    except ZeroDivisionError:
        flag = 1.0
    return 1.0, flag


def a_sum_of_truths() -> Any:
    x, y = 0.5, 0.75
    return 2.0, (x > 0.25) + (y > 0.25) + 0.0


def a_truth_that_is_true() -> Any:
    x = 0.5
    return 1.0, 1.0 if (x > 0.25) is True else 0.0


def a_negative_truth() -> Any:
    x = 0.5
    return 1.5, 0.5 - -(x > 0.25)


def a_sum_over_truths() -> Any:
    xs = [0.5, 0.75, 0.1]
    return 2.0, sum(x > 0.25 for x in xs) + 0.0


def truths_added_in_place() -> Any:
    xs = [0.5, 0.75, 0.1]
    flags = [x > 0.25 for x in xs]
    total = 0
    for f in flags:
        total += f
    return 2.0, total + 0.0


def a_chain_of_comparisons() -> Any:
    xs = [0.5, 0.75, 0.1]
    a = [0.25 < x < 0.8 for x in xs]
    return 2.0, a[0] + a[1] + 0.0


def a_multiple_of_a_truth() -> Any:
    x = 0.5
    return 3.0, (x > 0.25) * 3 + 0.0


def the_last_of_a_conjunction() -> Any:
    x = 0.5
    v = (x > 0.25) and 2.5
    return 2.5, v


def a_type() -> Any:
    return 1.0, float(isinstance(0.5, float)) + 0.0


def a_list_sorted() -> Any:
    a = [0.3, 0.1, 0.2]
    a.sort()
    return 0.3, a[2] + 0.0


def a_list_sorted_by_a_key() -> Any:
    a = [(0.3, 1), (0.1, 2), (0.2, 3)]
    a.sort(key=lambda t: t[0])
    return 1.0, a[2][1] + 0.0


def a_sorted_copy() -> Any:
    return 0.3, sorted([0.3, 0.1, 0.2])[2] + 0.0


def an_index() -> Any:
    return 2.0, [0.5, 0.25, 0.75].index(0.75) + 0.0


def a_count() -> Any:
    return 2.0, [0.5, 0.25, 0.5].count(0.5) + 0.0


def a_member() -> Any:
    return 1.0, 1.0 if 0.75 in [0.5, 0.25, 0.75] else 0.0


def a_quotient_rounded_down() -> Any:
    return 4.0, -((-7.5) // 2.0)


def a_remainder() -> Any:
    return 0.5, (-7.5) % 2.0 + 0.0


def equal_lists() -> Any:
    a = [0.5, 0.25]
    b = [0.5, 0.25]
    return 1.0, 1.0 if a == b else 0.0


def two_objects() -> Any:
    a = [0.5]
    b = [0.5]
    return 1.0, 0.0 if a is b else 1.0


def a_starred_name() -> Any:
    a, *rest = [0.5, 0.25, 0.25]
    return 1.0, a + sum(rest)


def a_generator() -> Any:
    g = (x * x for x in [0.5, 1.5])
    return 2.5, sum(g)


def a_map_gone_through_twice() -> Any:
    g = map(lambda x: 2 * x, [0.5, 1.5])  # noqa: C417
    return 4.0, sum(g) - sum(g)


def a_zip_gone_through_twice() -> Any:
    g = zip([0.5, 1.5], [1, 2])  # noqa: B905
    a = sum(x for x, _ in g)
    return 2.0, a - sum(x for x, _ in g)


def a_named_expression() -> Any:
    return 1.0, (y := 0.5) + y


def a_lambda() -> Any:
    f = lambda x, k=2: x * k  # noqa: E731
    return 1.5, f(0.75)


def arguments_of_all_sorts() -> Any:
    def f(x, *a, k=1.0, **kw):
        return x + sum(a) + k + sum(kw.values())

    return 10.0, f(1.0, 2.0, 3.0, k=1.5, z=2.5)


def a_match_of_a_tuple() -> Any:
    match (0.5, 1):
        case (0.5, n):
            return 1.0, n + 0.0
    return 1.0, 0.0


def a_match_of_a_type() -> Any:
    x = 0.5
    match x:
        case float():
            return 1.0, 1.0
    return 1.0, 0.0


def a_final_clause() -> Any:
    x = [0.5]
    try:
        x.append(1.5)
    finally:
        x.append(1.0)
    return 3.0, sum(x)


def a_halving_loop() -> Any:
    x = 1.0
    while x > 1e-3:
        x /= 2
    return 9.765625e-4, x


def the_first_of_a_disjunction() -> Any:
    return 0.5, (0.5 or 2.0) + 0.0  # noqa: SIM222


def a_false_number() -> Any:
    return 2.0, (0.0 or 2.0) + 0.0  # noqa: SIM222


def a_list_of_one_row() -> Any:
    g = [[0.0] * 2] * 2
    g[0][0] += 1.0
    return 2.0, g[0][0] + g[1][0]


def a_list_extended() -> Any:
    a = [0.5]
    b = a
    a.extend([1.5])
    a.insert(0, 2.0)
    return 4.0, sum(b)


def a_list_popped() -> Any:
    a = [0.5, 1.5, 2.5]
    x = a.pop()
    return 2.5 - 2.0, x - sum(a)


def a_dictionary_asked() -> Any:
    d = {"a": 0.5}
    return 1.0, d.get("a", 9.0) + d.get("b", 0.5)


def a_dictionary_with_defaults() -> Any:
    d = {}
    d.setdefault("a", []).append(0.5)
    d.setdefault("a", []).append(1.5)
    return 2.0, sum(d["a"])


def an_exact_sum() -> Any:
    return 0.3, math.fsum([0.1, 0.2]) + 1e-9


def extremes() -> Any:
    return 0.5, max([0.5, 0.25]) * min(1, 2.0)


def a_power() -> Any:
    return 8.0, 2.0**3


def a_power_of_whole_numbers() -> Any:
    return 0.125, 2**-3


def a_variable_of_the_function_around() -> Any:
    def outer():
        t = 0.0

        def inner(x):
            nonlocal t
            t += x

        inner(0.5)
        inner(1.5)
        return t

    return 2.0, outer()


def an_entry_deleted() -> Any:
    a = [0.5, 1.5]
    del a[0]
    return 1.5, sum(a)


def a_slice_replaced() -> Any:
    a = [0.5, 1.5, 2.5]
    a[1:] = [1.0]
    return 1.5, sum(a)


def letters_counted() -> Any:
    return 2.0, "abca".count("a") + 0.0
