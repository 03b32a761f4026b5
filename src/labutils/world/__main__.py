"""python -m labutils.world: a few stories with their gold annotation, and the exact entropy."""

from __future__ import annotations

import argparse
import json

from labutils.world import RUNNING_TEXT, Story, World
from labutils.world.exact import Reckoner
from labutils.world.world import MEANS


def gold(story: Story) -> str:
    """The words of a story in columns, and its probes."""
    lines = [story.text, f"log p = {story.log_prob:.2f} nats", ""]
    lines.append("  i  word          lemma         upos   head deprel     entity  chain   nats")
    for i, w in enumerate(story.words):
        lines.append(
            f"{i:3}  {w.text:13} {w.lemma:13} {w.upos:6} {w.head:4} {w.deprel:10} "
            f"{w.entity:7} {w.chain if w.chain >= 0 else '':>5} {abs(w.log_prob):6.2f}"
        )
    lines += ["", f"the end: {abs(story.end_log_prob):.2f} nats"]
    for probe in story.probes:
        sources = ", ".join(f"{story.words[i].text} ({i})" for i in probe.sources)
        wrong = f", not {' '.join(probe.wrong)}" if probe.wrong else ""
        lines.append(f"{probe.kind}: {' '.join(probe.answers)} ({probe.target}){wrong}; decided by {sources}")
    return "\n".join(lines)


def store_means(world: World) -> None:
    """Reckon the exact means of this world anew and store them beside the code."""
    nats, printed = Reckoner(world.grammar).total()
    MEANS.write_text(json.dumps({"bias": world.bias, "nats": nats, "printed": printed}, indent=0) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m labutils.world", description=__doc__)
    parser.add_argument("-n", type=int, default=3, help="how many stories (default 3)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--means", action="store_true", help="reckon the stored exact means anew (after a change of the grammar)"
    )
    arguments = parser.parse_args()
    world = World()
    if arguments.means:
        store_means(world)
    for story in (world.parse(RUNNING_TEXT), *world.stories(arguments.n, arguments.seed)):
        print(gold(story), end="\n\n")
    print(
        f"exact entropy: {world.entropy():.4f} nats a story, "
        f"{world.entropy_per_word():.4f} nats a word; {world.mean_words():.2f} words a story"
    )


if __name__ == "__main__":
    main()
