"""What a body writes into arrays is there afterwards, whoever writes: rounded evaluations hand on no copies."""

import numpy as np
import pytest
import torch

from harness import always, check, claim
from harness.verdict import Status


def push(table, place, number):
    table[place] += number


class Sums:
    def __init__(self, n):
        self.table = np.zeros(n)

    def rows(self):
        return self.table

    def add(self, place, number):
        push(self.table, place, number)


def by_a_getter(sums, place, number):
    sums.rows()[place] += number


def by_a_view(sums, place, number):
    sums.table.reshape(3, 1)[place, 0] += number


def by_a_view_with_a_name(sums, place, number):
    column = sums.rows()[:, None]
    column[place, 0] += number


def by_a_function_in_place(sums, place, number):
    np.add.at(sums.table, [place], number)


def by_out(sums, place, number):
    np.add(sums.table, number * np.eye(3)[place], out=sums.table)


def by_a_slice(sums, place, number):
    push(sums.table[place:], 0, number)


def by_put(sums, place, number):
    np.put(sums.table, [place], sums.table[place] + number)


def by_fill(sums, place, number):
    sums.table[place : place + 1].fill(sums.table[place] + number)


def by_sort(sums, place, number):
    sums.table[place] += number
    sums.table.sort()
    sums.table[:] = np.roll(sums.table, 1 - place)


WRITERS = [Sums.add, by_a_getter, by_a_view, by_a_view_with_a_name, by_a_function_in_place, by_out, by_a_slice]
WRITERS += [by_put, by_fill, by_sort]


@pytest.mark.in_turn
@pytest.mark.parametrize("slack", [0.0, 0.1])
@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_sums_that_are_written_into_an_array_are_judged(write, slack: float) -> None:
    @claim(f"written/{write.__name__}-{slack:g}", always())
    def body(forall):
        """Sums by their places are, together, the sum."""
        x, found = forall.interval("x", 0.5, 1.0, 6), []
        for row in x.numpy():
            sums = Sums(3)
            for place, number in enumerate(row):
                write(sums, place % 3, float(number))
            found.append(float(sums.table.sum()))
        return torch.tensor(found).double() + slack, x.sum(-1)

    assert check(body, effort="quick").status is (Status.REFUTED if slack else Status.HOLDS)
