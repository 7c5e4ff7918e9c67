#!/usr/bin/env python3
"""Opens reports in a headless Chromium and uses them as a reader would.

Usage: report.test.py REPORT.html...

Needs the Debian packages chromium and chromium-driver, and selenium from PyPI. Says what failed and exits with 1.
"""

import base64
import json
import pathlib
import re
import sys
import unittest

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

REPORTS = [pathlib.Path(name).resolve() for name in sys.argv[1:]]


def browser():
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1440,1000", "--lang=en"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


# Elements whose text is cut off or sticks out of what holds it; what scrolls is not cut off.
CLIPPED = """
const bad = [];
const name = e => e.tagName + '.' + (e.className.baseVal ?? e.className) + ': ' + e.textContent.trim().slice(0, 40);
for (const e of document.querySelectorAll('h1,h2,h3,p,li,dt,dd,td,th,a,button,caption,figcaption,summary,code')) {
  if (!e.checkVisibility() || e.closest('.skip')) continue;
  const style = getComputedStyle(e);
  if (style.position === 'absolute' && e.offsetWidth <= 1) continue;
  if (style.display !== 'inline' && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0) bad.push(name(e));
  const box = e.getBoundingClientRect();
  if (box.right > innerWidth + 1 && !e.closest('.table,.canvas,pre')) bad.push('outside ' + name(e));
}
if (document.documentElement.scrollWidth > innerWidth + 1) bad.push('the page scrolls sideways');
return bad;
"""

# Labels of pictures that overlap each other or stick out of their picture.
LABELS = """
const bad = [];
for (const svg of document.querySelectorAll('main svg')) {
  const frame = svg.getBoundingClientRect();
  const labels = Array.from(svg.querySelectorAll('text')).filter(t => t.textContent.trim())
    .map(t => ({ text: t.textContent, box: t.getBoundingClientRect() }));
  for (const label of labels) {
    const b = label.box;
    if (b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 || b.bottom > frame.bottom + 1)
      bad.push('outside: ' + label.text);
  }
  for (let i = 0; i < labels.length; i++) for (let j = i + 1; j < labels.length; j++) {
    const [a, b] = [labels[i].box, labels[j].box];
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    // The boxes of two lines of text touch; letters overlap only beyond a third of their height.
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width > 1 && height > Math.min(a.height, b.height) / 3)
      bad.push('overlap: ' + labels[i].text + ' / ' + labels[j].text);
  }
}
return bad;
"""

# Texts with less contrast to their background than WCAG AA asks for (4.5 to 1, 3 to 1 when large).
CONTRAST = """
const channels = c => (c.match(/[\\d.]+/g) || []).map(Number);
const light = c => { const [r, g, b] = channels(c).map(v => v / 255)
  .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
  const [, , , a = 1] = channels(c); if (a > 0) return c; } return 'rgb(255, 255, 255)'; };
const bad = new Set();
for (const e of document.querySelectorAll('body *:not(svg):not(svg *)')) {
  const own = Array.from(e.childNodes).some(n => n.nodeType === 3 && n.textContent.trim());
  if (!own || !e.checkVisibility() || ['SCRIPT', 'STYLE'].includes(e.tagName)) continue;
  const style = getComputedStyle(e);
  const [a, b] = [light(style.color), light(ground(e))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const needed = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
  if (ratio < needed) bad.add(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2));
}
return Array.from(bad);
"""

# What a screen reader needs and does not find.
ACCESSIBILITY = """
const bad = [];
const ids = Array.from(document.querySelectorAll('[id]')).map(e => e.id);
for (const id of new Set(ids)) if (ids.filter(i => i === id).length > 1) bad.push('id twice: ' + id);
for (const [selector, count] of [['main', 1], ['h1', 1], ['nav[aria-label]', 1], ['[role=search]', 1]])
  if (document.querySelectorAll(selector).length !== count) bad.push('not once: ' + selector);
for (const table of document.querySelectorAll('table')) {
  if (!table.caption) bad.push('table without caption');
  for (const cell of table.tHead.rows[0].cells) if (cell.scope !== 'col') bad.push('column without scope');
}
for (const svg of document.querySelectorAll('main svg'))
  if (!svg.querySelector('title') || !svg.querySelector('desc') || !svg.getAttribute('role'))
    bad.push('picture without title, desc or role: ' + svg.id);
for (const e of document.querySelectorAll('[aria-labelledby],[aria-describedby]'))
  for (const id of ((e.getAttribute('aria-labelledby') || '') + ' ' + (e.getAttribute('aria-describedby') || '')).split(' '))
    if (id && !document.getElementById(id)) bad.push('no element ' + id);
for (const e of document.querySelectorAll('button,a,input,select'))
  if (!(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)) bad.push('nameless ' + e.outerHTML);
let level = 1;
for (const h of document.querySelectorAll('h1,h2,h3,h4')) {
  if (h.tagName[1] > level + 1) bad.push('heading skips a level: ' + h.textContent);
  level = Number(h.tagName[1]);
}
return bad;
"""


# Waits until the page has stopped scrolling: until its place is the same in four frames. A timer would not do: on a busy
# machine it goes off several times before the frame in which the page is scrolled.
SETTLED = """
const done = arguments[0];
let [place, looks] = [scrollY, 0];
const look = () => {
  looks = scrollY === place ? looks + 1 : 0;
  place = scrollY;
  if (looks < 4) requestAnimationFrame(look); else done();
};
requestAnimationFrame(look);
"""


class Report(unittest.TestCase):
    """One report, loaded once; every test leaves it as it found it."""

    path: pathlib.Path

    @classmethod
    def setUpClass(cls):
        cls.page = browser()
        cls.page.get(cls.path.as_uri())
        cls.load_logs = cls.page.get_log("performance")

    @classmethod
    def tearDownClass(cls):
        cls.page.quit()

    def all(self, selector):
        return self.page.find_elements(By.CSS_SELECTOR, selector)

    def run_script(self, script, *arguments):
        return self.page.execute_script(script, *arguments)

    def media(self, scheme="light", medium="screen"):
        self.page.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"media": medium, "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def active(self):
        return self.page.switch_to.active_element

    def test_console_is_silent_and_nothing_is_requested(self):
        requests = [
            message["params"]["request"]["url"]
            for message in (json.loads(entry["message"])["message"] for entry in self.load_logs)
            if message["method"] == "Network.requestWillBeSent"
        ]
        self.assertEqual([self.path.as_uri()], requests)
        self.assertEqual([], self.page.get_log("browser"))

    def test_loads_in_under_a_second(self):
        # The best of three, so that a busy machine is not taken for a slow page.
        times = []
        for _ in range(3):
            times.append(self.run_script("return performance.getEntriesByType('navigation')[0].loadEventEnd"))
            self.page.refresh()
        self.assertLess(min(times), 1000)

    def test_only_our_script_and_no_image_is_in_the_page(self):
        self.assertEqual(1, len(self.all("script")))
        self.assertEqual([], self.all("img, iframe, object, embed, link, base, form, video, audio"))
        handlers = "return Array.from(document.querySelectorAll('*')).flatMap(e => Array.from(e.attributes))" \
            ".filter(a => a.name.startsWith('on')).map(a => a.name)"
        self.assertEqual([], self.run_script(handlers))

    def test_nothing_is_cut_off_on_wide_and_narrow_screens(self):
        self.run_script("document.querySelectorAll('details').forEach(d => d.open = true)")
        for width in (1440, 1024, 700, 390):
            with self.subTest(width=width):
                self.page.execute_cdp_cmd(
                    "Emulation.setDeviceMetricsOverride",
                    {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False})
                self.assertEqual([], self.run_script(CLIPPED))
        self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.page.refresh()

    def resize(self, width, height=1000):
        self.page.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        # On a busy machine the page has its new size only some frames later, and tells its script of it in a frame.
        self.page.execute_async_script("""
            const [width, done] = arguments;
            const look = () => innerWidth === width ? requestAnimationFrame(() => requestAnimationFrame(done))
                : requestAnimationFrame(look);
            look();""", width)

    def test_labels_of_pictures_neither_overlap_nor_stick_out(self):
        self.run_script("document.querySelectorAll('details').forEach(d => d.open = true)")
        for tab in self.all(".tabs > input"):
            self.run_script("arguments[0].checked = true", tab)
            with self.subTest(tab=tab.get_attribute("id")):
                self.assertEqual([], self.run_script(LABELS))
        self.assertEqual([], self.run_script(LABELS))
        self.page.refresh()

    def test_it_is_short_and_light(self):
        self.assertLess(self.path.stat().st_size, 1_000_000)
        self.resize(1400, 900)
        # Four screens, for all samples too; those with models of one's own, or names of 10,000 letters, may take more.
        screens = self.run_script("return document.documentElement.scrollHeight / innerHeight")
        self.assertLessEqual(screens, {"hostile": 6, "models": 4.5}.get(self.path.stem, 4))
        self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.media(medium="print")
        for width, height in ((8.27, 11.69), (8.5, 11)):
            paper = self.page.execute_cdp_cmd(
                "Page.printToPDF", {"preferCSSPageSize": True, "paperWidth": width, "paperHeight": height})
            pages = re.findall(rb"/Type\s*/Page\b(?!s)", base64.b64decode(paper["data"]))
            self.assertTrue(0 < len(pages) <= {"hostile": 6, "models": 6, "samples": 6}.get(self.path.stem, 5), len(pages))
        self.media()

    # The smallest text of the pictures that are shown, in pixels.
    SMALLEST = """
        return Math.min(99, ...Array.from(document.querySelectorAll(arguments[0] + ' text'))
            .filter(t => t.checkVisibility())
            .map(t => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a));"""

    def test_paper_shows_the_diagram_across_the_sheet(self):
        # The part of a sheet of A4 inside its margins, at 96 points to the inch.
        self.resize(695, 1024)
        self.media(medium="print")
        self.assertGreaterEqual(self.run_script(self.SMALLEST, ".canvas svg:has(g.state)"), 7)
        sizes = self.run_script("""
            return Array.from(document.querySelectorAll('.canvas:has(g.state)')).filter(c => c.checkVisibility())
                .map(c => [c.clientWidth / document.querySelector('main').clientWidth, c.clientHeight]);""")
        for width, height in sizes:
            self.assertGreater(width, 0.95)
            self.assertLess(height, 1024 - 60)
        # The heading stands right above it, and the charts of durations below.
        heading, diagram, charts = self.run_script("""
            const box = e => e.getBoundingClientRect(), all = s => Array.from(document.querySelectorAll('#section-lifecycle ' + s));
            return [[box(all('h2')[0]).top, box(all('h2')[0]).bottom],
                box(all('.canvas:has(g.state)').find(c => c.checkVisibility())).top,
                Math.min(1e9, ...all('.small .canvas').filter(c => c.checkVisibility()).map(c => box(c).top))];""")
        self.assertLess(diagram - heading[1], 60)
        self.assertGreaterEqual(charts, diagram)
        self.media()
        self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.page.refresh()

    def test_the_text_of_charts_is_large_enough_to_read(self):
        for width, least in ((1400, 10), (890, 10), (390, 9.8)):
            with self.subTest(width=width):
                self.resize(width)
                self.assertGreaterEqual(self.run_script(self.SMALLEST, ".small .canvas svg"), least)
        self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_diagrams_fit_a_phone(self):
        self.resize(390)
        for tab in self.all(".tabs > input"):
            self.run_script("arguments[0].checked = true", tab)
            with self.subTest(tab=tab.get_attribute("id")):
                self.assertEqual([], self.run_script("""
                    return Array.from(document.querySelectorAll('.canvas:has(g.state)'))
                        .filter(c => c.checkVisibility() && c.scrollWidth > c.clientWidth + 1)
                        .map(c => c.firstElementChild.id + ': ' + c.scrollWidth);"""))
        self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.page.refresh()

    def test_labels_have_the_tooltips_of_their_lines(self):
        missing = self.run_script("""
            const title = e => e.querySelector(':scope > title')?.textContent;
            return Array.from(document.querySelectorAll('svg:has(g.state) g.label')).filter(label =>
                !Array.from(label.ownerSVGElement.querySelectorAll('g.edge')).some(edge => title(edge) === title(label)
                    && edge.dataset.from === label.dataset.from && edge.dataset.to === label.dataset.to)).length;""")
        self.assertEqual(0, missing)

    def test_timelines_begin_with_the_names_of_their_runs(self):
        for width in (1400, 890, 390):
            with self.subTest(width=width):
                self.resize(width)
                self.page.refresh()
                moved, hidden = self.run_script("""
                    const canvas = Array.from(document.querySelectorAll('.canvas:has(g.visit)')).find(c => c.checkVisibility());
                    return canvas ? [canvas.scrollLeft, canvas.scrollWidth - canvas.clientWidth] : [0, 0];""")
                self.assertEqual(0, moved)
                if width > 800:
                    self.assertEqual(0, hidden)
        self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.page.refresh()

    def test_the_contents_have_no_scroll_bar(self):
        for width in (1400, 1340, 890, 390):
            with self.subTest(width=width):
                self.resize(width)
                inner, outer, bar = self.run_script("""
                    const nav = document.querySelector('.contents');
                    return [nav.scrollHeight, nav.clientHeight, nav.offsetHeight - nav.clientHeight];""")
                self.assertLessEqual(inner, outer)
                self.assertEqual(0, bar)
        self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_each_state_has_one_colour(self):
        # The bars of durations have the colours of the visits in the timeline.
        tones = self.run_script("""
            const found = {};
            for (const shape of document.querySelectorAll('.canvas g.visit[data-state] rect:first-of-type'))
                found[shape.parentElement.dataset.state] ??= getComputedStyle(shape).fill;
            return found;""")
        bars = self.run_script("""
            return Array.from(document.querySelectorAll('.canvas g.row[data-state] rect'))
                .map(bar => [bar.parentElement.dataset.state, getComputedStyle(bar).fill]);""")
        self.assertTrue(bars)
        for state, fill in bars:
            self.assertEqual(tones.get(state, fill), fill, state)

    def test_the_bar_is_low_and_hides_no_heading(self):
        for width in (1400, 890, 390):
            with self.subTest(width=width):
                self.resize(width)
                self.assertLess(self.page.find_element(By.CSS_SELECTOR, ".tools").size["height"], 60)
                self.run_script("document.documentElement.style.scrollBehavior = 'auto'")
                for link in self.all(".contents a"):
                    self.run_script("scrollTo(0, 0); arguments[0].click()", link)
                    self.page.execute_async_script(SETTLED)
                    top, bar = self.run_script(
                        "return [document.querySelector(arguments[0] + ' h2').getBoundingClientRect().top,"
                        "document.querySelector('.tools').getBoundingClientRect().bottom]",
                        "#" + link.get_attribute("href").split("#")[1])
                    self.assertGreaterEqual(top, bar - 1)
        self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.page.get(self.path.as_uri())

    def test_long_tables_show_their_first_rows_and_the_others_at_a_click(self):
        shown = "return Array.from(arguments[0].tBodies[0].rows).filter(r => r.checkVisibility()).length"
        rows = "return arguments[0].tBodies[0].rows.length"
        for button in [b for b in self.all(".unfold") if b.is_displayed()]:
            table = button.find_element(By.XPATH, "preceding-sibling::*[1]").find_element(By.TAG_NAME, "table")
            # What differs between two cohorts is never folded.
            opened = len(table.find_elements(By.CSS_SELECTOR, "tr.open"))
            self.assertEqual(max(8, opened), self.run_script(shown, table))
            self.assertEqual(f"Show all {self.run_script(rows, table)} rows", button.text)
            button.send_keys(Keys.ENTER)
            self.assertEqual(self.run_script(rows, table), self.run_script(shown, table))
            self.assertFalse(button.is_displayed())
        self.page.refresh()

    def test_nothing_is_out_of_reach(self):
        # What search finds is shown, wherever it is folded away: in a tab, below the first rows, in what is closed.
        for number in range(0, self.run_script("return document.querySelectorAll('tr.entry').length"), 17):
            text = self.run_script(
                "return document.querySelectorAll('tr.entry')[arguments[0]].textContent.trim()", number)
            search = self.page.find_element(By.ID, "search")
            search.send_keys(text[:40].split("\n")[0])
            search.send_keys(Keys.ENTER)
            self.assertEqual([True], [f.is_displayed() for f in self.all(".found")], text)
            search.send_keys(Keys.ESCAPE)
        # A link opens what it leads to: every row and finding with an anchor.
        for anchor in self.run_script("return Array.from(document.querySelectorAll('.entry[id]')).map(e => e.id)"):
            self.run_script("location.hash = arguments[0]", anchor)
            self.page.execute_async_script("setTimeout(arguments[0], 0)")
            self.assertTrue(self.page.find_element(By.ID, anchor).is_displayed(), anchor)
        self.page.get(self.path.as_uri())

    def test_the_layer_changes_everywhere_at_once(self):
        groups = [g for g in self.all(".tabs[aria-label=Layer]") if g.is_displayed()]
        names = [{label.text for label in g.find_elements(By.CSS_SELECTOR, ":scope > label")} for g in groups]
        common = sorted(set.intersection(*names)) if names else []
        self.run_script("document.documentElement.style.scrollBehavior = 'auto'")
        for name in common:
            label = groups[-1].find_element(By.XPATH, f"./label[.='{name}']")
            self.run_script("arguments[0].scrollIntoView({ block: 'center' })", label)
            label.click()
            chosen = [g.find_element(By.CSS_SELECTOR, ":scope > input:checked + label").text for g in groups]
            self.assertEqual([name] * len(groups), chosen)
        self.page.refresh()

    def test_small_charts_fit_a_phone(self):
        self.resize(390)
        # Matrices of many states, or with large figures, may be wider, and scroll; that of an app does not.
        if self.path.stem in ("samples", "usual", "compared"):
            self.assertEqual([], self.run_script("""
                return Array.from(document.querySelectorAll('#section-transitions .canvas'))
                    .filter(c => c.checkVisibility() && c.scrollWidth > innerWidth).map(c => c.scrollWidth);"""))
        wide = "return Array.from(document.querySelectorAll('.pictures.small svg'))" \
            ".filter(s => s.checkVisibility() && s.getAttribute('width') <= 430 && s.getBoundingClientRect().right > innerWidth).map(s => s.id)"
        self.assertEqual([], self.run_script(wide))
        self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_observations_lead_to_what_shows_them(self):
        links = self.all(".observations a")
        self.assertLessEqual(len(self.all(".observation")), 3)
        for link in links:
            link.send_keys(Keys.ENTER)
            target = self.run_script("return document.getElementById(arguments[0])", link.get_attribute("href").split("#")[1])
            self.assertIsNotNone(target)
            self.assertTrue(target.is_displayed(), link.text)
        self.page.get(self.path.as_uri())

    def test_the_head_of_a_table_hides_no_row_that_a_link_leads_to(self):
        self.assertEqual([], self.run_script(
            "return Array.from(document.querySelectorAll('thead th'))"
            ".filter(h => getComputedStyle(h).backgroundColor === 'rgba(0, 0, 0, 0)').map(h => h.textContent)"))
        self.run_script("document.documentElement.style.scrollBehavior = 'auto'")
        for link in self.all(".observations a[href^='#run-']"):
            link.send_keys(Keys.ENTER)
            self.page.execute_async_script("setTimeout(arguments[0], 50)")
            row, head = self.run_script(
                "const r = document.getElementById(arguments[0]);"
                "return [r.getBoundingClientRect().top, r.closest('table').tHead.getBoundingClientRect().bottom]",
                link.get_attribute("href").split("#")[1])
            self.assertGreaterEqual(row, head - 1)
        self.page.get(self.path.as_uri())

    def test_a_phone_shows_a_state_at_first_and_no_text_is_tiny(self):
        for width in (890, 390):
            self.resize(width)
            self.page.refresh()
            shown = self.run_script("""
                const canvas = Array.from(document.querySelectorAll('.canvas:has(g.state)')).find(c => c.checkVisibility());
                if (!canvas) return true;
                const frame = canvas.getBoundingClientRect();
                return Array.from(canvas.querySelectorAll('g.state > rect:first-of-type')).some(state => {
                    const box = state.getBoundingClientRect();
                    return box.left >= frame.left - 1 && box.right <= frame.right + 1;
                });""")
            self.assertTrue(shown)
            self.assertGreaterEqual(self.run_script(self.SMALLEST, ".pictures:not(.small) .canvas svg"), 9.5)
            self.assertEqual([], self.run_script("""
                return Array.from(document.querySelectorAll('.moment')).filter(e => e.getClientRects().length > 1)
                    .map(e => e.textContent);"""))
            self.assertEqual([], self.run_script("""
                return Array.from(document.querySelectorAll('.canvas')).filter(c => c.checkVisibility()
                    && (c.scrollWidth > c.clientWidth + 1) !== getComputedStyle(
                        c.parentElement.lastElementChild, '::before').content.includes('Scroll sideways'))
                    .map(c => c.ariaLabel);"""))
        self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.page.refresh()

    def test_rules_link_to_their_sources(self):
        for citation in self.all(".citation"):
            text = citation.get_attribute("textContent")
            self.assertIsNone(re.search(r"\b[AST]\d?-?[A-Z0-9]*:\d", text), text)
        for link in self.all(".citation a"):
            self.assertTrue(link.get_attribute("href").startswith("https://"))

    def test_each_query_is_there_once_and_closed(self):
        texts = self.run_script(
            "return Array.from(document.querySelectorAll('.question pre code')).map(c => c.textContent)")
        self.assertEqual(len(texts), len(set(texts)))
        self.assertEqual([], self.all("details.source[open], details.more[open]"))

    def test_tabs_show_one_picture_at_a_time(self):
        for tabs in self.all(".tabs"):
            inputs = tabs.find_elements(By.CSS_SELECTOR, ":scope > input")
            if not tabs.is_displayed():
                continue
            inputs[0].send_keys(Keys.ARROW_RIGHT)
            shown = [p.is_displayed() for p in tabs.find_elements(By.CSS_SELECTOR, ":scope > .tab")]
            self.assertEqual([False, True] + [False] * (len(shown) - 2), shown)
            inputs[1].send_keys(Keys.ARROW_LEFT)

    def test_pictures_follow_the_colour_scheme(self):
        paper = "return Array.from(document.querySelectorAll('main svg > rect:first-of-type'))" \
            ".map(r => getComputedStyle(r).fill)"
        papers = {}
        for scheme in ("light", "dark"):
            self.media(scheme)
            papers[scheme] = set(self.run_script(paper))
        self.media()
        self.assertEqual({"rgb(255, 255, 255)"}, papers["light"])
        self.assertEqual(1, len(papers["dark"]))
        self.assertNotEqual(papers["light"], papers["dark"])

    def test_every_figure_says_how_to_ask_for_it(self):
        silent = "return Array.from(document.querySelectorAll('main > section'))" \
            ".filter(s => s.id !== 'section-overview' && !s.querySelector('.question pre code')).map(s => s.id)"
        self.assertEqual([], self.run_script(silent))
        self.run_script("document.querySelectorAll('details.source').forEach(d => d.open = true)")
        button = self.all("details.source button.copy")[0]
        button.send_keys(Keys.ENTER)
        self.page.execute_async_script("setTimeout(arguments[0], 100)")
        self.assertIn(button.text, ("Copied", "Selected"))
        self.run_script("getSelection().removeAllRanges();"
                        "document.querySelectorAll('details.source').forEach(d => d.open = false)")

    def test_everything_is_readable_in_both_colour_schemes(self):
        grounds = set()
        for scheme in ("light", "dark"):
            with self.subTest(scheme=scheme):
                self.media(scheme)
                grounds.add(self.run_script("return getComputedStyle(document.body).backgroundColor"))
                self.assertEqual([], self.run_script(CONTRAST))
        self.assertEqual(2, len(grounds))
        self.media()

    def test_paper_is_white_and_has_no_controls(self):
        self.media("dark", "print")
        self.assertEqual("rgb(255, 255, 255)", self.run_script("return getComputedStyle(document.body).backgroundColor"))
        shown = [e for e in self.all(".tools, .contents, .copy, .source") if e.is_displayed()]
        self.assertEqual([], [e.text for e in self.all(".finding:is(.error, .warning) > summary") if not e.is_displayed()])
        self.assertEqual([], shown)
        # Every finding has a place, and nothing is said of what is closed.
        self.assertEqual([], self.run_script("""
            return Array.from(document.querySelectorAll('.finding:not([open]) > summary')).filter(e => e.checkVisibility()
                && !e.querySelector('.first')?.checkVisibility()).map(e => e.textContent);"""))
        self.assertEqual([], [e.text for e in self.all(".more:not([open]) > summary") if e.is_displayed()])
        self.media()

    def test_a_screen_reader_finds_its_way(self):
        self.assertEqual([], self.run_script(ACCESSIBILITY))

    def test_columns_sort_up_down_and_back(self):
        tables = [t for t in self.all("table:has(th.num)") if t.is_displayed()]
        table = max(tables, key=lambda t: len(t.find_elements(By.CSS_SELECTOR, "tbody tr")))
        values = "return Array.from(arguments[0].tBodies[0].rows).map(r => r.cells[arguments[1]].dataset.v ?? null)"
        headers = table.find_elements(By.TAG_NAME, "th")
        column = next(i for i, header in enumerate(headers) if "num" in header.get_attribute("class"))
        before = self.run_script(values, table, column)
        orders = []
        for _ in range(3):
            # By keyboard: the header is a button.
            headers[column].find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
            orders.append((headers[column].get_attribute("aria-sort"), self.run_script(values, table, column)))
        known = [float(v) for v in before if v is not None]
        unknown = [None] * before.count(None)
        number = lambda found: [v if v is None else float(v) for v in found]
        self.assertEqual("ascending", orders[0][0])
        self.assertEqual(sorted(known) + unknown, number(orders[0][1]))
        self.assertEqual("descending", orders[1][0])
        self.assertEqual(sorted(known, reverse=True) + unknown, number(orders[1][1]))
        self.assertIsNone(orders[2][0])
        self.assertEqual(before, orders[2][1])

    def test_search_keeps_what_matches_and_jumps_to_it(self):
        self.run_script("document.body.focus()")
        self.page.find_element(By.TAG_NAME, "body").send_keys("/")
        self.assertEqual("search", self.active().get_attribute("id"))
        hidden = "return document.querySelectorAll('.entry[hidden]').length"
        rows = self.run_script("return document.querySelectorAll('.entry').length")
        self.active().send_keys("no row holds this")
        self.assertEqual(rows, self.run_script(hidden))
        self.assertIn(f"0 of {rows}", self.page.find_element(By.ID, "matches").text)
        self.assertEqual([], [s for s in self.all("main > section") if s.is_displayed()])
        self.assertEqual("Nothing matches “no row holds this”.", self.page.find_element(By.ID, "nothing").text)
        self.assertEqual([], [a for a in self.all(".contents a") if a.is_displayed()])
        self.active().send_keys(Keys.ESCAPE)
        self.assertEqual(0, self.run_script(hidden))
        word = self.run_script("return document.querySelector('tbody tr td').textContent.trim().slice(0, 20)")
        self.active().send_keys(word.upper())
        self.assertLess(self.run_script(hidden), rows)
        wrong = "return Array.from(document.querySelectorAll('.entry:not([hidden])')).filter(r => !(r.textContent +" \
            " (r.dataset.path ?? '') + (r.closest('.finding')?.firstElementChild.textContent ?? '')).toLowerCase().includes(arguments[0])).length"
        self.assertEqual(0, self.run_script(wrong, word.lower()))
        self.active().send_keys(Keys.ENTER)
        found = self.all(".found")
        self.assertEqual([True], [f.is_displayed() for f in found])
        self.active().send_keys(Keys.ESCAPE)

    def test_a_search_leaves_no_picture_of_other_runs(self):
        run = self.run_script("""
            const row = document.querySelector('tr[id^=run-]');
            return row && [row.id.slice(4), row.cells[0].textContent + ' ' + row.cells[2].textContent];""")
        if not run:
            return
        search = self.page.find_element(By.ID, "search")
        search.send_keys(run[1])
        self.assertEqual([], [f.text for f in self.all(".picture:not(:has(.lane))") if f.is_displayed()])
        lanes = self.run_script("""
            return Array.from(document.querySelectorAll('.lane')).filter(l => l.checkVisibility())
                .map(l => [l.dataset.run, getComputedStyle(l).opacity]);""")
        for lane, opacity in lanes:
            self.assertEqual("1" if self.run_script("return !document.getElementById(arguments[0])?.hidden", f"run-{lane}") else "0.28", opacity)
        self.assertIn(run[0], [lane for lane, _ in lanes])
        # A section that is found by its name shows its pictures.
        search.send_keys(Keys.ESCAPE)
        search.send_keys("lifecycle")
        self.assertTrue([c for c in self.all("#section-lifecycle .canvas") if c.is_displayed()])
        search.send_keys(Keys.ESCAPE)
        self.assertEqual([], self.all(".picture[hidden], .more[hidden]"))

    def test_a_selected_shape_is_outlined_along_its_own_corners(self):
        state = next(s for s in self.all("g.state[tabindex]") if s.is_displayed())
        before = "return getComputedStyle(arguments[0].querySelector('rect')).stroke"
        plain = self.run_script(before, state)
        webdriver.ActionChains(self.page).move_to_element(state).click().perform()
        self.assertEqual("none", self.run_script("return getComputedStyle(arguments[0]).outlineStyle", state))
        self.page.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
        self.run_script("arguments[0].focus({ focusVisible: true })", state)
        self.assertEqual("none", self.run_script("return getComputedStyle(arguments[0]).outlineStyle", state))
        self.assertNotEqual(plain, self.run_script(before, state))

    def test_a_state_or_a_change_filters_tables_and_runs(self):
        wrong = "return Array.from(document.querySelectorAll('.entry[data-path]:not([hidden])'))" \
            ".filter(r => !r.dataset.path.includes('|' + arguments[0] + '|')" \
            " && (r.dataset.path.includes('>') || !arguments[0].split('>').some(s => r.dataset.path.includes('|' + s + '|')))" \
            ").length"
        hidden = "return document.querySelectorAll('.entry[hidden]').length"
        state = self.run_script(
            "return Array.from(document.getElementById('selection').options).map(o => o.value)"
            ".find(s => s && document.querySelector('td [data-state=\"' + CSS.escape(s) + '\"]'))")
        choice = Select(self.page.find_element(By.ID, "selection"))
        choice.select_by_value(state)
        self.assertEqual(0, self.run_script(wrong, state))
        self.assertGreater(self.run_script(hidden), 0)
        # Among findings about states, one that is about none does not match.
        self.assertEqual([], self.all(".finding .entry:not([data-path]):not([hidden])") if self.all(".finding [data-path]") else [])
        self.assertTrue(self.all("svg .chosen"))
        # What opens to nothing is not offered, and charts step back but for that state.
        self.assertEqual([], self.run_script(
            "return Array.from(document.querySelectorAll('.more:not([hidden]):has(.entry)'))"
            ".filter(m => !m.querySelector('.entry:not([hidden])')).map(m => m.textContent.slice(0, 40))"))
        for shape in self.all("svg :is(g.row, g.curve, .numbers g.item)"):
            self.assertEqual("1" if "chosen" in shape.get_attribute("class") else "0.28", shape.value_of_css_property("opacity"))
        choice.select_by_visible_text("all states")
        self.assertEqual(0, self.run_script(hidden))
        # An edge of the picture, by keyboard; the bar names it and takes it back.
        edge = next(e for e in self.all(".canvas svg g.edge") if e.is_displayed())
        value = edge.get_attribute("data-from") + ">" + edge.get_attribute("data-to")
        self.run_script("arguments[0].focus()", edge)
        self.active().send_keys(Keys.ENTER)
        self.assertEqual(0, self.run_script(wrong, value))
        self.assertIn(" → ", choice.first_selected_option.text)
        # The states that the edge joins stay, and every section says what it shows.
        for section in self.all("main > section"):
            note = section.find_element(By.CSS_SELECTOR, ":scope > .filtered").text
            self.assertRegex(note, "Counts all runs|Nothing matches|rows match")
        self.assertGreater(self.run_script(
            "return document.querySelectorAll('#section-dwell .entry:not([hidden])').length"), 0)
        choice.select_by_visible_text("all states")
        self.assertEqual(0, self.run_script(hidden))

    def test_rows_of_tabs_stay_apart_when_something_is_selected(self):
        overlaps = """
            const labels = Array.from(document.querySelectorAll('.tabs > label, section > h2')).filter(l => l.checkVisibility());
            const box = e => { const range = document.createRange(); range.selectNodeContents(e); return range.getBoundingClientRect(); };
            const meet = (a, b) => Math.min(a.right, b.right) > Math.max(a.left, b.left) && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top);
            return labels.flatMap((a, i) => labels.slice(i + 1).filter(b => meet(box(a), box(b))).map(b => a.textContent + ' / ' + b.textContent));"""
        self.assertEqual([], self.run_script(overlaps))
        state = next(s for s in self.all("g.state[tabindex]") if s.is_displayed())
        webdriver.ActionChains(self.page).move_to_element(state).click().perform()
        self.assertTrue(self.all("#section-lifecycle > .filtered"))
        self.assertEqual([], self.run_script(overlaps))
        self.page.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)

    def test_the_first_tab_leads_past_the_controls(self):
        self.run_script("document.activeElement.blur(); scrollTo(0, 0)")
        self.page.refresh()
        webdriver.ActionChains(self.page).send_keys(Keys.TAB).perform()
        self.assertEqual("#main", self.active().get_attribute("href")[-5:])
        self.assertTrue(self.active().is_displayed())
        self.active().send_keys(Keys.ENTER)
        self.assertEqual("main", self.active().get_attribute("id"))


def load_tests(loader, _tests, _pattern):
    suite = unittest.TestSuite()
    for path in REPORTS:
        case = type(f"Report of {path.name}", (Report,), {"path": path})
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    if not REPORTS:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1], verbosity=2)
