/** The page works without it; it opens what a link points to, and reads the time lines bin by bin. */
export const script = `
(() => {
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target === null) return;
    for (let each = target; each !== null; each = each.parentElement) if (each.tagName === 'DETAILS') each.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  if (location.hash !== '') reveal();

  const tools = document.querySelector('.tools');
  tools.hidden = false;
  tools.addEventListener('click', ({ target }) => {
    const { open } = target.dataset;
    if (open !== undefined) for (const query of document.querySelectorAll('details.query')) query.open = open === 'true';
  });

  for (const figure of document.querySelectorAll('figure.time-line')) {
    const bins = Number(figure.dataset.bins);
    const svg = figure.querySelector('svg');
    const cursor = svg.querySelector('.cursor');
    const range = figure.querySelector('input');
    const output = figure.querySelector('output');
    const heads = [...figure.querySelectorAll('.bins thead th')].map(({ textContent }) => {
      const end = textContent.lastIndexOf(': ');
      return { engine: textContent.slice(0, end), name: textContent.slice(end + 2) };
    });
    const rows = figure.querySelectorAll('.bins tbody tr');
    const left = Number(svg.dataset.left);
    const right = Number(svg.dataset.right);
    const show = (bin) => {
      const cells = [...rows[bin].children].map(({ textContent }) => textContent);
      let text = cells[0];
      for (let index = 1; index < cells.length; index++) {
        const { engine, name } = heads[index];
        text += (engine === heads[index - 1].engine ? ', ' : ' · ' + engine + ': ') + name + ' ' + cells[index];
      }
      output.textContent = text;
      cursor.setAttribute('x', String(left + (bin * (right - left)) / bins));
      cursor.setAttribute('visibility', 'visible');
    };
    range.addEventListener('input', () => show(range.valueAsNumber));
    svg.addEventListener('pointermove', ({ clientX }) => {
      const box = svg.getBoundingClientRect();
      const x = ((clientX - box.left) / box.width) * Number(svg.dataset.width);
      const bin = Math.floor(((x - left) / (right - left)) * bins);
      if (bin < 0 || bin >= bins) return;
      range.value = String(bin);
      show(bin);
    });
    figure.querySelector('.pick').hidden = false;
  }
})();
`;
