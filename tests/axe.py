"""Accessibility by axe-core in a page that is open: what it finds serious or critical."""

from functools import cache

from axe_playwright_python.base import AXE_SCRIPT

SERIOUS = ("serious", "critical")
# What depends on colours. Each of its elements costs some milliseconds, so that it is told where to look.
COLOURS = {"color-contrast": "*", "link-in-text-block": "a[href]"}
# Whatever it finds is of moderate weight, and on a long page it takes longer than all other rules of structure together.
NOT_ASKED = ("region",)
# MathJax draws the letters of formulas by style sheet, where axe sees no text; on a picture it says of no text how it stands out.
NO_TEXT = ("mjx-container", "svg")
# The lines and areas of pictures, more than half of a chapter's elements, say nothing to axe, and it looks at each of them again
# and again. Whatever has a role, a name or the focus stays.
TAKE_OUT = """(inside) => {
  const shapes = ":is(path, use, rect, circle, ellipse, line, polyline, polygon):not(:has(*), [role], [tabindex], [title])";
  globalThis.takenOut = [...document.querySelectorAll(inside ? "svg > *" : `svg ${shapes}`)]
    .filter((one) => inside || ![...one.attributes].some(({ name }) => name.startsWith("aria-") && name !== "aria-hidden"))
    .map((one) => {
      const place = document.createComment("");
      one.replaceWith(place);
      return [place, one];
    });
}"""
PUT_BACK = "() => takenOut.splice(0).forEach(([place, one]) => place.replaceWith(one))"
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

RUN = "options => axe.run(options).then((results) => results.violations)"

# Of all texts that are painted alike the first, the middle and the last one of a page are judged, and none where a page
# before has shown the same: a word of a listing has the contrast of its thousand fellows. Alike are two with the same
# colour, size, weight and line in a parent of the same colour, on the same surface, which is made by all that lies around
# them; what may stand over something else (placed, shifted) is alike by class alone. A kind is told by a number.
SAMPLE = """([before, away]) => {
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
  const number = (text) => {  // 53 bits of it
    let [a, b] = [0xdeadbeef, 0x41c6ce57];
    for (let i = 0; i < text.length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
      b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
    }
    return 4294967296 * ((b ^ (a >>> 16)) & 2097151) + ((a ^ (b >>> 13)) >>> 0);
  };
  const alike = new Map(), known = new Set(before);
  for (const one of document.querySelectorAll("body *")) {
    const field = "value" in one && one.localName !== "li", link = one.localName === "a";
    if (!field && !link && ![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    if (one.matches(away) || !one.checkVisibility()) continue;
    const { color, fill, fontSize, fontWeight, fontStyle, textShadow, textDecoration, borderBottom } = getComputedStyle(one);
    const around = link && [getComputedStyle(one.parentElement).color, textDecoration, borderBottom, fontStyle];
    const key = number([one.localName, field && one.type, color, fill, fontSize, fontWeight, textShadow, around, surface(one)].join());
    if (!known.has(key)) alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  const told = new Set([...alike.values()].flatMap((all) => [all[0], all[all.length >> 1], all.at(-1)]));
  for (const rule of axe._audit.rules.filter((one) => ["color-contrast", "link-in-text-block"].includes(one.id))) {
    const { matches } = rule;
    rule.matches = (one, ...rest) => told.has(one) && matches(one, ...rest);
  }
  return [...alike.keys()];
}"""


@cache
def script() -> str:
    return f"(() => {{ {KEPT}\n(function (WeakMap, WeakSet) {{ {AXE_SCRIPT}\n }}).call(window, Kept, Kept); }})()"


def options(rules: tuple[str, ...] = (), **more) -> dict:
    """For axe: only what is wrong is named at each place; to list what is right, too, takes longer than to look for it."""
    return {"resultTypes": ["violations"], "rules": {rule: {"enabled": False} for rule in rules}} | more


def findings(
    page, structure: bool = True, colours: bool = True, outside: tuple[str, ...] = (), known: set[int] | None = None
) -> list[str]:
    """What axe finds serious or critical, "rule: element" each: in structure, and in colours except in elements that a
    selector of `outside` names. Kinds of text that are `known` are not judged again, and those that are sound get known.
    """
    away = ", ".join(f"{one}, {one} *" for one in (*NO_TEXT, *outside))
    rules = [{"id": rule, "selector": f"{of}:not({away})"} for rule, of in COLOURS.items()]
    # What fades in or over to another colour is judged when it has arrived.
    page.wait_for_function("document.getAnimations().every(one => one.playState !== 'running')")
    page.evaluate(script())
    page.evaluate("rules => axe.configure({ rules })", rules)
    page.evaluate(TAKE_OUT, not structure)  # where colours alone are asked for, all that is in pictures
    kinds = page.evaluate(SAMPLE, [[*(known or ())], away]) if colours else []
    if structure:
        found = page.evaluate(RUN, options(NOT_ASKED if kinds else (*NOT_ASKED, *COLOURS)))
    else:
        found = page.evaluate(RUN, options(runOnly=[*COLOURS])) if kinds else []
    page.evaluate(PUT_BACK)
    if known is not None and not any(one["id"] in COLOURS for one in found):
        known.update(kinds)
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in SERIOUS]
