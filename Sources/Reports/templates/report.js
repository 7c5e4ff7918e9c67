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

  // Search: rows that hold every word stay; finding groups and tables without a row say so by their count.
  const search = document.getElementById('search');
  const matches = document.getElementById('matches');
  const rows = all('tbody tr');
  const texts = new WeakMap();
  const textOf = row => {
    if (!texts.has(row)) {
      const group = row.closest('.finding');
      texts.set(row, (row.textContent + ' ' + (group ? group.firstElementChild.textContent : '')).toLowerCase());
    }
    return texts.get(row);
  };
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !words.every(word => textOf(row).includes(word));
      if (!row.hidden) shown += 1;
    }
    for (const group of all('.finding')) group.hidden = words.length > 0 && !group.querySelector('tbody tr:not([hidden])');
    matches.textContent = words.length ? `${shown} of ${rows.length} rows` : '';
  };

  // Highlighting: one rule in a style sheet reaches every picture and table at once.
  const sheet = document.head.appendChild(document.createElement('style'));
  let pinned = null;
  const highlight = state => {
    if (state === null) {
      sheet.textContent = '';
      return;
    }
    const one = `[data-state="${CSS.escape(state)}"]`;
    sheet.textContent =
      `.state${one} { background: var(--mark); border-color: var(--mark); color: var(--mark-text); }` +
      `svg ${one} > rect, svg ${one} > path, svg rect${one}, svg path${one} ` +
      '{ stroke: var(--orange) !important; stroke-width: 3px !important; }';
  };
  const stateOf = target => {
    const element = target instanceof Element ? target.closest('[data-state]') : null;
    return element ? element.dataset.state : null;
  };
  const pin = state => {
    pinned = pinned === state ? null : state;
    for (const button of all('button.state')) button.setAttribute('aria-pressed', String(button.dataset.state === pinned));
    highlight(pinned);
  };

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
    if (button && button.matches('.sort')) sort(button.closest('th'));
    else if (button && button.matches('.copy')) copy(button);
    else if (button && button.matches('.zoom')) {
      const isActual = button.closest('figure').querySelector('.canvas').classList.toggle('actual');
      button.setAttribute('aria-pressed', String(isActual));
    } else if (stateOf(target) !== null) pin(stateOf(target));
  });
  document.addEventListener('pointerover', event => {
    const state = stateOf(event.target);
    if (state !== null) highlight(state);
  });
  document.addEventListener('pointerout', event => {
    if (stateOf(event.target) !== null) highlight(pinned);
  });
  document.addEventListener('focusin', event => {
    const state = stateOf(event.target);
    highlight(state !== null ? state : pinned);
  });
  document.addEventListener('focusout', () => highlight(pinned));
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/' && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    } else if (event.key === 'Escape') {
      if (pinned !== null) pin(pinned);
      if (search.value) {
        search.value = '';
        filter();
      }
    }
  });
  search.addEventListener('input', filter);

  // The contents follow the reader.
  const links = new Map(all('.contents a').map(link => [link.hash.slice(1), link]));
  const visible = new Set();
  const observer = new IntersectionObserver(entries => {
    for (const entry of entries) visible[entry.isIntersecting ? 'add' : 'delete'](entry.target.id);
    const current = Array.from(links.keys()).find(id => visible.has(id));
    for (const [id, link] of links) {
      if (id === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }, { rootMargin: '-15% 0px -60% 0px' });
  for (const section of all('main > section')) observer.observe(section);
})();
