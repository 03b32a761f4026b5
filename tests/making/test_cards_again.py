"""The main figures of the cards once more, by code that shares no line with training or measuring.

HuggingFace's models and tokenizers, plain loops, other stories than any that were used before. Only the world is the
same, for it is what the figures are about. Each figure must agree with card.json within four standard errors of the
difference.
"""

import json
import math
import random
import statistics
from pathlib import Path

import pytest
import torch
import transformers

import labutils
from labutils.world import OutsideTheWorld, World

FOLDER = Path(labutils.__file__).parent / "checkpoints"
SEED = 987_654_321


class Shipped:
    """One model as transformers loads it, and its card."""

    def __init__(self, name, cls):
        self.card = json.loads((FOLDER / name / "card.json").read_text(encoding="utf-8"))
        self.model = cls.from_pretrained(FOLDER / name, attn_implementation="eager", dtype=torch.float32).eval()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(FOLDER / name)

    def __call__(self, ids, **options):
        with torch.no_grad():
            return self.model(torch.tensor([ids]), **options)

    def ids(self, text):
        return self.tokenizer(text, add_special_tokens=False).input_ids


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def gpt2():
    return Shipped("little-gpt2", transformers.GPT2LMHeadModel)


@pytest.fixture(scope="module")
def bert():
    return Shipped("little-bert", transformers.BertForPreTraining)


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.fixture(scope="module")
def stories(world):
    rng = random.Random(SEED)
    return [world.story(rng) for _ in range(150)]


def agrees(values, stated, error, at_least=0.0):
    """The mean of independent `values` and the stated one, no farther apart than four standard errors; `at_least` is a
    floor under the error here, for shares of which all or none were right.
    """
    here = max(statistics.stdev(values) / math.sqrt(len(values)), at_least)
    difference = statistics.fmean(values) - stated
    assert abs(difference) <= 4 * math.hypot(here, error), (
        f"{statistics.fmean(values):.4f} ± {here:.4f} measured here, {stated:.4f} ± {error:.4f} on the card"
    )


def test_above_the_floor(gpt2, world, stories):
    end, nats = gpt2.tokenizer.eos_token_id, world.entropy()
    above = []
    for story in stories:
        ids = [end, *gpt2.ids(story.text), end]
        log_p = torch.log_softmax(gpt2(ids).logits[0].double(), -1)
        above.append((-sum(float(log_p[i, ids[i + 1]]) for i in range(len(ids) - 1)) + story.log_prob) / nats)
    agrees(above, gpt2.card["loss"]["gap"], gpt2.card["loss"]["gap_error"])


def test_copying_and_its_heads(gpt2):
    card, n = gpt2.card["copying"], gpt2.card["copying"]["length"]
    torch.manual_seed(SEED)
    right, looks, back = [], [], []
    for _ in range(60):
        block = [i for i in torch.randperm(len(gpt2.tokenizer)).tolist() if i != gpt2.tokenizer.eos_token_id][:n]
        said = gpt2([gpt2.tokenizer.eos_token_id] + block + block, output_attentions=True)
        first_choice = said.logits[0].argmax(-1).tolist()
        right.append(sum(first_choice[1 + n + i] == block[i + 1] for i in range(n - 1)) / (n - 1))
        weights = lambda head: said.attentions[head["layer"]][0, head["head"]]
        looks.append(sum(float(weights(card["induction"])[1 + n + i, 2 + i]) for i in range(n - 1)) / (n - 1))
        back.append(sum(float(weights(card["previous_in_blocks"])[i, i - 1]) for i in range(1, 2 * n + 1)) / (2 * n))
    agrees(right, card["accuracy"], card["error"], at_least=0.5 / len(right) / n)
    agrees(looks, card["induction"]["weight"], card["induction"]["error"])
    agrees(back, card["previous_in_blocks"]["weight"], card["previous_in_blocks"]["error"])


def test_stories_of_its_own(gpt2, world):
    card, end = gpt2.card["drawn"], gpt2.tokenizer.eos_token_id
    torch.manual_seed(SEED)
    rows = gpt2.model.generate(
        torch.full((200, 1), end),
        attention_mask=torch.ones(200, 1, dtype=torch.long),
        do_sample=True,
        temperature=1.0,
        top_k=0,
        top_p=1.0,
        max_length=gpt2.model.config.n_positions,
        eos_token_id=end,
        pad_token_id=end,
    ).tolist()
    accepted = []
    for row in rows:
        ended = end in row[1:]
        text = gpt2.tokenizer.decode(
            row[1 : row.index(end, 1)] if ended else row[1:], clean_up_tokenization_spaces=False
        )
        try:
            world.log_prob(text)
            accepted.append(float(ended))
        except OutsideTheWorld:
            accepted.append(0.0)
    agrees(accepted, card["accepted"], card["error"], at_least=0.5 / len(rows))


def test_one_hidden_word(bert, world, stories):
    rng, mask = random.Random(SEED), bert.tokenizer.mask_token_id
    model, best, right = [], [], []
    for story in stories:
        i = rng.randrange(len(story.words))
        word = story.words[i]
        e = bert.tokenizer(story.text, return_offsets_mapping=True)
        places = [t for t, (a, b) in enumerate(e.offset_mapping) if a < word.end and b > word.start]
        log_p = torch.log_softmax(
            bert([mask if t in places else token for t, token in enumerate(e.input_ids)])[0][0].double(), -1
        )
        model.append(-sum(float(log_p[t, e.input_ids[t]]) for t in places))
        right.append(float(all(int(log_p[t].argmax()) == e.input_ids[t] for t in places)))
        best.append(-math.log(world.fill(story, i)[word.text]))
    card = bert.card["loss"]
    agrees(right, card["accuracy"], card["accuracy_error"])
    agrees(model, card["word_loss"], card["word_loss_error"])
    n, (a, b) = len(model), (sum(model), sum(best))
    without = [(a - model[i]) / (b - best[i]) for i in range(n)]  # the jackknife: each story left out once
    error = math.sqrt((n - 1) / n * sum((x - statistics.fmean(without)) ** 2 for x in without))
    assert abs(a / b - 1 - card["above"]) <= 4 * math.hypot(error, card["above_error"])


def test_names_that_stand_again(bert, world):
    """A later one of two equal names, and of two that stand together again; the share of names among all words."""
    rng, mask = random.Random(SEED), bert.tokenizer.mask_token_id
    told = [world.story(rng) for _ in range(700)]
    people = {word.text.lower() for story in told for word in story.words if word.upos == "PROPN"}
    right, absent = {"one": [], "pairs": []}, {"one": [], "pairs": []}
    for story in told:
        words = story.words
        names = [i for i, word in enumerate(words) if word.upos == "PROPN"]
        again = [i for i in names if any(j < i and words[j].text == words[i].text for j in names)]
        joined = [i for i in names if i + 2 in names and words[i + 1].text == "and"]
        both = lambda i: (words[i].text, words[i + 2].text)
        pair = [k for i in joined if any(j < i and both(j) == both(i) for j in joined) for k in (i, i + 2)]
        for kind, places in (("one", again), ("pairs", pair)):
            if not places or (kind == "one" and len(right["one"]) >= 120):
                continue
            word = words[rng.choice(places)]
            e = bert.tokenizer(story.text, return_offsets_mapping=True)
            at = [t for t, (a, b) in enumerate(e.offset_mapping) if a < word.end and b > word.start]
            logits = bert([mask if t in at else token for t, token in enumerate(e.input_ids)])[0][0]
            said = bert.tokenizer.decode(logits[at].argmax(-1))
            right[kind].append(float(said == word.text.lower()))
            absent[kind].append(float(said in people and said not in {w.text.lower() for w in words}))
    card = bert.card["names"]
    for kind in ("one", "pairs"):
        agrees(right[kind], card[kind]["accuracy"], card[kind]["error"])
        agrees(absent[kind], card[kind]["absent"], card[kind]["absent_error"])
    assert statistics.fmean(right["pairs"]) < 0.35 < 0.6 < statistics.fmean(right["one"])
    share = [word.upos == "PROPN" for story in told for word in story.words]
    assert abs(statistics.fmean(share) - card["words"]) < 4 * card["words_error"]


def test_next_sentence(bert, stories):
    rng = random.Random(SEED)
    halves = []
    for story in stories:
        starts = [
            word.start for i, word in enumerate(story.words) if i and word.sentence != story.words[i - 1].sentence
        ]
        if starts:
            cut = rng.choice(starts)
            halves.append((story.text[:cut].strip(), story.text[cut:].strip()))
    pairs = {
        "following": halves,
        "other": [(first, halves[i - 1][1]) for i, (first, _) in enumerate(halves)],
        "swapped": [(second, first) for first, second in halves],
    }
    for kind, mine in pairs.items():
        right = []
        for pair in mine:
            e = bert.tokenizer(*pair)
            said = (
                bert(e.input_ids, token_type_ids=torch.tensor([e.token_type_ids])).seq_relationship_logits[0].tolist()
            )
            right.append(float((said[0] > said[1]) == (kind == "following")))
        stated = bert.card["next_sentence"]["kinds"][kind]
        agrees(right, stated["accuracy"], stated["error"], at_least=0.5 / len(right))


@pytest.mark.parametrize("name", ["gpt2", "bert"])
def test_leaning_of_one_occupation(name, request, world):
    shipped = request.getfixturevalue(name)
    row = max(shipped.card["leaning"]["occupations"], key=lambda row: row["cases"])
    rng, apart = random.Random(SEED), []
    while len(apart) < 20:
        story = world.story(rng)
        for probe in story.probes:
            if probe.kind != "lean" or story.words[probe.sources[0]].lemma != row["name"]:
                continue
            word = story.words[probe.target]
            both = sorted(
                (answer for answer in probe.answers if answer.lower() in ("he", "she", "him", "her", "his")),
                key=lambda w: w.lower() in ("he", "him", "his"),
            )
            before, after = story.text[: word.start], story.text[word.end :]
            exact = world.next_word(before.strip()) if name == "gpt2" else world.fill(story, probe.target)
            if len(both) != 2 or not all(exact.get(w) for w in both):
                continue
            p = [said_of(shipped, name, before, w, after) for w in both]
            apart.append(p[0] / sum(p) - exact[both[0]] / (exact[both[0]] + exact[both[1]]))
    agrees(apart, row["difference"], row["error"])


def said_of(shipped, name, before, word, after):
    """The probability that the model gives to `word` between `before` and, for BERT, `after`."""
    if name == "gpt2":
        ids = [shipped.tokenizer.eos_token_id, *shipped.ids(before.rstrip())]
        pieces = shipped.ids(before + word)[len(ids) - 1 :]
        log_p = torch.log_softmax(shipped(ids + pieces).logits[0], -1)
        return math.exp(sum(float(log_p[len(ids) - 1 + k, piece]) for k, piece in enumerate(pieces)))
    e = shipped.tokenizer(before + word + after, return_offsets_mapping=True)
    place = next(t for t, (a, b) in enumerate(e.offset_mapping) if (a, b) == (len(before), len(before) + len(word)))
    ids = [*e.input_ids[:place], shipped.tokenizer.mask_token_id, *e.input_ids[place + 1 :]]
    return float(torch.softmax(shipped(ids)[0][0, place], -1)[e.input_ids[place]])


@pytest.mark.parametrize("name", ["gpt2", "bert"])
def test_the_head_that_finds_whom_a_pronoun_means(name, request, stories):
    shipped = request.getfixturevalue(name)
    row = next((row for row in shipped.card["relations"]["rows"] if row["relation"] == "pronoun"), None)
    assert row, "pronouns are frequent enough to be on the card"
    first = [shipped.tokenizer.eos_token_id] if name == "gpt2" else []
    right = []
    for story in stories:
        e = shipped.tokenizer(story.text, return_offsets_mapping=True)
        looks = (
            shipped(first + e.input_ids, output_attentions=True)
            .attentions[row["head"]["layer"]][0, row["head"]["head"]]
            .tolist()
        )
        tokens = [
            [t + len(first) for t, (a, b) in enumerate(e.offset_mapping) if a < word.end and b > word.start]
            for word in story.words
        ]
        for i, word in enumerate(story.words):
            earlier = [j for j in range(i) if story.words[j].chain == word.chain]
            if word.upos != "PRON" or word.chain < 0 or word.lemma in ("who", "whom", "which", "that") or not earlier:
                continue
            asks = tokens[i - 1][-1:] if row["head"]["predicting"] else tokens[i][-1:] if name == "gpt2" else tokens[i]
            weight = [sum(looks[q][k] for q in asks for k in pieces) for pieces in tokens]
            if not row["head"]["predicting"]:
                weight[i] = -1.0
            right.append(float(max(range(len(weight)), key=weight.__getitem__) == earlier[-1]))
    agrees(right, row["head"]["right"], row["head"]["error"], at_least=0.5 / len(right))
