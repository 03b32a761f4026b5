// The search page: sections whose words match, those whose heading does first, each with the sentence that says it.
// What is typed is data: it is compared and shown as text, never read as markup or as a pattern.
addEventListener("DOMContentLoaded", () => {
  const MOST = 40, place = document.getElementById("search-results");
  const query = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  const asked = words(query);
  for (const field of document.querySelectorAll("form.bd-search input[type=search]")) field.value = query;
  if (!place || !asked.length) return;

  function words(text) { return [...text.toLowerCase().matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)].map((found) => found[0]); }
  // "tokens" finds "token" and "tokenization": the shorter of two words begins the longer one
  const alike = (word, wish) => word.startsWith(wish) || (wish.length > 3 && word.length > 3 && wish.startsWith(word));
  const hits = (text) => { const there = words(text); return asked.filter((wish) => there.some((word) => alike(word, wish))).length; };

  function rank([, page, title, sentences]) {
    const inTitle = hits(title), best = sentences.reduce((most, one) => Math.max(most, hits(one)), 0);
    const all = hits([page, title, ...sentences].join(" "));
    return all < asked.length && all < 2 && asked.length > 1 ? 0
      : (inTitle === asked.length ? 100 : 10 * inTitle) + (best === asked.length ? 20 : 5 * best) + all;
  }
  const found = ittSections.map((row) => [rank(row), row]).filter(([points]) => points > 0)
    .sort((a, b) => b[0] - a[0]).slice(0, MOST);

  function marked(text) {
    const out = document.createElement("p");
    out.append(...text.split(/([\p{L}\p{N}][\p{L}\p{N}'’-]*)/u).map((part, i) => {
      if (!(i % 2) || !asked.some((wish) => alike(part.toLowerCase(), wish))) return part;
      return Object.assign(document.createElement("mark"), { textContent: part });
    }));
    return out;
  }
  const said = document.createElement("p"), list = document.createElement("ul");
  said.setAttribute("role", "status");
  said.textContent = found.length ? `${found.length === MOST ? `The first ${MOST}` : found.length} ${found.length === 1 ? "section" : "sections"} with “${query}”`
    : `No section has “${query}”. Try another word, or fewer.`;
  list.className = "search";
  list.append(...found.map(([, [address, page, title, sentences]]) => {
    const item = document.createElement("li"), link = Object.assign(document.createElement("a"), { href: address, textContent: title });
    const best = sentences.reduce((a, one) => (hits(one) > hits(a) ? one : a), "");
    item.append(link);
    if (title !== page) item.append(Object.assign(document.createElement("small"), { textContent: page }));
    const shown = hits(best) ? best : sentences[0];
    if (shown) item.append(marked(shown));
    return item;
  }));
  place.replaceChildren(said, list);
});
