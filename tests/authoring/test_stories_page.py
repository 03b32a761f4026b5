"""The page of stories holds the world's stories and what is known of them, and the site leads to it."""

import math
import re

from labutils.authoring.pages import generated as pages
from labutils.authoring.pages import stories as stories_page
from labutils.places import BOOK
from labutils.world import World


def test_the_page_lists_the_stories_of_its_seed():
    listed = re.findall(r"^\d+\. (.+)$", stories_page.page(), flags=re.M)
    assert listed == [story.text for story in World().stories(50, seed=stories_page.SEED)]


def test_the_words_of_three_stories_are_shown_as_they_are_annotated():
    section = r"^### Story (\d+)\n\n(.+)\n\n((?:\|.+\n)+)\nThat the story ends here costs (\S+)\s"
    shown = re.findall(section, stories_page.page(), flags=re.M)
    assert len(shown) == 3
    world = World()
    for n, text, rows, end in shown:
        story = world.parse(text)
        assert text == world.stories(50, seed=stories_page.SEED)[int(n) - 1].text
        cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines()[2:]]
        assert [cell[1].strip("*`") for cell in cells] == [w.text for w in story.words]
        assert [(cell[2], cell[4]) for cell in cells] == [(w.upos, w.deprel) for w in story.words]
        assert [int(cell[3].split("\N{NO-BREAK SPACE}")[0] or 0) - 1 for cell in cells] == [w.head for w in story.words]
        meant = [cell[5].split("\N{NO-BREAK SPACE}") for cell in cells]
        gold = [(w.entity.lower(), w.chain >= 0) for w in story.words]
        assert [(kind, len(letter) == 1) for kind, *letter in meant] == gold
        bits = sum(float(cell[6]) for cell in cells) + float(end)
        assert abs(bits + story.log_prob / math.log(2)) < 0.005 * (len(cells) + 1)


def test_the_numbers_are_the_exact_means():
    world, page = World(), stories_page.page()
    said = re.search(r"has (\S+) words, .* entropy is (\S+) bits, which is (\S+) bits a word", page)
    words, bits, each = map(float, said.groups())
    assert abs(words - world.mean_words()) < 0.01
    assert abs(bits - world.entropy() / math.log(2)) < 0.01
    assert abs(each - world.entropy_per_word() / math.log(2)) < 0.001


def test_the_site_has_the_page_and_leads_to_it():
    assert pages.READ["stories.md"] is stories_page.page
    assert "file: book/stories\n" in (BOOK / "_toc.yml").read_text(encoding="utf-8")
    assert "{include} generated/stories.md" in (BOOK / "stories.md").read_text(encoding="utf-8")
    assert "](stories.md)" in (BOOK / "index.md").read_text(encoding="utf-8")
