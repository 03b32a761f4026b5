// The search page: sections whose words match, the chapters before the lists, titles before text, each with the sentence
// that says it. What is typed is data: it is compared and shown as text, never read as markup or as a pattern.
addEventListener("DOMContentLoaded", () => {
  const MOST = 40,
    WORD = /[\p{L}\p{N}]+/gu;
  // words of a question that say nothing of its subject
  const SMALL = new Set(
    (
      "a about all an and are as at be between by can difference do does else explain explained exactly for from get" +
      " happens have how i in into is it its made make many me mean means much meaning my of on or say so tell that the their them then there they this to use used" +
      " using versus vs was we what when where which who why will with work works you your"
    ).split(" "),
  );
  // what is typed short, written out on both sides
  const LONG = {
    bpe: "byte pair",
    ffn: "feed forward",
    mlp: "feed forward",
    qkv: "query key value",
    rnn: "recurrent",
    gpt2: "gpt",
  };
  const place = document.getElementById("search-results");
  const query = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  const typed = words(query),
    asked = typed.some((word) => !SMALL.has(word)) ? typed.filter((word) => !SMALL.has(word)) : typed;
  // who asks a question wants the chapter that answers it; who names a term, its definition
  const question = ["difference", "how", "what", "why"].some((word) => typed.includes(word));
  for (const field of document.querySelectorAll("form.bd-search input[type=search]")) field.value = query;
  if (!place || !asked.length) return;

  function words(text) {
    const plain = text
      .toLowerCase()
      .normalize("NFKC")
      .replaceAll("√", " sqrt ")
      .replace(/\bd_k\b/g, "dk");
    return [...plain.matchAll(WORD)].flatMap(([word]) => (Object.hasOwn(LONG, word) ? LONG[word].split(" ") : [word]));
  }
  const root = (word) =>
    word.length > 4 ? word.replace(/(?:ies|y)$/, "i").replace(/(?:ations?|ings?|ions?|ers?|ed|es|al|s|e)$/, "") : word;
  // "tokens" finds "token" and "tokenization", "queries" finds "query": the shorter of two roots begins the longer one
  function alike(word, wish) {
    const [a, b] = [root(word), root(wish)];
    return a === b || (b.length > 2 && a.startsWith(b)) || (a.length > 3 && b.startsWith(a) && b.length - a.length < 4);
  }
  const share = (there) => asked.filter((wish) => there.some((word) => alike(word, wish))).length / asked.length;

  function rank([, page, title, sentences, weight, known]) {
    const inTitle = share(words(title)),
      inPage = share(words(`${page} ${known}`));
    const best = sentences.reduce((most, one) => Math.max(most, share(words(one))), 0);
    const all = share(words([page, known, title, ...sentences].join(" ")));
    if (all < 0.5 || (all < 1 && asked.length === 2 && inTitle + best === 0)) return 0;
    // how much of a title is what was asked: "Attention" before "Attention in other models"
    const whole =
      title && share(words(title)) === 1 ? asked.length / words(title).filter((word) => !/^\d+$/.test(word)).length : 0;
    const named = title === page && known.toLowerCase().split(", ").includes(query.toLowerCase()) ? 10 : 0;
    return (
      (question && weight < 1 ? weight / 2 : weight) *
      (10 * inTitle + 6 * whole + (title === page ? 8 : 3) * inPage + 4 * best + 2 * all + named)
    );
  }
  const found = ittSections
    .map((row) => [rank(row), row])
    .filter(([points]) => points > 0)
    .sort((a, b) => b[0] - a[0])
    .slice(0, MOST);

  function marked(text) {
    const out = document.createElement("p");
    out.append(
      ...text.split(/([\p{L}\p{N}]+)/u).map((part, i) => {
        if (!(i % 2) || !words(part).some((word) => asked.some((wish) => alike(word, wish)))) return part;
        return Object.assign(document.createElement("mark"), { textContent: part });
      }),
    );
    return out;
  }
  function item([address, page, title, sentences]) {
    const out = document.createElement("li");
    out.append(Object.assign(document.createElement("a"), { href: address, textContent: title }));
    if (title !== page) out.append(Object.assign(document.createElement("small"), { textContent: page }));
    const hits = (sentence) => share(words(sentence)),
      best = sentences.reduce((a, one) => (hits(one) > hits(a) ? one : a), "");
    const shown = hits(best) ? best : sentences[0];
    if (shown) out.append(marked(shown));
    return out;
  }
  const said = document.createElement("p"),
    list = document.createElement("ul");
  said.setAttribute("role", "status");
  said.textContent = found.length
    ? `${found.length === MOST ? `The first ${MOST}` : found.length} ${found.length === 1 ? "section" : "sections"} with “${query}”`
    : `No section has “${query}”. Try another word, or fewer.`;
  list.className = "search";
  list.append(...found.map(([, row]) => item(row)));
  place.replaceChildren(said, list);
});
