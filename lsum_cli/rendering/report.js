"use strict";
// Keeps the panes of every report in step; what it adds to the links and radio buttons are clicks on whole
// sentences, keys, and a strip above the source that says what is shown.
(() => {
  const wide = matchMedia("(min-width: 60rem)");
  const byId = id => document.getElementById(id);
  const isShown = element => element.getClientRects().length > 0;

  class Report {
    constructor(article) {
      this.article = article;
      this.pane = article.querySelector(":scope > .source");
      this.strip = this.pane && this.pane.querySelector(".strip");
      this.stops = [...article.querySelectorAll(".zoom input")];
      this.first = this.stops.find(stop => stop.checked);
      this.sentence = null;
      this.places = [];
      this.at = 0;
      article.addEventListener("click", event => this.onClick(event));
      for (const stop of this.stops) stop.addEventListener("change", () => this.afterZoom());
      article.querySelectorAll(".keys").forEach(line => { line.hidden = false; });
    }

    get stop() { return this.stops.find(stop => stop.checked); }
    get isFull() { return Boolean(this.stop) && this.stop.value === "full"; }
    get sentences() { return [...this.article.querySelectorAll(".length .sentence")].filter(isShown); }

    placesOf(sentence) {
      const ids = sentence.dataset.evidence;
      return this.pane && ids ? ids.split(" ").map(byId).filter(Boolean) : [];
    }

    citersOf(place, anywhere = false) {
      const found = [...place.querySelectorAll(".by")].map(link => byId(link.hash.slice(1)));
      return anywhere ? found : found.filter(isShown);
    }

    // ---- what is chosen

    choose(sentence, { place = null, keepsPlace = false } = {}) {
      this.forget();
      current = this;
      this.sentence = sentence;
      this.places = this.placesOf(sentence);
      sentence.classList.add("chosen");
      for (const each of this.places) each.classList.add("evidence");
      this.at = Math.max(0, this.places.indexOf(place));
      // Without evidence in words, the section that weighs most.
      const mark = sentence.querySelector(".mark");
      const section = !this.places.length && this.pane && mark && byId(mark.hash.slice(1));
      if (this.places.length || section) this.article.classList.add("split");
      this.fillStrip();
      if (section && this.pane.contains(section)) this.scrollTo(section); else this.show(keepsPlace);
      reveal(sentence, this.article.classList.contains("split") && !wide.matches ? innerHeight * .4 : innerHeight);
      remember(sentence.id);
    }

    chooseCiters(place) {
      if (this.isFull) this.zoom(this.stops.find(stop => place.classList.contains(`in-${stop.value}`)
        && place.querySelector(`.by.in-full.in-${stop.value}`)) || this.first, true);
      const citers = this.citersOf(place);
      if (!citers.length) return;
      const next = citers[(citers.indexOf(this.sentence) + 1) % citers.length];
      this.choose(next, { place, keepsPlace: true });
      for (const each of citers) each.classList.add("citing");
    }

    forget() {
      for (const name of ["chosen", "citing", "evidence", "here"])
        this.article.querySelectorAll(`.${name}`).forEach(each => each.classList.remove(name));
      this.article.classList.remove("split");
      if (this.strip) { this.strip.hidden = true; this.strip.replaceChildren(); }
      this.sentence = null;
      this.places = [];
    }

    clear() {
      if (!this.sentence) return;
      const mark = this.sentence.querySelector(".mark");
      this.forget();
      if (mark) mark.focus({ preventScroll: true });
      remember("");
    }

    // ---- the source pane

    show(keepsPlace = false) {
      this.article.querySelectorAll(".here").forEach(each => each.classList.remove("here"));
      const place = this.places[this.at];
      if (!place) return;
      if (this.places.length > 1) place.classList.add("here");
      this.counter && (this.counter.textContent = `${this.at + 1} of ${this.places.length}`);
      if (!keepsPlace) this.scrollTo(place);
    }

    next() {
      if (this.places.length < 2) return;
      this.at = (this.at + 1) % this.places.length;
      this.show();
    }

    scrollTo(place) {
      for (let above = place.closest("details"); above; above = above.parentElement.closest("details")) above.open = true;
      this.seeking = place;
      const seek = (frames, still) => {
        if (this.seeking !== place || !frames || still > 2) return;
        requestAnimationFrame(() => seek(frames - 1, this.approach(place) ? 0 : still + 1));
      };
      // Text that comes into view is laid out only then, and moves what is around it.
      this.approach(place);
      seek(40, 0);
    }

    // Whether the place was not yet where it belongs.
    approach(place) {
      const box = place.getBoundingClientRect();
      if (getComputedStyle(this.pane).overflowY === "visible") {
        place.scrollIntoView({ block: "center", behavior: "instant" });
        return Math.abs(box.top - place.getBoundingClientRect().top) > 1;
      }
      const strip = this.strip.hidden ? 0 : this.strip.offsetHeight;
      const room = this.pane.clientHeight - strip;
      const above = strip + Math.max(16, Math.min(room * .3, (room - box.height) / 2));
      const before = this.pane.scrollTop;
      this.pane.scrollTo({ top: before + box.top - this.pane.getBoundingClientRect().top - above, behavior: "instant" });
      return Math.abs(this.pane.scrollTop - before) > 1;
    }

    fillStrip() {
      if (!this.strip) return;
      const bar = element("p", "bar");
      const sentences = this.sentences;
      bar.append(element("b", "", `Sentence ${sentences.indexOf(this.sentence) + 1} of ${sentences.length}`));
      this.counter = null;
      if (this.places.length > 1) {
        this.counter = element("span", "quiet");
        bar.append(this.counter, button("Next place", () => this.next()));
      }
      bar.append(button("\u00d7", () => this.clear(), "Done"));
      const card = byId(`${this.sentence.id}-origin`);
      const copy = card && card.cloneNode(true);
      if (copy) {
        copy.removeAttribute("id");
        const box = element("div", "card");
        box.append(...copy.children);
        this.strip.replaceChildren(bar, box);
      } else this.strip.replaceChildren(bar);
      this.strip.hidden = false;
    }

    // ---- the zoom

    zoom(stop, isQuiet = false) {
      if (!stop || stop.checked) return;
      stop.checked = true;
      if (!isQuiet) this.afterZoom();
    }

    step(by) {
      this.zoom(this.stops[this.stops.indexOf(this.stop) + by]);
    }

    afterZoom() {
      current = this;
      const [before, places] = [this.sentence, this.places];
      const evidence = before && before.dataset.evidence;
      this.forget();
      if (this.isFull) {
        if (places.length) { places.forEach(each => each.classList.add("evidence")); this.scrollTo(places[0]); }
      } else if (evidence) {
        // The same statement, where this length has it.
        const same = this.sentences.find(each => each.dataset.evidence === evidence);
        if (same) this.choose(same); else remember("");
      }
    }

    move(by) {
      const sentences = this.sentences.filter(each => each.querySelector(".mark"));
      if (!sentences.length) return;
      const at = sentences.indexOf(this.sentence);
      const next = at < 0 ? (by > 0 ? 0 : sentences.length - 1) : Math.min(Math.max(at + by, 0), sentences.length - 1);
      this.choose(sentences[next]);
      sentences[next].querySelector(".mark").focus({ preventScroll: true });
    }

    // The PDF page that the place begins on, else the source as a whole.
    openSource() {
      if (!this.sentence) return;
      const place = this.places[this.at];
      const own = place && place.closest(".document");
      const sheets = own ? [...own.querySelectorAll("a.sheet")] : [];
      const sheet = sheets.findLast(each => each.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING);
      const card = byId(`${this.sentence.id}-origin`);
      const link = sheet || (card && card.querySelector(".link a, cite a:not([href^='#'])"));
      if (link) link.click();
    }

    // ---- clicks

    onClick(event) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      const link = event.target.closest("a");
      if (link) {
        if (!link.getAttribute("href").startsWith("#")) return;
        const target = byId(link.hash.slice(1));
        if (target && this.goTo(target, link)) event.preventDefault();
        return;
      }
      if (!getSelection().isCollapsed) return;
      const sentence = event.target.closest(".sentence");
      const place = event.target.closest(".cited");
      if (sentence && sentence.querySelector(".mark")) this.choose(sentence);
      else if (place) this.chooseCiters(place);
    }

    // Whether the script went there itself.
    goTo(target, link = null) {
      const from = link && link.closest(".sentence");
      if (from) { this.choose(from); return true; }
      if (target.matches(".sentence")) {
        const length = target.closest(".length");
        if (!isShown(length)) this.zoom(this.stops.find(stop => stop.value === length.dataset.stop), true);
        this.choose(target, { place: link && link.closest(".cited"), keepsPlace: Boolean(link && link.closest(".cited")) });
        return true;
      }
      if (target.matches(".cited")) {
        const card = link && link.closest(".origins .card");
        const owner = card && byId(card.querySelector(".back").hash.slice(1));
        if (owner) this.choose(owner, { place: target });
        else if (this.places.includes(target)) { this.at = this.places.indexOf(target); this.show(); }
        else this.chooseCiters(target), this.scrollTo(target);
        return true;
      }
      if (this.pane && this.pane.contains(target)) {
        if (!wide.matches && !this.article.classList.contains("split")) return false;
        this.scrollTo(target);
        return true;
      }
      return false;
    }
  }

  function element(tag, name, text = "") {
    const made = document.createElement(tag);
    made.className = name;
    made.textContent = text;
    return made;
  }

  function button(text, act, label = "") {
    const made = element("button", "", text);
    made.type = "button";
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", event => { event.stopPropagation(); act(); });
    return made;
  }

  // Scrolls the page so that a sentence is above `bottom`, and not at all where it is.
  function reveal(sentence, bottom) {
    const box = sentence.getBoundingClientRect();
    const bar = sentence.closest(".report").querySelector(".zoom");
    const top = bar ? bar.offsetHeight + 8 : 8;
    if (box.top >= top && box.bottom <= bottom - 8) return;
    scrollBy({ top: box.top - top - Math.max(0, (bottom - top - box.height) / 3), behavior: "instant" });
  }

  function remember(id) {
    try { history.replaceState(null, "", id ? `#${id}` : location.pathname + location.search); } catch { /* a frame without history */ }
  }

  const reports = [...document.querySelectorAll("article.report")].map(article => new Report(article));
  let current = reports[0];
  document.documentElement.classList.add("js");

  function inView() {
    const middle = innerHeight / 3;
    return reports.find(each => { const box = each.article.getBoundingClientRect(); return box.top <= middle && box.bottom > middle; }) || current;
  }

  const keys = {
    j: report => report.move(1), k: report => report.move(-1), e: report => report.next(), o: report => report.openSource(),
    "+": report => report.step(1), "=": report => report.step(1), "-": report => report.step(-1), Escape: report => report.clear(),
  };
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !reports.length) return;
    const report = current && current.sentence ? current : inView();
    const isStop = event.target.matches && event.target.matches("input");
    const arrow = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // Arrows scroll, until a sentence is chosen; in the source pane they go on scrolling.
    if (arrow && !isStop && report.sentence && event.target !== report.pane) report.move(arrow);
    else if (keys[event.key]) keys[event.key](report);
    else return;
    event.preventDefault();
  });

  function follow() {
    const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
    const owner = target && reports.find(each => each.article.contains(target));
    if (owner && target !== owner.article) owner.goTo(target);
  }
  addEventListener("hashchange", follow);
  if (reports.length) follow();
})();
