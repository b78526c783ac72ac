"""Scoring one output against one label (S3, S7, S8, S11): the walk that makes the leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json, is_empty, type_name
from pytest_schemascore.documents.json_text import canonical
from pytest_schemascore.errors import ComparatorError
from pytest_schemascore.documents import paths
from pytest_schemascore.scoring import directives
from pytest_schemascore.scoring.comparators.by_json_type import ByJsonType
from pytest_schemascore.scoring.comparators.deferred import Deferred
from pytest_schemascore.scoring.items import ItemsInQuestion
from pytest_schemascore.scoring.outcomes import Leaf, Outcome
from pytest_schemascore.scoring.weights import counts_nowhere

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from pytest_schemascore.scoring.comparators.base import Comparator
    from pytest_schemascore.scoring.rules import RuleNode


@dataclass(frozen=True, slots=True)
class Question:
    """A leaf that waits for its judge: where it stands among the leaves, and who is to be asked."""

    index: int
    judge: Deferred


@dataclass(frozen=True, slots=True)
class ListPairs:
    """Which items of one list were paired: index pairs, and what was left on either side."""

    path: str
    actual_path: str
    pairs: tuple[tuple[int, int], ...]
    unmatched_expected: tuple[int, ...]
    unmatched_actual: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """The leaves of one output, the questions still open on them, and the pairs of its lists."""

    leaves: list[Leaf]
    questions: list[Question]
    lists: list[ListPairs]


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores outputs of one suite.

    Attributes:
        root: the rules.
        labelled_fields: fields that some label of the suite holds; an item beyond the labels counts one extra
            for each of its leaves of these fields (S7).
        count_extra: whether unlabelled keys of labelled objects count too (``extra="count"``).
    """

    root: RuleNode
    labelled_fields: Set[str]
    count_extra: bool = False

    def score(self, label: Json, value: Json | Absent) -> Scored:
        """Score *value*, a whole output in JSON form, against *label*.

        Raises:
            ComparatorError: a comparator raised or returned something outside [0, 1].
        """
        walk = Walk(self)
        walk.visit(label, value, self.root, paths.ROOT, paths.ROOT)
        return Scored(walk.leaves, walk.questions, walk.lists)

    def total(self, label: Json, value: Json | Absent, node: RuleNode) -> float:
        """Return the sum of the scores of the leaves of *label*, at *node*, each times its weight."""
        walk = Walk(self)
        walk.visit(label, value, node, paths.ROOT, paths.ROOT)
        return sum(
            leaf.score * node_at(node, leaf.path).weight for leaf in walk.leaves if leaf.score is not None
        )


@dataclass(slots=True)
class Walk:
    """One pass over a label; collects leaves in the label's order."""

    scorer: Scorer
    leaves: list[Leaf] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    lists: list[ListPairs] = field(default_factory=list)

    def visit(self, label: Json, value: Json | Absent, node: RuleNode, path: str, where: str) -> None:
        """Score *value*, found at *where* in the output, against *label*, which stands at *path*."""
        if node.ignored:
            return
        if isinstance(label, dict) and label:
            if len(label) == 1 and (directive := directives.directive_of(label)) is not None:
                self._visit_directive(directive, label, value, node, path, where)
            else:
                self._visit_object(label, value, node, path, where)
        elif isinstance(label, list) and label:
            self._visit_list(label, value, node, path, where)
        else:
            self._leaf(label, value, node, path, where)

    def _visit_object(
        self, label: dict[str, Json], value: Json | Absent, node: RuleNode, path: str, where: str
    ) -> None:
        source: dict[str, Json] = value if isinstance(value, dict) else {}
        children = node.children
        for key, part in label.items():
            child = children.get(key) or node.key(key)
            if path is node.field:
                here = there = child.field
                if where is not path:
                    there = paths.join_key(where, key)
            else:
                here = path + child.suffix
                there = here if where is path else where + child.suffix
            self.visit(part, source.get(key, ABSENT), child, here, there)
        if self.scorer.count_extra:
            for key, part in source.items():
                if key not in label:
                    self._extras(part, node.key(key), paths.join_key(where, key))

    def _visit_list(
        self, label: list[Json], value: Json | Absent, node: RuleNode, path: str, where: str
    ) -> None:
        found = value if isinstance(value, list) else []
        places = [i for i, item in enumerate(label) if not counts_nowhere(item, node.item(i))]
        wanted = [label[i] for i in places]
        result = node.pairing.pair(ItemsInQuestion(wanted, found, node, places, self.scorer))
        partner = dict(result.pairs)
        for k, place in enumerate(places):
            here = paths.join_index(path, place)
            j = partner.get(k)
            if j is None:
                self._miss(label[place], node.item(place), here)
            else:
                there = here if j == place and where is path else paths.join_index(where, j)
                self.visit(label[place], found[j], node.item(place), here, there)
        beyond = _not_absorbed(result.unmatched_actual, found, len(label) - len(places))
        for j in beyond:
            self._extras(found[j], node.any_item, paths.join_index(where, j))
        self.lists.append(
            ListPairs(
                path,
                where,
                tuple((places[k], j) for k, j in result.pairs),
                tuple(places[k] for k in result.unmatched_expected),
                beyond,
            )
        )

    def _miss(self, label: Json, node: RuleNode, path: str) -> None:
        """Count all of an item that has no partner as missing, what is labelled empty in it too."""
        self.leaves += as_missing(self._apart(label, ABSENT, node, path, path).leaves)

    def _visit_directive(
        self,
        directive: str,
        label: dict[str, Json],
        value: Json | Absent,
        node: RuleNode,
        path: str,
        where: str,
    ) -> None:
        content = label[directive]
        if directive == directives.LITERAL:
            if isinstance(content, dict) and content:
                self._visit_object(content, value, node, path, where)
            else:
                self.visit(content, value, node, path, where)
        elif directive == directives.ANY and isinstance(content, list):
            self._visit_any(content, value, node, path, where)
        elif directive == directives.ABSENT:
            outcome = Outcome.CORRECT if value is None or value is ABSENT else Outcome.INVENTED
            self._add(node, path, where, outcome, float(outcome is Outcome.CORRECT), label, value, "$absent")
        elif directive == directives.REGEX and isinstance(content, str):
            if value is None or value is ABSENT:
                self._add(node, path, where, Outcome.MISSING, 0.0, label, value, "$regex")
            else:
                met = isinstance(value, str) and directives.compiled(content).fullmatch(value) is not None
                outcome = Outcome.CORRECT if met else Outcome.WRONG
                self._add(node, path, where, outcome, float(met), label, value, "$regex")

    def _visit_any(
        self, alternatives: list[Json], value: Json | Absent, node: RuleNode, path: str, where: str
    ) -> None:
        """Score the best of *alternatives*; the leaves are as many as the first has."""
        walks = [self._apart(alternative, value, node, path, where) for alternative in alternatives]
        first = walks[0]
        best = max(walks, key=Walk.mean)
        if len(best.leaves) != len(first.leaves):
            best = first.with_mean(best.mean())
        shift = len(self.leaves)
        self.leaves += best.leaves
        self.questions += [Question(q.index + shift, q.judge) for q in best.questions]
        self.lists += best.lists

    def _apart(self, label: Json, value: Json | Absent, node: RuleNode, path: str, where: str) -> Walk:
        walk = Walk(self.scorer)
        walk.visit(label, value, node, path, where)
        return walk

    def mean(self) -> float:
        """Return the mean score of the judged labelled leaves; 1 where there are none."""
        scores = [leaf.score for leaf in self.leaves if leaf.score is not None]
        return sum(scores) / len(scores) if scores else 1.0

    def with_mean(self, mean: float) -> Walk:
        """Return the same leaves, all with the score *mean*."""
        outcome = Outcome.CORRECT if mean == 1 else Outcome.WRONG
        leaves = [
            leaf if leaf.score is None else leaf._replace(score=mean, outcome=outcome) for leaf in self.leaves
        ]
        return Walk(self.scorer, leaves)

    def _leaf(self, label: Json, value: Json | Absent, node: RuleNode, path: str, where: str) -> None:
        if label is None or label == [] or label == {}:
            outcome = Outcome.CORRECT if is_empty(value) else Outcome.INVENTED
            self._add(
                node, path, where, outcome, float(outcome is Outcome.CORRECT), label, value, node.rule_name
            )
            if isinstance(label, list) and isinstance(value, list):
                for j, item in enumerate(value):
                    self._extras(item, node.any_item, paths.join_index(where, j))
            return
        if value is None or value is ABSENT:
            self._add(node, path, where, Outcome.MISSING, 0.0, label, value, node.rule_name)
            return
        equal = type(label) is type(value) and label == value
        if equal and node.trusted:
            self._add(node, path, where, Outcome.CORRECT, 1.0, label, value, node.rule_name)
            return
        comparator, name = node.comparator, node.rule_name
        if isinstance(comparator, ByJsonType):
            comparator = comparator.choose(type_name(label), type_name(value))
            name = repr(comparator)
        if isinstance(comparator, Deferred):
            self.questions.append(Question(len(self.leaves), comparator))
            self._add(node, path, where, Outcome.NOT_JUDGED, None, label, value, name)
            return
        score = ask(comparator, label, value, path)
        outcome = Outcome.NOT_JUDGED if score is None else Outcome.CORRECT if score == 1 else Outcome.WRONG
        self._add(node, path, where, outcome, score, label, value, name)

    def _add(
        self,
        node: RuleNode,
        path: str,
        where: str,
        outcome: Outcome,
        score: float | None,
        label: Json | Absent,
        value: Json | Absent,
        rule: str,
    ) -> None:
        self.leaves.append(Leaf(path, node.field, outcome, score, label, value, rule, where))

    def _extras(self, item: Json, node: RuleNode, where: str) -> None:
        """Count what the output holds at *where* beyond the labels."""
        if item in ({}, []):
            if not node.ignored:
                self._add(node, where, where, Outcome.EXTRA, None, ABSENT, item, "")
            return
        pending: list[tuple[Json, RuleNode, str]] = [(item, node, where)]
        while pending:
            value, node, where = pending.pop()
            if node.ignored:
                continue
            if isinstance(value, dict) and value:
                pending += [(v, node.key(k), paths.join_key(where, k)) for k, v in reversed(value.items())]
            elif isinstance(value, list) and value:
                pending += [
                    (v, node.item(j), paths.join_index(where, j)) for j, v in reversed(list(enumerate(value)))
                ]
            elif self.scorer.count_extra or node.field in self.scorer.labelled_fields:
                self._add(node, where, where, Outcome.EXTRA, None, ABSENT, value, "")


def _not_absorbed(unmatched: tuple[int, ...], found: list[Json], spare: int) -> tuple[int, ...]:
    """Return what is left of *unmatched* once each of *spare* ignored labels has absorbed one item.

    Which ones goes by content, so that shuffling the output changes nothing.
    """
    if not spare:
        return unmatched
    by_content = sorted(unmatched, key=lambda j: (canonical(found[j]), j))
    return tuple(sorted(by_content[spare:]))


def as_missing(leaves: Iterable[Leaf]) -> list[Leaf]:
    """Return *leaves* as those of an output, or an item, that isn't there: even null labels aren't met."""
    return [leaf._replace(outcome=Outcome.MISSING, score=0.0) for leaf in leaves]


def ask(comparator: Comparator, label: Json, value: Json, path: str) -> float | None:
    """Return the comparator's verdict on one leaf.

    Raises:
        ComparatorError: it raised, or returned neither a number in [0, 1], a bool, nor None.
    """
    try:
        score = comparator(label, value)
    except Exception as error:
        msg = f"{path}: comparator {comparator!r} raised {type(error).__name__}: {error}"
        raise ComparatorError(msg) from error
    return check_score(score, repr(comparator), path)


def check_score(score: object, name: str, path: str) -> float | None:
    """Return *score* as a float in [0, 1], or None for "not judged".

    Raises:
        ComparatorError: it is anything else; *name* and *path* say whose fault that is.
    """
    if score is None:
        return None
    if isinstance(score, (bool, Real)) or hasattr(score, "__float__"):
        number = float(score)  # type: ignore[arg-type]  # numpy's bools and floats have __float__ but no common type
        if 0 <= number <= 1:
            return number
    msg = f"{path}: comparator {name} returned {score!r}; return a bool, a number from 0 to 1, or None"
    raise ComparatorError(msg)


def node_at(node: RuleNode, path: str) -> RuleNode:
    """Return the node at *path* below *node*."""
    for step in paths.parse(path):
        match step:
            case str():
                node = node.key(step)
            case int():
                node = node.item(step)
    return node
