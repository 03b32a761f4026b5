// Run in a page, the same in each engine: every control is woken, everything in it that a reader can operate is moved,
// and what it then says and shows as a table is read. Given: a text to type. Gives { name: [{ move, said, rows }] }.
async (typed) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const STILL = 12; // frames in a row in which nothing has changed

  async function settled(read) {
    let before = read();
    for (let same = 0; same < STILL; ) {
      await frame();
      const now = read();
      same = now === before && !globalThis.ittReading ? same + 1 : 0;
      before = now;
    }
    return before;
  }

  async function wake() {
    for (const fold of document.querySelectorAll("details.itt-fold")) fold.open = true;
    const stills = () => document.querySelectorAll(".itt-still");
    for (let left = stills().length; left; left = stills().length) {
      stills()[0].scrollIntoView();
      while (stills().length === left) await frame();
    }
  }

  const fire = (el, name) => el.dispatchEvent(new Event(name, { bubbles: true }));
  const visible = (el) => el.getClientRects().length > 0;
  const last = (list) => list[list.length - 1];

  /** Everything that can be moved in a control, as [what it is called, how it is moved]. */
  function* moves(root) {
    const words = (el) => el.closest("fieldset, label")?.querySelector("legend, .itt-label")?.textContent || "";
    for (const el of root.querySelectorAll('input[type="text"]:not([inputmode])'))
      yield [
        `type into ${words(el)}`,
        () => {
          el.value = typed;
          fire(el, "input");
        },
      ];
    for (const el of root.querySelectorAll("fieldset")) {
      const one = last([...el.querySelectorAll('input[type="radio"]')].filter((input) => visible(input.parentElement)));
      if (one) yield [`choose ${words(el)}`, () => one.click()];
    }
    for (const el of root.querySelectorAll('input[type="checkbox"]')) yield [`switch ${words(el)}`, () => el.click()];
    for (const el of root.querySelectorAll("select"))
      yield [
        `select ${words(el)}`,
        () => {
          el.selectedIndex = el.options.length - 1;
          fire(el, "change");
        },
      ];
    for (const el of root.querySelectorAll('input[type="range"]'))
      for (const end of ["max", "min"])
        yield [
          `slide ${el.getAttribute("aria-label")} to ${end}`,
          () => {
            el.value = el[end];
            fire(el, "input");
          },
        ];
    const pressed = /^(Draw a token|Reverse)$/;
    for (const el of [...root.querySelectorAll("button")].filter((one) => pressed.test(one.textContent)))
      yield [`press ${el.textContent}`, () => el.click()];
  }

  function seen(root) {
    const rows = [...root.querySelectorAll(".itt-table tr")].map((row) => [...row.children].map((c) => c.textContent));
    return JSON.stringify({ said: root.querySelector(".itt-readout")?.textContent || "", rows });
  }

  await wake();
  const found = {};
  for (const root of document.querySelectorAll(".itt-live > .itt[data-name]")) {
    root.scrollIntoView();
    const table = root.querySelector(".itt-data");
    if (!table || !visible(root)) continue;
    table.open = true;
    const read = () => seen(root),
      states = [{ move: "", ...JSON.parse(await settled(read)) }];
    // a move may put new inputs in the place of old ones, so each is looked up when its turn comes
    for (let i = 0; i < [...moves(root)].length; i++) {
      const [move, act] = [...moves(root)][i];
      act();
      states.push({ move, ...JSON.parse(await settled(read)) });
    }
    found[root.dataset.name] = states;
    table.open = false;
  }
  return found;
};
