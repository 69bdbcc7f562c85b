// The script of every page: the address of this service in the examples, buttons that copy, and the search of the guides.

const reference = document.querySelector("[data-origin]");
if (reference) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    text.data = text.data.replaceAll(reference.dataset.origin, location.origin);
  }
}

// Browsers offer the clipboard on https and on this machine only.
if (navigator.clipboard) {
  for (const code of document.querySelectorAll("main pre > code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        // The browser refused; the text can still be selected.
        button.textContent = "Not copied";
      }
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2_000);
    });
    code.after(button);
  }
}

const wordsMax = 8;
const sectionsMax = 30;

const query = (new URLSearchParams(location.search).get("q") ?? "").trim();
if (query !== "" && location.pathname === "/docs/guides") void showFound(query);

async function showFound(query) {
  const response = await fetch("/docs/search.json");
  const found = findSections(await response.json(), query);
  const [word] = listWords(query);
  document.querySelector("input[name=q]").value = query;
  document.title = `${query} – Starpost`;
  const list = document.createElement("ul");
  list.className = "found";
  for (const section of found) list.append(renderSection(section, word));
  const count = document.createElement("p");
  count.textContent = found.length === 0 ? "Nothing was found." : "";
  const heading = document.createElement("h1");
  heading.textContent = query;
  document.querySelector("main").replaceChildren(heading, count, list);
}

function listWords(query) {
  return query.toLowerCase().split(/\s+/).slice(0, wordsMax);
}

/** Sections with every word, those with all of them in a title or heading first. */
function findSections(sections, query) {
  const words = listWords(query);
  const hasAll = (text) => words.every((word) => text.toLowerCase().includes(word));
  const found = sections.filter(({ title, text }) => hasAll(`${title} ${text}`));
  const titled = found.filter(({ title }) => hasAll(title));
  return [...titled, ...found.filter((section) => !titled.includes(section))].slice(0, sectionsMax);
}

function renderSection({ url, title, text }, word) {
  const from = Math.max(text.lastIndexOf(" ", text.toLowerCase().indexOf(word) - 60), 0);
  const excerpt = text.slice(from, from + 180).replace(/\S*$/, "");
  const link = document.createElement("a");
  link.href = url;
  link.textContent = title;
  const item = document.createElement("li");
  item.append(link, document.createElement("br"), `… ${excerpt} …`);
  return item;
}

// The search of the reference: what does not have the words is hidden, and their tables are unfolded.
const entries = [...document.querySelectorAll("main > section[id]")];
if (reference) addReferenceSearch();

function addReferenceSearch() {
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Search the reference";
  field.setAttribute("aria-label", field.placeholder);
  const count = document.createElement("p");
  count.setAttribute("role", "status");
  count.hidden = true;
  document.querySelector("nav .name").after(field, count);
  const links = new Map(
    [...document.querySelectorAll("nav li a")].map((link) => [link.hash.slice(1), link]),
  );
  field.addEventListener("input", () => {
    const words = listWords(field.value).filter(Boolean);
    const found = entries.filter((entry) => hasWords(entry.textContent, words));
    document.body.classList.toggle("searching", words.length > 0);
    for (const entry of entries) {
      const isFound = found.includes(entry);
      entry.hidden = !isFound;
      links.get(entry.id)?.parentElement.toggleAttribute("hidden", !isFound);
      for (const details of entry.querySelectorAll("details")) {
        details.open = words.length > 0 && isFound && hasWords(details.textContent, words);
      }
    }
    count.hidden = words.length === 0;
    count.textContent = found.length === 0 ? "Nothing was found." : `${found.length} found`;
  });
  const open = () => {
    const shown = document.getElementById(location.hash.slice(1));
    if (entries.includes(shown)) shown.querySelector("details")?.setAttribute("open", "");
  };
  addEventListener("hashchange", open);
  open();
}

function hasWords(text, words) {
  return words.every((word) => text.toLowerCase().includes(word));
}
