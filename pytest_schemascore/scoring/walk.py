"""The walk over a label and an output that makes the leaves (S7, S8, S11)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_schemascore.documents import label_directives as directives
from pytest_schemascore.documents import paths
from pytest_schemascore.documents.json_types import ABSENT, SCALARS, Absent, Json
from pytest_schemascore.scoring.alternatives import best_of
from pytest_schemascore.scoring.comparators.choosing import Choosing, chosen
from pytest_schemascore.scoring.comparators.deferred import Deferred
from pytest_schemascore.scoring.extras import extras_of_item, extras_of_key
from pytest_schemascore.scoring.ignoring import counts_nowhere, holds_nothing
from pytest_schemascore.scoring.leaves import Leaves, Right, Spot
from pytest_schemascore.scoring.outcomes import Leaf, Outcome, as_missing
from pytest_schemascore.scoring.rules import RuleNode, node_at
from pytest_schemascore.scoring.scored import ListPairs, Question, Scored
from pytest_schemascore.scoring.verdicts import ask

if TYPE_CHECKING:
    from pytest_schemascore.scoring.pairing.base import Pairs
    from pytest_schemascore.scoring.score import Scorer

_CORRECT: Final = Outcome.CORRECT
_new: Final = tuple.__new__
"""Makes a named tuple of its fields in order: what calling its class comes to, in half the time."""
_MOST_REMEMBERED: Final = 100_000
"""How many pairings of nested lists one walk remembers, so that none is solved once a level."""


def walk_over(label: Json, value: Json | Absent, scorer: Scorer) -> Scored:
    """Score *value*, a whole output, against *label* by the rules of *scorer*; raises as it says."""
    walk = Walk(scorer)
    walk.visit(label, value, Place(scorer.root, paths.ROOT, paths.ROOT))
    return Scored(walk.leaves, walk.questions, walk.lists)


class Place(NamedTuple):
    """Where the walk is: the rules there, and the paths in the label and in the output."""

    node: RuleNode
    path: str
    where: str

    def item(self, node: RuleNode, index: int, other: int) -> Place:
        """Return the place of label item *index*, paired with output item *other*, under the rules *node*."""
        _, path, where = self
        here = f"{path}[{index}]"
        there = here if index == other and where is path else f"{where}[{other}]"
        return _new(Place, (node, here, there))


@dataclass(slots=True)
class Walk:
    """One pass over a label; collects leaves in the label's order.

    Attributes:
        literal: whether the walk is inside a ``$literal``, where nothing is a directive.
        remembered: the pairings of this output's lists that are already solved, by the ids of both lists and
            their node.
    """

    scorer: Scorer
    leaves: Leaves = field(default_factory=Leaves)
    questions: list[Question] = field(default_factory=list)
    lists: list[ListPairs] = field(default_factory=list)
    literal: bool = False
    remembered: dict[tuple[int, int, int], Pairs] = field(default_factory=dict)

    def visit(self, label: Json, value: Json | Absent, place: Place) -> None:
        """Score *value* against *label*, which stand at *place*."""
        if place.node.skipped:
            return
        if isinstance(label, dict) and label:
            directive = directives.directive_of(label) if len(label) == 1 and not self.literal else None
            if directive is None:
                self._object(label, value, place)
            else:
                self._directive(directive, label, value, place)
        elif isinstance(label, list) and label:
            self._list(label, value, place)
        elif not place.node.ignored:
            self._leaf(label, value, place)

    def _object(self, label: dict[str, Json], value: Json | Absent, place: Place) -> None:
        node, path, where = place
        source: dict[str, Json] = value if isinstance(value, dict) else {}
        children, outside = node.children, path is node.field
        spots: list[Spot] = []
        right: list[Json] = []
        for key, part in label.items():
            child = children.get(key) or node.key(key)
            found = source.get(key, ABSENT)
            kind = type(part)
            # Most leaves are equal; the rest of this module would say the same of them, more slowly.
            if kind is type(found) and kind in SCALARS and part == found and child.trusts:
                spots.append(child.spot)
                right.append(part)
                continue
            if spots:
                self.leaves.append_right(_right(spots, right, path, where, outside))
                spots, right = [], []
            here = child.field if outside else path + child.suffix
            there = here if where is path else where + child.suffix
            self.visit(part, found, _new(Place, (child, here, there)))
        if spots:
            self.leaves.append_right(_right(spots, right, path, where, outside))
        if self.scorer.count_extra:
            for key, part in source.items():
                if key not in label:
                    there = paths.join_key(where, key)
                    self.leaves.extend(extras_of_key(part, node.key(key), there, self.scorer.counts_as_value))

    def _list(self, label: list[Json], value: Json | Absent, place: Place) -> None:
        node = place.node
        found = value if isinstance(value, list) else []
        rules = node.of_items(len(label))
        counted = [
            i for i, item in enumerate(label) if not counts_nowhere(item, rules[i], literal=self.literal)
        ]
        pairs = self._pairs(label, found, counted, node)
        partner = dict(pairs.pairs)
        whole = len(counted) == len(label) and not self.scorer.count_extra
        right = pairs.right if whole else ()
        for k, i in enumerate(counted):
            j = partner.get(k)
            if j is not None and i in right:
                self._right_item(label[i], found[j], place.item(rules[i], i, j))
            elif j is None:
                self._missing_item(label[i], place.item(rules[i], i, i))
            else:
                self.visit(label[i], found[j], place.item(rules[i], i, j))
        for j in pairs.unmatched_actual:
            self._extras(found[j], node.any_item, paths.join_index(place.where, j))
        self.lists.append(
            ListPairs(
                place.path,
                place.where,
                pairs.pairs if len(counted) == len(label) else tuple((counted[k], j) for k, j in pairs.pairs),
                tuple(counted[k] for k in pairs.unmatched_expected),
                pairs.unmatched_actual,
            )
        )

    def _pairs(self, label: list[Json], found: list[Json], counted: list[int], node: RuleNode) -> Pairs:
        key = (id(label), id(found), id(node))
        known = self.remembered.get(key)
        if known is None:
            from pytest_schemascore.scoring.items import ItemsInQuestion  # loads numpy, for lists alone

            items = ItemsInQuestion(label, found, node, counted, self._agreement, literal=self.literal)
            known = node.pairing.pair_all(items)
            if found and len(self.remembered) < _MOST_REMEMBERED:
                self.remembered[key] = known
        return known

    def _agreement(self, label: Json, value: Json | Absent, node: RuleNode) -> tuple[float, float]:
        """Return the weighted scores of the leaves of *label*, summed, and the summed weight of those judged.

        A judge is not asked: unequal values score 0 for now.
        """
        from pytest_schemascore.scoring.matrix import LEAST_WEIGHT  # as above

        walk = self._apart(label, value, Place(node, paths.ROOT, paths.ROOT))
        waiting = {question.index for question in walk.questions}
        scores: list[float] = []
        weights: list[float] = []
        for k, leaf in enumerate(walk.leaves):
            if leaf.outcome is Outcome.EXTRA or (leaf.score is None and k not in waiting):
                continue
            own = node_at(node, leaf.path).weight or LEAST_WEIGHT if self.scorer.weighted else 1.0
            scores.append(own * (leaf.score or 0.0))
            weights.append(own)
        return math.fsum(scores), math.fsum(weights)  # the same in whatever order items stand

    def _right_item(self, label: Json, value: Json, place: Place) -> None:
        """Count an item as right of which the pairing has found so already."""
        node, path, where = place
        if isinstance(label, dict) and isinstance(value, dict):
            keys = tuple(label)
            found = tuple([value[key] for key in keys])
            right = (node.spots_of(keys), tuple(label.values()), found, path, where, False)
            self.leaves.append_right(_new(Right, right))

    def _missing_item(self, label: Json, place: Place) -> None:
        """Count all of an item that has no partner as missing, what is labelled empty in it too."""
        self.leaves.extend(as_missing(self._apart(label, ABSENT, place).leaves))

    def _apart(self, label: Json, value: Json | Absent, place: Place) -> Walk:
        walk = Walk(self.scorer, literal=self.literal, remembered=self.remembered)
        walk.visit(label, value, place)
        return walk

    def _directive(self, directive: str, label: dict[str, Json], value: Json | Absent, place: Place) -> None:
        content = label[directive]
        gone = value is None or value is ABSENT
        if directive == directives.LITERAL:
            self.literal = True
            self.visit(content, value, place)
            self.literal = False
        elif directive == directives.ANY and isinstance(content, list):
            self._take(best_of([(each, self._apart(each, value, place)) for each in content], value, place))
        elif place.node.ignored:
            return
        elif directive == directives.ABSENT:
            outcome = Outcome.CORRECT if gone else Outcome.INVENTED
            self._add(place, outcome, float(gone), label, value, directive)
        elif directive == directives.REGEX and isinstance(content, str):
            met = isinstance(value, str) and re.fullmatch(content, value) is not None
            outcome = Outcome.MISSING if gone else Outcome.CORRECT if met else Outcome.WRONG
            self._add(place, outcome, float(met), label, value, directive)

    def _take(self, walk: Walk) -> None:
        """Take over what a walk apart has found."""
        shift = len(self.leaves)
        self.leaves.extend(walk.leaves)
        self.questions += [replace(q, index=q.index + shift) for q in walk.questions]
        self.lists += walk.lists

    def _leaf(self, label: Json, value: Json | Absent, place: Place) -> None:
        node = place.node
        if label is None or isinstance(label, (list, dict)):
            met = holds_nothing(value, node)
            outcome = Outcome.CORRECT if met else Outcome.INVENTED
            self._add(place, outcome, float(met), label, value, node.rule_name)
            if isinstance(label, list) and isinstance(value, list):
                for j, item in enumerate(value):
                    self._extras(item, node.any_item, paths.join_index(place.where, j))
            return
        comparator, name = node.comparator, node.rule_name
        if isinstance(comparator, Choosing):
            comparator = chosen(comparator, label, value)
            name = repr(comparator)
        if value is None or value is ABSENT:
            self._add(place, Outcome.MISSING, 0.0, label, value, name)
        elif type(label) is type(value) and label == value and comparator.reflexive:
            self._add(place, Outcome.CORRECT, 1.0, label, value, name)
        elif isinstance(comparator, Deferred):
            self.questions.append(Question(len(self.leaves), comparator))
            self._add(place, Outcome.NOT_JUDGED, None, label, value, name)
        else:
            score = ask(comparator, name, label, value, place.path)
            judged = _CORRECT if score == 1 else Outcome.WRONG
            self._add(place, Outcome.NOT_JUDGED if score is None else judged, score, label, value, name)

    def _add(
        self,
        place: Place,
        outcome: Outcome,
        score: float | None,
        label: Json,
        value: Json | Absent,
        rule: str,
    ) -> None:
        node, path, where = place
        self.leaves.append(_new(Leaf, (path, node.field, outcome, score, label, value, rule, where)))

    def _extras(self, item: Json, node: RuleNode, where: str) -> None:
        self.leaves.extend(extras_of_item(item, node, where, self.scorer.counts_as_extra))


def _right(spots: list[Spot], values: list[Json], path: str, where: str, outside: bool) -> Right:
    """Return right values that both sides have alike."""
    same = tuple(values)
    return _new(Right, (tuple(spots), same, same, path, where, outside))
