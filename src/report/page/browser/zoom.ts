const factors = [1, 2, 4, 8];

/** Gives each plot a zoom; one that is wider than the page is panned by dragging, scrolling or the arrow keys. */
export function addZoom(): void {
  for (const plot of document.querySelectorAll<SVGElement>('figure > :is(svg.plot, svg.chart)'))
    addZoomTo(plot);
}

function addZoomTo(plot: SVGElement): void {
  const pan = document.createElement('div');
  pan.className = 'pan';
  pan.tabIndex = 0;
  pan.setAttribute('role', 'region');
  pan.setAttribute(
    'aria-label',
    `Plot, scrolls where it is wider than the page: ${(plot.getAttribute('aria-label') ?? '').slice(0, 100)}`,
  );
  const tools = document.createElement('p');
  tools.className = 'tools zoom';
  let place = 0;
  const step = (by: number) => () => {
    const middle = (pan.scrollLeft + pan.clientWidth / 2) / pan.scrollWidth;
    place = Math.min(factors.length - 1, Math.max(0, place + by));
    plot.style.width = `${(factors[place] ?? 1) * 100}%`;
    pan.scrollLeft = middle * pan.scrollWidth - pan.clientWidth / 2;
  };
  tools.append(button('−', 'Zoom out', step(-1)), button('+', 'Zoom in', step(1)));
  plot.replaceWith(pan);
  pan.append(plot);
  pan.before(tools);
  pan.addEventListener('pointermove', (event) => {
    if (event.buttons === 1 && event.pointerType === 'mouse')
      pan.scrollBy(-event.movementX, -event.movementY);
  });
}

function button(text: string, label: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.setAttribute('aria-label', label);
  made.addEventListener('click', act);
  return made;
}
