"""Accessibility by axe-core in a page that is open: what it finds serious or critical."""

from functools import cache

from axe_playwright_python.base import AXE_SCRIPT

SERIOUS = ("serious", "critical")
# What depends on colours. Each of its elements costs some milliseconds, so that it is told where to look.
COLOURS = {"color-contrast": "*", "link-in-text-block": "a[href]"}
# MathJax draws the letters of formulas by style sheet, where axe sees no text.
NO_TEXT = ("mjx-container",)
# axe keeps what belongs to an object in WeakMaps, one for each part, and makes a colour of four objects for everything
# that lies behind a letter: clearing the maps away takes longer than the check. Here the object keeps it itself.
KEPT = """class Kept {
  #own = Symbol();
  has(object) { return this.#own in object; }
  get(object) { return object[this.#own]; }
  set(object, value) { object[this.#own] = value; return this; }
  add(object) { return this.set(object, true); }
  delete(object) { return delete object[this.#own]; }
}"""

# Of all texts that are painted alike the first, the middle and the last one are judged: a word of a listing has the
# contrast of its thousand fellows. Alike are two with the same colour, size and weight on the same surface, which is made
# by all that lies around them; what may stand over something else (placed, shifted) is alike by class alone.
SAMPLE = """() => {
  const surfaces = new Map();
  const surface = (one) => {
    if (!one) return "";
    if (!surfaces.has(one)) {
      const { backgroundColor, backgroundImage, opacity, position, transform, filter, mixBlendMode } = getComputedStyle(one);
      const moved = position !== "static" || transform !== "none";
      const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, moved && one.getAttribute("class")].join();
      const below = surface(one.parentElement);
      surfaces.set(one, own === "rgba(0, 0, 0, 0),none,1,none,normal,false" ? below : `${below} > ${own}`);
    }
    return surfaces.get(one);
  };
  const alike = new Map();
  for (const one of document.querySelectorAll("body *")) {
    const field = "value" in one && one.localName !== "li";
    if (!field && ![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    if (!one.checkVisibility()) continue;
    const { color, fill, fontSize, fontWeight, textShadow } = getComputedStyle(one);
    const key = [one.localName, field && one.type, color, fill, fontSize, fontWeight, textShadow, surface(one)].join();
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  const told = new Set([...alike.values()].flatMap((all) => [all[0], all[all.length >> 1], all.at(-1)]));
  const rule = axe._audit.rules.find((one) => one.id === "color-contrast");
  const { matches } = rule;
  rule.matches = (one, ...rest) => told.has(one) && matches(one, ...rest);
  return told.size;
}"""


@cache
def script() -> str:
    return f"(() => {{ {KEPT}\n(function (WeakMap, WeakSet) {{ {AXE_SCRIPT}\n }}).call(window, Kept, Kept); }})()"


def findings(page, structure: bool = True, colours: bool = True, outside: tuple[str, ...] = ()) -> list[str]:
    """What axe finds serious or critical, "rule: element" each: in structure, and in colours except in elements that a
    selector of `outside` names.
    """
    away = ", ".join(f"{one}, {one} *" for one in (*NO_TEXT, *outside))
    rules = [{"id": rule, "selector": f"{of}:not({away})"} for rule, of in COLOURS.items()]
    # Only what is wrong is named at each place: to list what is right, too, takes longer than to look for it.
    options = {"resultTypes": ["violations"], "rules": {rule: {"enabled": colours} for rule in COLOURS}}
    if not structure:
        options |= {"runOnly": [*COLOURS]}
    # What fades in or over to another colour is judged when it has arrived.
    page.wait_for_function("document.getAnimations().every(one => one.playState !== 'running')")
    page.evaluate(script())
    page.evaluate("rules => axe.configure({ rules })", rules)
    page.evaluate(SAMPLE)
    found = page.evaluate("options => axe.run(options).then((results) => results.violations)", options)
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in SERIOUS]
