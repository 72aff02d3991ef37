// Filters of the first page, kept in the address, and buttons that copy. A classic script: modules do not load from a disk.
"use strict";

const STATUSES = ["REFUTED", "ERROR", "UNDECIDED", "VACUOUS", "SKIPPED", "HOLDS", "PROVED"];
const SEVERITIES = ["statement", "missing hypothesis", "constant", "proof step", "misprint", "inferred"];

function copyButtons() {
  for (const button of document.querySelectorAll("button.copy")) {
    const text = button.previousElementSibling;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
      } catch {
        getSelection().selectAllChildren(text); // where a page may not write the clipboard by itself
        document.execCommand("copy");
      }
      button.textContent = "Copied";
    });
  }
}

function rank(order, name) {
  const place = order.indexOf(name);
  return place < 0 ? order.length : place;
}

// What a reading is sorted by; a group stands where the first of its readings would.
const KEYS = {
  status: (reading) => rank(STATUSES, reading.dataset.status),
  severity: (reading) => rank(SEVERITIES, reading.dataset.severity),
  loosest: (reading) => -(reading.dataset.looseness || -Infinity),
  tightest: (reading) => +(reading.dataset.looseness || Infinity),
  kind: (reading) => reading.dataset.kind,
  name: (reading) => reading.closest(".group").dataset.name,
};

function claims(form) {
  const chips = [...document.querySelectorAll("button[data-filter]")];
  const groups = [...document.querySelectorAll(".group")].map((item) => ({
    item,
    home: item.parentElement,
    readings: [...item.querySelectorAll(".reading")].map((reading) => ({
      reading,
      text: [item.dataset.name, reading.dataset.text, reading.textContent].join(" ").toLowerCase(),
    })),
  }));
  const every = groups.reduce((sum, group) => sum + group.readings.length, 0);
  const sorted = document.getElementById("sorted");
  const chapters = [...document.querySelectorAll(".chapter")];
  const links = [...document.querySelectorAll(".found a")];
  let order = "";

  const pressed = (name) => chips.filter((c) => c.dataset.filter === name && c.ariaPressed === "true").map((c) => c.value);

  function state() {
    const wanted = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) wanted.set(name, value);
    for (const name of ["status", "severity"]) if (pressed(name).length) wanted.set(name, pressed(name).join(","));
    return wanted;
  }

  function restore() {
    const hash = location.hash.slice(1);
    if (hash && !hash.includes("=")) return; // a place on the page, not a filter
    const wanted = new URLSearchParams(hash);
    for (const field of form.elements) if (field.name) field.value = wanted.get(field.name) || "";
    for (const field of form.querySelectorAll("select")) if (field.selectedIndex < 0) field.selectedIndex = 0;
    for (const chip of chips) chip.ariaPressed = String((wanted.get(chip.dataset.filter) || "").split(",").includes(chip.value));
    apply();
  }

  function fits(wanted) {
    const words = (wanted.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
    const [low, high] = (wanted.get("looseness") || "").split("-");
    const among = (name, value) => !wanted.get(name) || wanted.get(name).split(",").includes(value);
    return ({ reading: { dataset: data }, text }) =>
      among("status", data.status) &&
      among("severity", data.severity) &&
      among("kind", data.kind) &&
      words.every((word) => text.includes(word)) &&
      (low === "" || (data.looseness && +data.looseness >= +low && (!high || +data.looseness <= +high)));
  }

  function arrange(by) {
    if (by === order) return;
    order = by;
    if (KEYS[by]) {
      const key = (group) => group.readings.map(({ reading }) => KEYS[by](reading)).reduce((a, b) => (b < a ? b : a));
      const keyed = groups.map((group) => [key(group), group]);
      keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      sorted.append(...keyed.map(([, group]) => group.item));
    } else {
      for (const group of groups) group.home.append(group.item);
    }
    sorted.hidden = !KEYS[by];
  }

  function apply() {
    const wanted = state();
    const fit = fits(wanted);
    let shown = 0;
    for (const group of groups) {
      const here = !wanted.get("paper") || group.item.dataset.paper === wanted.get("paper");
      let any = 0;
      for (const each of group.readings) {
        each.reading.hidden = !(here && fit(each));
        any += !each.reading.hidden;
      }
      group.item.hidden = !any;
      shown += any;
    }
    arrange(wanted.get("sort") || "");
    for (const chapter of chapters) chapter.hidden = !chapter.querySelector(".group:not([hidden])");
    const said = `${shown} of ${every} readings shown`;
    document.getElementById("shown").textContent = said;
    for (const link of links) {
      link.textContent = `${said} below`;
      link.parentElement.hidden = shown === every;
    }
    return wanted;
  }

  function changed() {
    history.replaceState(null, "", `#${apply()}`);
  }

  form.hidden = false;
  for (const kind of ["input", "change"]) form.addEventListener(kind, changed); // some drivers of browsers send one alone
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    for (const chip of chips) chip.ariaPressed = "false";
    setTimeout(changed); // the fields are emptied after this event
  });
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      chip.ariaPressed = String(chip.ariaPressed !== "true");
      changed();
    });
  }
  for (const link of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault(); // the address keeps the filters
      document.getElementById("claims").scrollIntoView();
    });
  }
  addEventListener("hashchange", restore);
  restore();
  if (!document.getElementById("shown").textContent) apply();
}

copyButtons();
const filters = document.getElementById("filters");
if (filters) claims(filters);
