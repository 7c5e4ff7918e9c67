(() => {
  'use strict';
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  document.documentElement.classList.add('js');

  // Sorting: ascending, descending, and back to the order of the query.
  const original = new WeakMap();
  const compare = (a, b) => {
    const [x, y] = [a.dataset.v, b.dataset.v];
    if (x !== undefined && y !== undefined) return Number(x) - Number(y);
    if (x !== undefined || y !== undefined) return x !== undefined ? -1 : 1;
    return a.textContent.localeCompare(b.textContent, 'en', { numeric: true });
  };
  const isEmpty = cell => cell.dataset.v === undefined && cell.textContent === '–';
  const sort = header => {
    const table = header.closest('table');
    const body = table.tBodies[0];
    if (!original.has(body)) original.set(body, Array.from(body.rows));
    const order = { none: 'ascending', ascending: 'descending', descending: 'none' }[header.getAttribute('aria-sort') || 'none'];
    for (const other of all('th[aria-sort]', table)) other.removeAttribute('aria-sort');
    let rows = original.get(body);
    if (order !== 'none') {
      header.setAttribute('aria-sort', order);
      const sign = order === 'ascending' ? 1 : -1;
      const index = header.cellIndex;
      rows = rows.slice().sort((a, b) => {
        const [x, y] = [a.cells[index], b.cells[index]];
        // What is unknown stays last, whichever way.
        if (isEmpty(x) || isEmpty(y)) return isEmpty(x) - isEmpty(y);
        return sign * compare(x, y);
      });
    }
    body.append(...rows);
  };

  // What is shown: entries that hold every word of the search and, where they concern states, the selected state or
  // change. `chosen` is the id of a state, or two ids with `>` between them.
  const search = document.getElementById('search');
  const matches = document.getElementById('matches');
  const selection = document.getElementById('selection');
  const entries = all('.entry');
  const links = new Map(all('.contents a').map(link => [link.hash.slice(1), link]));
  const texts = new WeakMap();
  let chosen = null;
  const textOf = entry => {
    if (!texts.has(entry)) {
      const group = entry.closest('.finding');
      // The first place of a group is there for print.
      const heading = group ? all('summary > :not(.first)', group).map(part => part.textContent) : [];
      texts.set(entry, [entry.textContent, entry.dataset.path ?? '', ...heading].join(' ').toLowerCase());
    }
    return texts.get(entry);
  };
  const wordsOf = () => search.value.toLowerCase().split(/\s+/).filter(Boolean);
  // A row about single states has to do with a change from or to one of them; among such rows, one about none is left out.
  const isOnPath = entry => {
    const path = entry.dataset.path;
    if (chosen === null) return true;
    if (path === undefined) return !entry.closest('section').querySelector('.entry[data-path]');
    const wanted = chosen.includes('>') && !path.includes('>') ? chosen.split('>') : [chosen];
    return wanted.some(part => path.includes(`|${part}|`));
  };
  const nameOf = state => Array.from(selection.options).find(option => option.value === state)?.text ?? state;
  const nothing = document.getElementById('nothing');
  // What a section shows of its rows: how many match, or that they do not depend on a state.
  const note = section => {
    section.querySelector(':scope > .filtered')?.remove();
    const words = wordsOf();
    // The rows of the layer that is shown, without those of closed tables where there are others.
    const ofLayer = all('.entry', section).filter(entry => entry.closest('.tab') === null || choiceOf(entry.closest('.tab')).checked);
    const open = ofLayer.filter(entry => !entry.matches('.more:not([open]) tr'));
    const own = open.length > 0 ? open : ofLayer;
    if (own.length === 0 ? chosen === null : words.length === 0 && chosen === null) return;
    const typed = search.value.split(/\s+/).filter(Boolean);
    const wanted = [chosen === null ? '' : chosen.split('>').map(nameOf).join(' → '), typed.map(word => `“${word}”`).join(' ')]
      .filter(Boolean).join(', ');
    const matching = own.filter(entry => !entry.hidden).length;
    const line = document.createElement('p');
    line.className = 'filtered';
    const text = line.appendChild(document.createElement('span'));
    text.textContent = own.length === 0 ? 'Counts all runs, whatever is selected.'
      : words.length === 0 && own.every(entry => entry.dataset.path === undefined)
      ? 'Counts all runs: these rows do not depend on a state.'
      : matching === 0 ? `Nothing matches ${wanted}.` : `${matching} of ${own.length} rows match ${wanted}.`;
    section.querySelector('h2').after(line);
  };
  const unfold = table => table.classList.add('unfolded');
  const choiceOf = tab => tab.previousElementSibling.previousElementSibling;
  // Groups of tabs with the same label change together, as far as they have the same tabs.
  const choose = input => {
    const name = input.labels[0].textContent;
    for (const group of all('.tabs')) {
      if (group.ariaLabel !== input.parentElement.ariaLabel) continue;
      const other = all(':scope > input', group).find(one => one.labels[0].textContent === name);
      if (other) other.checked = true;
    }
    all('main > section').forEach(note);
    centre();
  };
  const reveal = (element, withTabs = true) => {
    for (let e = element.parentElement; e; e = e.parentElement) {
      if (e.matches('details:not([open])')) {
        e.open = true;
        e.dataset.opened = '';
      }
      if (e.matches('.fold') && withTabs) unfold(e);
      if (e.matches('.tab') && withTabs) choose(choiceOf(e));
    }
  };
  const apply = () => {
    const words = wordsOf();
    const isFiltered = words.length > 0 || chosen !== null;
    for (const details of all('details[data-opened]')) {
      details.open = false;
      delete details.dataset.opened;
    }
    const isNamed = section => words.every(word => section.firstElementChild.textContent.toLowerCase().includes(word));
    let shown = 0;
    for (const entry of entries) {
      const isMatch = words.every(word => textOf(entry).includes(word));
      entry.hidden = !(isMatch && isOnPath(entry));
      if (!entry.hidden) shown += 1;
      if (!entry.hidden && words.length > 0) reveal(entry, false);
    }
    document.documentElement.classList.toggle('searching', words.length > 0);
    // A tab without anything to show gives way to one with something.
    const hasMatch = tab => tab.querySelector('.entry:not([hidden])') !== null;
    for (const group of isFiltered ? all('.tabs.whole') : []) {
      const tabs = all(':scope > .tab', group);
      const match = tabs.find(hasMatch);
      if (match && !hasMatch(tabs.find(tab => choiceOf(tab).checked))) choiceOf(match).checked = true;
    }
    for (const group of all('.finding')) group.hidden = isFiltered && !group.querySelector('.entry:not([hidden])');
    for (const part of all('.more:has(.finding)')) {
      const summary = part.querySelector(':scope > summary');
      summary.dataset.text ??= summary.textContent;
      summary.textContent = (isFiltered ? `${all('.finding:not([hidden])', part).length} of ` : '') + summary.dataset.text;
    }
    for (const table of all('.table')) table.hidden = isFiltered && table.querySelector('.entry') !== null && !table.querySelector('.entry:not([hidden])');
    // Pictures of everything give way to what is searched for, and the lanes of other runs step back.
    for (const part of all('.picture, .more')) {
      const lanes = all('.lane[data-run]', part);
      for (const lane of lanes) lane.classList.toggle('other', document.getElementById(`run-${lane.dataset.run}`)?.hidden !== false);
      const isEmpty = !part.querySelector('.entry:not([hidden]), .lane[data-run]:not(.other)');
      part.hidden = isEmpty && (!isNamed(part.closest('section')) || isFiltered && part.querySelector('.entry') !== null);
    }
    for (const section of all('main > section')) {
      section.hidden = !isNamed(section) && !section.querySelector('.entry:not([hidden])');
      note(section);
      links.get(section.id)?.parentElement.toggleAttribute('hidden', section.hidden);
    }
    nothing.hidden = all('main > section').some(section => !section.hidden);
    nothing.textContent = nothing.hidden ? '' : `Nothing matches “${search.value.trim()}”.`;
    matches.textContent = words.length ? `${shown} of ${entries.length} rows` : '';
    hit = -1;
  };
  let hit = -1;
  const jump = step => {
    const found = entries.filter(entry => !entry.hidden);
    if (found.length === 0) return;
    hit = (hit + step + found.length) % found.length;
    for (const other of all('.found')) other.classList.remove('found');
    found[hit].classList.add('found');
    reveal(found[hit]);
    found[hit].scrollIntoView({ block: 'center' });
  };

  // The selected state or change stands out in every picture.
  const select = value => {
    chosen = value === '' || chosen === value ? null : value;
    const [from, to] = chosen === null ? [] : chosen.split('>');
    document.documentElement.classList.toggle('selecting', chosen !== null);
    for (const shape of all('svg .chosen')) shape.classList.remove('chosen');
    if (chosen !== null) {
      for (const shape of all('svg [data-state], svg [data-from]')) {
        const { state, from: start, to: end } = shape.dataset;
        const isChosen = to === undefined ? state === from || start === from || end === from
          : state === from || state === to || (start === from && end === to);
        shape.classList.toggle('chosen', isChosen);
      }
    }
    for (const canvas of all('.canvas')) {
      const isAbsent = chosen !== null && canvas.querySelector('[data-state], [data-from]') && !canvas.querySelector('.chosen');
      canvas.classList.toggle('absent', Boolean(isAbsent));
    }
    for (const option of all('[data-change]', selection)) option.remove();
    if (to !== undefined) {
      const option = new Option(`${nameOf(from)} → ${nameOf(to)}`, chosen);
      option.dataset.change = '';
      selection.add(option, 1);
    }
    selection.value = chosen ?? '';
    apply();
  };
  const valueOf = target => {
    const shape = target.closest('[data-state], [data-from]');
    if (!shape) return null;
    return shape.dataset.state ?? `${shape.dataset.from}>${shape.dataset.to}`;
  };
  // A label has the title of its line.
  for (const label of all('.canvas svg g.label')) {
    const { from, to } = label.dataset;
    const edge = all(`g.edge.${label.classList[1]}`, label.ownerSVGElement).find(one => one.dataset.from === from && one.dataset.to === to);
    if (edge) label.prepend(edge.querySelector('title').cloneNode(true));
  }
  for (const shape of all('.canvas svg g.state, .canvas svg g.edge')) {
    shape.setAttribute('tabindex', '0');
    shape.setAttribute('role', 'button');
  }

  // A picture that is wider than its frame says so. A diagram is scrolled only as far as its first state needs: what
  // explains it stands at the left.
  const centre = () => {
    for (const canvas of all('.canvas')) canvas.classList.toggle('scrolled', canvas.scrollWidth > canvas.clientWidth + 1);
    for (const canvas of all('.canvas:has(g.state)')) {
      const right = canvas.querySelector('g.state').getBoundingClientRect().right + canvas.scrollLeft;
      const wanted = right - canvas.getBoundingClientRect().left + 4 - canvas.clientWidth;
      canvas.scrollLeft = Math.min(wanted, (canvas.scrollWidth - canvas.clientWidth) / 2);
    }
  };
  centre();
  addEventListener('resize', centre);
  for (const tab of all('.tabs > input')) tab.addEventListener('change', () => choose(tab));

  const copy = async button => {
    const code = button.parentElement.querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // Not allowed here: select the text, so that the keyboard can copy it.
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = 'Selected';
      return;
    }
    button.textContent = 'Copied';
  };

  document.addEventListener('click', event => {
    const target = event.target instanceof Element ? event.target : null;
    if (!target) return;
    const button = target.closest('button');
    const link = target.closest('a[href^="#"]');
    if (button && button.matches('.sort')) sort(button.closest('th'));
    else if (button && button.matches('.copy')) copy(button);
    else if (button && button.matches('.unfold')) unfold(button.previousElementSibling);
    else if (link) open(link.hash);
    else if (valueOf(target) !== null) select(valueOf(target));
  });
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/' && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    } else if (event.key === 'Enter' && event.target === search) {
      event.preventDefault();
      jump(event.shiftKey ? -1 : 1);
    } else if ((event.key === 'Enter' || event.key === ' ') && event.target.matches('svg [role=button]')) {
      event.preventDefault();
      select(valueOf(event.target));
    } else if (event.key === 'Escape') {
      if (search.value) {
        search.value = '';
        apply();
      } else if (chosen !== null) select(chosen);
    }
  });
  search.addEventListener('input', apply);
  selection.addEventListener('change', () => select(selection.value));

  // A link leads into whatever is closed.
  const open = hash => {
    const target = hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
    if (!target) return;
    if (target.closest('[hidden]')) {
      search.value = '';
      if (chosen !== null) select(chosen);
      else apply();
    }
    if (target.matches('details')) target.open = true;
    reveal(target);
    for (const details of all('details[data-opened]')) delete details.dataset.opened;
  };
  open(location.hash);
  addEventListener('hashchange', () => open(location.hash));

  // The contents follow the reader.
  const contents = document.querySelector('.contents');
  const visible = new Set();
  const observer = new IntersectionObserver(entries => {
    for (const entry of entries) visible[entry.isIntersecting ? 'add' : 'delete'](entry.target.id);
    const current = Array.from(links.keys()).find(id => visible.has(id));
    for (const [id, link] of links) {
      if (id === current) {
        link.setAttribute('aria-current', 'true');
        contents.scrollLeft = link.offsetLeft - contents.clientWidth / 2;
      } else link.removeAttribute('aria-current');
    }
  }, { rootMargin: '-15% 0px -60% 0px' });
  for (const section of all('main > section')) observer.observe(section);
})();
