// Times in the reader's zone, and parts of the page that follow the record. Without it the page reads as well.

const minutes = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function localise(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    time.title = time.dateTime;
    time.textContent = minutes.format(moment);
  }
}

// A part that the reader is typing in, or has opened something in, stays as it is.
function isInUse(part) {
  const fields = [...part.querySelectorAll("textarea, input:not([type=hidden])")];
  return part.contains(document.activeElement) && document.activeElement !== document.body
    || fields.some((field) => field.value !== field.defaultValue);
}

function keepOpen(old, fresh) {
  const opened = [...old.querySelectorAll("details")].map((each) => each.open);
  [...fresh.querySelectorAll("details")].forEach((each, place) => {
    if (place < opened.length) each.open = opened[place];
  });
  const places = [...old.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
  return () => [...fresh.querySelectorAll(".scroll")].forEach((each, place) => { each.scrollLeft = places[place] ?? 0; });
}

let shown = new Map();

async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.title = fresh.title;
  const news = new Map([...fresh.querySelectorAll("[data-live]")].map((part) => [part.id, part]));
  const olds = [...document.querySelectorAll("[data-live]")];
  // A part that came or went changes the page around it.
  const isSame = olds.length === news.size && olds.every((part) => news.has(part.id));
  if (!isSame && !olds.some(isInUse)) {
    const main = fresh.querySelector("main");
    document.querySelector("main").replaceWith(main);
    remember(main);
    localise(main);
    return;
  }
  for (const old of olds) {
    const part = news.get(old.id);
    if (!part || part.innerHTML === shown.get(old.id) || isInUse(old)) continue;
    shown.set(old.id, part.innerHTML);
    const scrollBack = keepOpen(old, part);
    localise(part);
    old.replaceWith(part);
    scrollBack();
  }
}

function remember(root) {
  shown = new Map([...root.querySelectorAll("[data-live]")].map((part) => [part.id, part.innerHTML]));
}

// One refresh at a time; what changed meanwhile is fetched by one more.
let isBusy = false;
let isAgain = false;

async function follow() {
  if (isBusy) { isAgain = true; return; }
  isBusy = true;
  try { await refresh(); } finally { isBusy = false; }
  if (isAgain) { isAgain = false; follow(); }
}

remember(document);
localise(document);
const state = document.getElementById("live-state");
const events = new EventSource(document.body.dataset.changes);
events.addEventListener("changed", follow);
events.addEventListener("open", () => { if (state.textContent) { state.textContent = ""; follow(); } });
events.addEventListener("error", () => { state.textContent = "The page does not follow any more: autopilot web has ended."; });
