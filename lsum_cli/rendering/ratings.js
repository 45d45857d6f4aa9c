"use strict";
const criteria = [...document.querySelectorAll("dl dt")].map((name) => name.textContent);
const articles = [...document.querySelectorAll("article")];
const texts = JSON.parse(document.getElementById("texts").textContent);
const key = "lsum-ratings-" + document.body.dataset.sheet;
const state = document.getElementById("state");

function value(article, name) {
  const id = article.dataset.item;
  if (name === "comment") return document.getElementsByName(id + "-comment")[0].value;
  const chosen = article.querySelector(`input[name="${id}-${name}"]:checked`);
  return chosen ? chosen.value : "";
}

function missing() {
  return articles.filter((article) => criteria.some((name) => !value(article, name)));
}

function say() {
  const left = missing().length;
  state.textContent = left ? `${left} of ${articles.length} still to rate` : "all rated";
}

function keep() {
  const kept = {};
  for (const article of articles)
    kept[article.dataset.item] = [...criteria, "comment"].map((name) => value(article, name));
  try { localStorage.setItem(key, JSON.stringify(kept)); } catch (error) { /* kept in the page alone */ }
  say();
}

function restore() {
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(key) || "{}"); } catch (error) { /* nothing was kept */ }
  for (const article of articles) {
    const id = article.dataset.item;
    (kept[id] || []).forEach((found, place) => {
      if (place === criteria.length) document.getElementsByName(id + "-comment")[0].value = found;
      const input = article.querySelector(`input[name="${id}-${criteria[place]}"][value="${found}"]`);
      if (input) input.checked = true;
    });
  }
}

function quote(text) {
  return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

function save() {
  const left = missing();
  if (left.length) {
    say();
    left[0].scrollIntoView({ behavior: "smooth" });
    return;
  }
  const lines = [["row", "item", "example", "summary", ...criteria, "comment"]];
  for (const article of articles) {
    const { row, item, example } = article.dataset;
    lines.push([row, item, example, texts[item], ...[...criteria, "comment"].map((name) => value(article, name))]);
  }
  const content = lines.map((line) => line.map(quote).join(",")).join("\n") + "\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "text/csv" }));
  link.download = "ratings.csv";
  link.click();
}

document.addEventListener("change", keep);
document.addEventListener("keydown", (event) => {
  const field = event.target.closest && event.target.closest("fieldset");
  const input = field && field.querySelector(`input[value="${event.key}"]`);
  if (input) { input.checked = true; input.focus(); keep(); }
});
document.getElementById("save").addEventListener("click", save);
restore();
say();
