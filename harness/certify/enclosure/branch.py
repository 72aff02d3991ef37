"""Branch and bound: boxes are cut until every one of them is proved, or the budget is spent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from harness.certify.enclosure.bounding import Bound, Boxes
from harness.certify.enclosure.boxes import Atlas, widths
from harness.certify.enclosure.chance import Chance
from harness.certify.enclosure.refusal import NoEnclosure

LEADS = 8  # boxes that stayed open, of which a point is handed on
SMALLEST = 2.0**-30  # of the widths of the sets: where a box so small stays open, equality is attained in it
PROBED = 32  # boxes that are cut along every axis to see which one matters
PATIENCE = 8  # cuts of all boxes in turn that leave a decision of the body open
LOOKS, ALIKE = 8, 1e-3  # batches of which one box is measured alone, and how far that may differ beside its size
LAST_PLACES = 1e-12  # of the largest in the batch
EARLY, HOPELESS = 0.4, 10.0  # of a budget after which a proof that would take so many of them is given up


class Unfinished(Exception):  # noqa: N818  (a signal, like NoEnclosure)
    """A search that ended without a proof, and why."""

    leads: Mapping[str, Tensor] = {}  # points of boxes that stayed open: where the claim is false, if it is


@dataclass
class Budget:
    """What a proof may cost: counts, never seconds."""

    boxes: int
    work: float  # entries of tensors that the body makes, over all boxes, and a fixed price for each of its operations
    spent_boxes: int = 0
    spent_work: float = 0.0

    def spend(self, boxes: int, work: float) -> None:
        self.spent_boxes += boxes
        self.spent_work += work
        if self.spent_boxes > self.boxes or self.spent_work > self.work:
            raise Unfinished(f"its budget, after {self.spent_boxes} boxes")

    def look_ahead(self, closed: float) -> None:
        """Give up where the part of all inputs that is proved so far says that the rest takes many budgets."""
        spent = max(self.spent_boxes / self.boxes, self.spent_work / self.work)
        if spent > max(EARLY, HOPELESS * closed):
            raise Unfinished(
                f"its budget: {self.spent_boxes} boxes, {spent:.0%} of it, prove {closed:.2g} of all inputs"
            )


@dataclass
class Search:
    """One proof by branch and bound."""

    atlas: Atlas
    bound: Bound | Chance
    batch: int
    price: Callable[[int], float]  # of one evaluation of so many boxes
    budget: Budget
    undecided: int = 0
    looks: int = LOOKS
    weights: Tensor = field(init=False)
    open: Boxes = field(init=False)  # when last looked at, at first all there is
    left: Tensor = field(init=False)  # to prove in each of these

    def __post_init__(self) -> None:
        low, high = self.atlas.everything()
        if not len(low):
            raise NoEnclosure("a set without elements")
        each = torch.full((len(low),), 1.0 / len(low), dtype=torch.float64)
        self.open, self.left = Boxes(low, high, torch.zeros_like(each), each), each
        self.weights = torch.ones(self.atlas.count, dtype=torch.float64)
        self.span = (high - low)[0]

    def run(self) -> int:
        """Prove all boxes, and return how many that took; raises Unfinished or NoEnclosure."""
        try:
            return self._run()
        except Unfinished as signal:
            signal.leads = self._leads()
            raise

    def _run(self) -> int:
        boxes, level = self.open, 0
        while len(boxes):
            chosen = slice(max(len(boxes) - self.batch, 0), None)
            rest, some = boxes[: chosen.start], boxes[chosen]
            some, left, matters = self._opened(some)
            if len(some):
                self.open, self.left = some, left
            boxes = rest.joined(self._cut(some, left, matters, level)) if len(some) else rest
            self.budget.look_ahead(1.0 - float(boxes.share.sum()))
            level += 1
        return self.budget.spent_boxes

    def _opened(self, boxes: Boxes) -> tuple[Boxes, Tensor, Tensor | None]:
        """The boxes that stay open, what is left to prove in them, and which coordinates matter."""
        left = self._measured(boxes)
        if self.looks and len(boxes) > 1:
            self.looks -= 1
            self._look_at_one(boxes, left)
        unproved = ~(left <= 0.0)
        boxes, left = boxes[unproved], left[unproved]
        if not len(boxes) or self.undecided or not self.bound.slopes:
            return boxes, left, None
        slopes = int((boxes.high > boxes.low).any(0).sum())
        self.budget.spend(0, (slopes + 2) * self.price(len(boxes)))
        left, boxes, matters = self.bound.refined(boxes, left)
        unproved = ~(left <= 0.0)
        return boxes[unproved], left[unproved], None if matters is None else matters[unproved]

    def _look_at_one(self, boxes: Boxes, left: Tensor) -> None:
        """Whether a box has alone what it has among others: a body that mixes its instances proves nothing."""
        known = left[left.isfinite()]
        if len(known) and bool(left[-1].isfinite()):
            alone = self.bound.natural(boxes[-1:])[0]
            if not bool((alone - left[-1]).abs() <= ALIKE * left[-1].abs() + LAST_PLACES * known.abs().max()):
                raise NoEnclosure("other instances of its batch")

    def _measured(self, boxes: Boxes) -> Tensor:
        """What is left of every box; infinite where the body leaves a decision open."""
        self.budget.spend(len(boxes), self.price(len(boxes)))
        try:
            return self.bound.natural(boxes)
        except NoEnclosure as signal:
            self.undecided += 1
            if not signal.undecided or self.undecided > PATIENCE:
                raise
            return torch.full((len(boxes),), torch.inf, dtype=torch.float64)

    def _cut(self, boxes: Boxes, left: Tensor, matters: Tensor | None, level: int) -> Boxes:
        relative = widths(boxes.ends, self.span)
        relative = torch.where(self.atlas.whole & (relative > 0.0), relative.clamp_min(2.0 * SMALLEST), relative)
        stuck = relative.amax(-1) < SMALLEST if self.atlas.count else torch.ones(len(boxes), dtype=torch.bool)
        if bool(stuck.any()):
            raise Unfinished(f"equality, attained or nearly so {self._place(boxes, int(stuck.int().argmax()))}")
        scores = relative * self.weights
        if matters is not None and (level % 2 or bool(self.atlas.free.all())):  # slopes do not see what cuts a set
            scores = torch.where(matters.amax(-1, keepdim=True) > 0.0, matters, scores)
        elif level % 4 == 0 and self.atlas.count > 1:
            self._probe(boxes, left, relative)
            scores = relative * self.weights
        scores = torch.where(relative < SMALLEST, -1.0, scores)
        found = self._halved(boxes, scores.argmax(-1))
        low, high = self.atlas.cut_down(found.ends)
        return replace(found, low=low, high=high)[(low <= high).all(-1)]

    def _probe(self, boxes: Boxes, left: Tensor, relative: Tensor) -> None:
        """How much of what is left a cut along each axis takes, per width: a running average over levels."""
        count = min(PROBED, len(left))
        some = left.nan_to_num(posinf=0.0).topk(count).indices
        size = left[some]
        axes = [k for k in range(self.atlas.count) if bool((relative[some, k] > SMALLEST).any())]
        if not axes or not bool(size.isfinite().all()):
            return
        along = [self._halved(boxes[some], torch.full((count,), axis)) for axis in axes]
        joined = along[0]
        for halves in along[1:]:
            joined = joined.joined(halves)
        found = self._measured(joined).clamp_min(0.0).reshape(len(axes), 2, count)
        gains = torch.zeros_like(self.weights)
        for axis, rest in zip(axes, found, strict=True):
            share = (size - rest.mean(0)) / size / relative[some, axis].clamp_min(SMALLEST)
            gains[axis] = share.nan_to_num(0.0, 0.0, 0.0).clamp(min=0.0, max=1e12).mean()
        if bool((gains > 0.0).any()):
            self.weights = 0.5 * self.weights / self.weights.amax() + 0.5 * gains / gains.amax() + 0.02

    def _halved(self, boxes: Boxes, axes: Tensor) -> Boxes:
        low, high = self.atlas.halves(boxes.ends, axes)
        return Boxes(low, high, torch.cat([boxes.fixed, boxes.fixed]), torch.cat([boxes.share, boxes.share]) / 2)

    def _leads(self) -> Mapping[str, Tensor]:
        """The middles of the boxes in which most was left to prove."""
        most = self.left.nan_to_num(nan=torch.inf).topk(min(LEADS, len(self.open))).indices
        middle = self.atlas.middle(self.open[most].ends)
        made = self.atlas.values((middle, middle))
        return {chart.space.name: chart.space.project(made[chart.space.name].low) for chart in self.atlas.charts}

    def _place(self, boxes: Boxes, index: int) -> str:
        values = self.atlas.values(boxes[index : index + 1].ends)
        shown = []
        for name, value in values.items():
            middle = (value.low / 2 + value.high / 2)[0].reshape(-1).tolist()
            text = ", ".join(f"{number:.4g}" for number in middle[:4])
            shown.append(f"{name} = {text}{', ...' if len(middle) > 4 else ''}")
        return "at " + "; ".join(shown)
