// A reader's own files of GPT-2: chosen, dropped or kept, read in slices, and then the model of the whole page.
import { choose, giveBack, OWN, ownSource } from "../engine/own/chosen.js";
import { bring, pageTokenizer } from "../engine/page_source.js";
import { frame, stand } from "../look/frame.js";
import { button } from "../look/inputs.js";
import { fill, h } from "../look/kit.js";
import { keeping } from "./keeping.js";
import { DROP, FREE, facts, LAB, reading, ready, TIMING } from "./words.js";

const VOCABULARY = "gpt2";

export function render({ model, el }) {
  const f = frame(model),
    store = keeping({ take, tell: f.tell, away: () => parts.focus() }),
    parts = stage({ take, back });
  f.root.classList.add("om-control");
  f.data.remove(); // its numbers stand in the open
  f.bar.remove();
  if (!model.onPage) return inLab(el, f);
  f.stage.append(parts.el, h("div", { class: "om-acts" }, parts.other, store.el));
  f.source("GPT-2’s own vocabulary comes with the book.");
  bring(OWN, (other) => ownSource(pageTokenizer(other, VOCABULARY)));
  let turn = 0; // a file that is chosen later overtakes one that is being read

  /** @param {File[]} files one, or all parts of one model */
  async function take(files) {
    if (!files.length) return;
    const mine = ++turn,
      current = (act) => mine === turn && act();
    f.tell("");
    told(false);
    parts.show("reading");
    store.hide();
    const read = (share) => {
      parts.read(share);
      f.say(share < 1 ? reading(files, share) : TIMING);
    };
    try {
      const on = { read: (share) => current(() => read(share)), changed: (left) => current(() => show(left)) },
        found = await choose(files, model.get("record"), on);
      current(() => {
        show(found);
        store.show(files);
        told(true);
      });
    } catch (error) {
      current(() => {
        rest();
        f.tell(error.message);
      });
    }
  }
  function show(found) {
    parts.show("ready", facts(found));
    f.say(ready(found));
  }
  function back() {
    turn++;
    giveBack();
    told(false);
    f.tell("");
    rest();
    parts.focus();
  }
  function rest() {
    parts.show("free");
    store.show(null);
    f.say(FREE);
  }
  return stand(el, f.root, rest, [() => giveBack()]);
}

/** A kernel takes the path of a folder, and no file. */
function inLab(el, f) {
  f.say(LAB);
  return stand(el, f.root, () => {}, []);
}

/** The other controls of the page change over, there or back. */
function told(there) {
  document.dispatchEvent(new CustomEvent("itt-brought", { detail: { name: OWN, there } }));
}

/** Where a file is dropped or chosen, how far it is read, and what it holds. */
function stage({ take, back }) {
  const input = h("input", {
      type: "file",
      accept: ".safetensors",
      multiple: true,
      hidden: true,
      "aria-label": "model.safetensors",
    }),
    pick = button("Choose the file", () => input.click()),
    bar = h("progress", { max: 1, "aria-label": "How much of the file is read" }),
    stop = button("Stop", back),
    other = button("Back to the small model", back),
    list = h("dl", { class: "om-facts" });
  input.addEventListener("change", () => {
    take([...input.files]);
    input.value = ""; // the same file may be chosen again
  });
  const drop = h("div", { class: "om-drop" }, h("p", { text: DROP }), input, pick),
    shown = {
      free: drop,
      reading: h("div", { class: "om-reading" }, bar, stop),
      ready: list,
    };
  const over = (on) => (event) => {
    event.preventDefault();
    drop.classList.toggle("is-over", on);
    if (event.type === "drop") take([...event.dataTransfer.files]);
  };
  for (const [name, on] of [
    ["dragover", true],
    ["dragleave", false],
    ["drop", false],
  ])
    drop.addEventListener(name, over(on));
  const el = h("div", {}, Object.values(shown));
  return {
    el,
    other,
    read: (share) => bar.setAttribute("value", share),
    focus: () => pick.focus(),
    show(name, known = []) {
      for (const [key, part] of Object.entries(shown)) part.hidden = key !== name;
      other.hidden = name !== "ready";
      if (name === "reading") bar.setAttribute("value", 0);
      fill(
        list,
        known.map(([what, value]) => h("div", {}, h("dt", { text: what }), h("dd", { text: value }))),
      );
    },
  };
}
