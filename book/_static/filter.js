// Filters a list by the radio buttons of the form above it. Each item carries its values as data-<name>; without this
// script the form stays hidden and the list whole.
for (const form of document.querySelectorAll("form[data-filter]")) {
  const items = [...document.getElementById(form.dataset.filter).children],
    status = form.querySelector("[role=status]");
  const apply = () => {
    const wanted = [...new FormData(form)].filter(([, value]) => value);
    for (const item of items) item.hidden = !wanted.every(([name, value]) => item.dataset[name] === value);
    status.textContent = `${items.filter((item) => !item.hidden).length} of ${items.length}`;
  };
  const reveal = () => {
    // a link to a hidden item shows all again
    const target = items.find((item) => item.id && `#${item.id}` === location.hash);
    if (target?.hidden) {
      form.reset();
      apply();
      target.scrollIntoView();
    }
  };
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", reveal);
  form.hidden = false;
  apply();
}
