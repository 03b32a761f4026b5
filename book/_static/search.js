// What is searched for: sections whose words match, the chapters before the lists, titles before text, each with the
// sentence that says it, while it is typed: on the search page, and in the window that Ctrl + K opens on every page
// (page.js loads this file for it). What is typed is data: it is compared and shown as text, never read as markup or as
// a pattern.
globalThis.ittSearch = (() => {
  const MOST = 40,
    FEW = 8, // in the window
    TELLING = 180, // characters of a sentence that is shown
    BRIEF = 40, // and of one that says little by itself
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
    dk: "d k",
    ffn: "feed forward",
    mlp: "feed forward",
    qkv: "query key value",
    rnn: "recurrent",
    gpt2: "gpt",
  };
  const EXACT = 1, // how much a word of the book is worth to one that is typed
    BEGUN = 0.9,
    SHORTER = 0.7;

  // British and American spelling are one
  const spelled = (word) =>
    word
      .replace(/is(ations?|e|ed|es|ing|ers?)$/, "iz$1")
      .replace(/^(behavi|col|fav|hum|lab|neighb|vap)our/, "$1or")
      .replace(/^(cent|met|fib|lit)re(s?)$/, "$1er$2");
  function words(text) {
    const plain = text
      .toLowerCase()
      .normalize("NFKC")
      .replace(/√|\bsquare[- ]roots?\b/g, " sqrt ")
      .replaceAll("d_k", "dk");
    return [...plain.matchAll(WORD)].flatMap(([word]) =>
      Object.hasOwn(LONG, word) ? LONG[word].split(" ") : [spelled(word)],
    );
  }
  // "byte-pair encoding (BPE), learning its merges" is looked for by each of its three names
  const called = (topic) =>
    [topic, ...topic.split(/[,:;()]/)]
      .map((name) => words(name).filter((word) => !SMALL.has(word)))
      .filter((name) => name.length);
  const root = (word) =>
    word.length > 4 ? word.replace(/(?:ies|y)$/, "i").replace(/(?:ations?|ings?|ions?|ers?|ed|es|al|s|e)$/, "") : word;
  // "tokens" finds "token" and "tokenization", "queries" finds "query": the shorter of two roots begins the longer one
  function alike(a, b) {
    if (a === b) return EXACT;
    if (b.length > 2 && a.startsWith(b)) return BEGUN;
    return a.length > 3 && b.startsWith(a) && b.length - a.length < 3 ? SHORTER : 0;
  }
  // at most one letter too many, too few, another one, or two exchanged; s and z count as one
  function slipped(one, other) {
    const a = one.replaceAll("z", "s"),
      b = other.replaceAll("z", "s"),
      shorter = Math.min(a.length, b.length);
    if (Math.abs(a.length - b.length) > 1) return false;
    let i = 0;
    while (i < shorter && a[i] === b[i]) i++;
    if (a.length !== b.length)
      return a.length > b.length ? a.slice(i + 1) === b.slice(i) : a.slice(i) === b.slice(i + 1);
    return (
      a.slice(i + 1) === b.slice(i + 1) || (a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2))
    );
  }

  let rows; // the sections, in numbers of words
  const known = new Map(), // every word of the book: its number
    roots = [],
    times = []; // how often it stands
  function numbered(list) {
    return list.map((word) => {
      if (!known.has(word)) {
        known.set(word, roots.length);
        roots.push(root(word));
        times.push(0);
      }
      times[known.get(word)]++;
      return known.get(word);
    });
  }
  function read() {
    rows = ittSections.map(([address, page, title, sentences, weight, names, topics]) => {
      const row = { address, page, title, sentences, weight, isPage: title === page };
      row.names = names.split(", ").map((name) => words(name).join(" "));
      row.plain = words(title).join(" ");
      row.inTitle = numbered(words(title).filter((word) => !/^\d+$/.test(word)));
      row.inPage = numbered(words(page));
      row.inNames = [...row.inPage, ...numbered(words(names))];
      row.inTopics = topics.flatMap(called).map(numbered);
      row.inText = sentences.map((sentence) => numbered(words(sentence)));
      row.inAll = [...new Set([row.inNames, row.inTitle, ...row.inTopics, ...row.inText].flat())];
      return row;
    });
  }
  // what each word of the book is worth to a typed one, by its number; null where none is
  function meant(wish) {
    const own = root(wish),
      worth = new Float32Array(roots.length);
    let some = false;
    for (let i = 0; i < roots.length; i++) {
      worth[i] = alike(roots[i], own);
      some ||= worth[i] > 0;
    }
    return some ? worth : null;
  }
  // a slip leaves the first letter as it is, or, in a long word, most of the others; a short word keeps its length, or
  // its last letter as well
  function meantFor(wish, word) {
    if (!slipped(wish, word)) return false;
    if (wish[0] !== word[0]) return Math.min(wish.length, word.length) > 5;
    return wish.length > 4 || wish.length === word.length || wish.at(-1) === word.at(-1);
  }
  // the most frequent word of the book that fits
  function best(fits) {
    let most = "";
    for (const [word, i] of known) if (fits(word, roots[i]) && times[i] > (times[known.get(most)] ?? 0)) most = word;
    return most;
  }
  // the word of the book that is one slip of the keyboard away
  function nearest(wish) {
    if (wish.length < 4) return "";
    const own = root(wish);
    return (
      best((word) => word.length > 3 && meantFor(wish, word)) ||
      (own.length > 3 && best((_, its) => its.length > 3 && meantFor(own, its))) ||
      ""
    );
  }
  // and the one that begins with what is: somebody is still typing
  const begun = (wish) =>
    wish.length < 6
      ? ""
      : best(
          (word) => word.length > wish.length && [-1, 0, 1].some((n) => meantFor(wish, word.slice(0, wish.length + n))),
        );
  // what was typed, in words of the book: what each of them is worth, and which ones were mended
  function understood(query) {
    const typed = words(query),
      mends = new Set();
    const large = typed.some((word) => !SMALL.has(word)) ? typed.filter((word) => !SMALL.has(word)) : typed;
    const mended = large.flatMap((word) => {
      if (meant(word)) return [word];
      let better = nearest(word); // before it is cut: "cashe" is no "ca she"
      for (let cut = 2; !better && cut < word.length - 1; cut++) {
        const parts = [word.slice(0, cut), word.slice(cut)]; // "beamsearch"
        if (parts.every((part) => known.has(part))) return parts;
      }
      better ||= begun(word);
      if (better) mends.add(better);
      return [better || word];
    });
    const asked = mended.map((word, i) => {
      const own = meant(word) ?? new Float32Array(roots.length);
      // "layer norm" is written "LayerNorm", too
      for (const glued of [mended[i - 1] + word, word + mended[i + 1]])
        if (known.has(glued)) own[known.get(glued)] = EXACT;
      return own;
    });
    // who asks a question wants the chapter that answers it; who names a term, its definition
    const question = ["difference", "how", "what", "why"].some((word) => typed.includes(word));
    const said = mends.size ? mended.filter((word) => mends.has(word) || meant(word)).join(" ") : "";
    return { asked, said, question, plain: typed.join(" ") };
  }

  // how much of what is asked for stands in a list of words
  function share(asked, there) {
    let sum = 0;
    for (const wish of asked) {
      let most = 0;
      for (const word of there) if (wish[word] > most) most = wish[word];
      sum += most;
    }
    return sum / asked.length;
  }
  // how much of a name is what was asked: "Attention" before "Attention in other models"
  function whole(asked, name) {
    const all = share(asked, name);
    return all < SHORTER ? 0 : (all * name.filter((word) => asked.some((wish) => wish[word])).length) / name.length;
  }
  function rank(row, { asked, question, plain }) {
    const all = share(asked, row.inAll);
    if (all < 0.5) return 0;
    const most = (lists, measure) => lists.reduce((most, list) => Math.max(most, measure(asked, list)), 0);
    const inTitle = share(asked, row.inTitle),
      ofTitle = whole(asked, row.inTitle),
      inText = most(row.inText, share),
      ofTopic = most(row.inTopics, whole);
    if (all < SHORTER && asked.length === 2 && inTitle + inText + ofTopic === 0) return 0;
    let points = 10 * inTitle + 6 * ofTitle + 9 * ofTopic + 4 * inText + 2 * all;
    if (row.isPage) {
      points += 3 * share(asked, row.inPage) + 5 * share(asked, row.inNames);
      if ((inTitle || question) && row.names.includes(plain)) points += 10;
    } else {
      points += 3 * share(asked, row.inNames);
      if (!question && row.address.startsWith("book/glossary")) points += (plain === row.plain ? 9 : 6) * ofTitle;
    }
    return points * (question && row.weight < 1 ? row.weight / 2 : row.weight);
  }
  function find(wanted) {
    const seen = new Map(); // a guess and its answer have one name
    for (const [place, row] of rows.entries()) {
      const points = rank(row, wanted),
        name = `${row.page}\n${row.title}`.toLowerCase(); // a letter's or a group's heading and its first entry too
      const last = seen.get(name);
      if (points > (last?.points ?? 0) || (points && points === last.points && !last.row.sentences.length))
        seen.set(name, { points, row, address: last?.address ?? row.address, place });
    }
    const list = [...seen.values()].sort((a, b) => b.points - a.points || a.place - b.place);
    // a term that is typed as the glossary has it: before every section, and after a chapter that has it for its subject
    const term = list.findIndex(
        ({ row }) => row.address.startsWith("book/glossary.html#") && row.plain === wanted.plain,
      ),
      section = list.findIndex(({ row }) => !row.isPage);
    if (term > section && !wanted.question) list.splice(section, 0, ...list.splice(term, 1));
    return list;
  }

  const made = (tag, rest) => Object.assign(document.createElement(tag), rest);
  function marked(tag, text, asked, rest = {}) {
    const out = made(tag, rest);
    out.append(
      ...text.split(/([\p{L}\p{N}]+)/u).map((part, i) => {
        if (!(i % 2) || !words(part).some((word) => asked.some((wish) => wish[known.get(word)]))) return part;
        return made("mark", { textContent: part });
      }),
    );
    return out;
  }
  // a number stays on the line of the name that it counts
  const kept = (name) => name.replace(/^(\d+) /, "$1\u00a0");
  // of the sentences with most of what is asked the one that says most: the longest that is no paragraph
  function telling({ inText, sentences }, asked) {
    const hits = inText.map((sentence) => share(asked, sentence)),
      most = Math.max(0, ...hits);
    if (!most) return sentences[0];
    const fit = sentences.filter((_, i) => hits[i] === most).sort((a, b) => a.length - b.length);
    const told = fit.findLast((sentence) => sentence.length <= TELLING) ?? fit[0],
      before = told.length < BRIEF && sentences[sentences.indexOf(told) - 1]; // "That is attention." says it of this one
    const whole = [before || "", told].every((sentence) => /[.?!”]$/.test(sentence)); // no entry of a list
    return whole && before.length + told.length < TELLING ? `${before} ${told}` : told;
  }
  function item({ row, address }, asked, home) {
    const out = made("li");
    out.append(marked("a", kept(row.title), asked, { href: home + address }));
    if (!row.isPage) out.append(made("small", { textContent: kept(row.page) }));
    const shown = telling(row, asked);
    if (shown) out.append(marked("p", shown, asked));
    return out;
  }
  const counted = (n) => `${n} ${n === 1 ? "section" : "sections"}`;
  function told(query, found, { said, asked, plain }) {
    if (!found.length) return `No section has “${query}”. Try another word, or fewer.`;
    const whole = found.filter(({ row }) => asked.every((wish) => row.inAll.some((word) => wish[word]))).length;
    if (said) return `Nothing has “${query}”: ${counted(found.length)} with “${said}”`;
    if (whole === found.length) return `${counted(whole)} with “${query}”`;
    const main = plain.split(" ").length > asked.length ? "main words" : "words"; // the small ones are not asked for
    const many = asked.length === 2 ? "both" : "all";
    return `“${query}”: ${counted(found.length)}, ${whole || "none"} with ${many} ${main}`;
  }
  // Where nothing is asked for, or found: other ways in.
  const EXAMPLES = ["KV cache", "temperature", "why divide by the square root"];
  function ways(home) {
    const out = made("p", { className: "itt-ways-in" });
    const link = (address, textContent) => made("a", { href: home + address, textContent });
    const examples = EXAMPLES.flatMap((query, i) => [
      i ? ", " : "",
      link(`search.html?q=${encodeURIComponent(query)}`, query),
    ]);
    const lists = [link("book/glossary.html", "glossary"), link("book/a_to_z.html", "index")];
    out.append("Try ", ...examples, ". Or look into the ", lists[0], " or the ", lists[1], ".");
    return out;
  }
  // Put what is found for a query into its place; `most` of it, and below a way to all.
  function show(query, place, home, most) {
    if (!query) return place.replaceChildren(ways(home));
    if (!rows) read();
    const wanted = understood(query);
    if (!wanted.asked.length) return place.replaceChildren();
    const found = find(wanted),
      list = made("ul", { className: "search" });
    list.append(...found.slice(0, most).map((one) => item(one, wanted.asked, home)));
    const said = made("p", { textContent: told(query, found, wanted) });
    said.setAttribute("role", "status");
    place.replaceChildren(said, found.length ? list : ways(home));
    if (found.length > MOST && most === MOST) {
      place.append(
        made("p", { className: "itt-all", textContent: `The first ${MOST} of ${found.length} are listed.` }),
      );
    }
    if (found.length > most && most < MOST) {
      const all = made("p", { className: "itt-all" });
      all.append(
        made("a", { href: `${home}search.html?q=${encodeURIComponent(query)}`, textContent: "Show all of them" }),
      );
      place.append(all);
    }
  }

  // The arrows go from the field through what was found and back, so that Enter opens what was chosen; who types on
  // types in the field.
  function walk(event, field, place) {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || event.isComposing) return;
    const stops = [field, ...place.querySelectorAll("ul.search > li > a")],
      step = { ArrowDown: 1, ArrowUp: -1 }[key],
      at = stops.indexOf(document.activeElement);
    if (step && at >= 0) {
      event.preventDefault();
      stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
    } else if (at > 0 && key.length === 1 && key !== " ") field.focus();
  }

  // What stands in a field is looked for at once, and again whenever it changes.
  function follow(form, home) {
    const field = form.querySelector("input[type=search]"),
      dialog = form.closest("dialog");
    const place = dialog
      ? (dialog.querySelector(".itt-found") ??
        form.insertAdjacentElement("afterend", made("div", { className: "itt-found" })))
      : document.getElementById("search-results");
    if (!place) return;
    const now = () => show(field.value.trim(), place, home, dialog ? FEW : MOST);
    if (!form.dataset.followed) {
      form.dataset.followed = "yes";
      field.addEventListener("input", () => {
        now();
        if (!dialog) history.replaceState(null, "", `?q=${encodeURIComponent(field.value.trim())}`);
      });
      for (const part of [field, place]) part.addEventListener("keydown", (event) => walk(event, field, place));
      // a result may stand on the page that is open
      place.addEventListener("click", (event) => event.target.closest("a") && dialog?.close());
    }
    now();
  }
  return () => {
    const query = new URLSearchParams(location.search).get("q")?.trim() ?? "",
      onSearchPage = document.getElementById("search-results");
    for (const form of document.querySelectorAll("form.bd-search")) {
      if (onSearchPage && !form.closest("dialog")) form.querySelector("input[type=search]").value = query;
      follow(form, document.documentElement.dataset.content_root ?? "");
    }
  };
})();
addEventListener("DOMContentLoaded", ittSearch);
