/** Values of a form by the names of its fields. */
export function valuesOf(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
}

/** Shows a text in the output of a form. */
export function say(form: HTMLFormElement, text: string): void {
  const output = form.querySelector('output');
  if (output) output.value = text;
}

/** Data that the page contains as JSON. */
export function read(id: string): unknown {
  return JSON.parse(byId(id).textContent);
}

/** An element that the page certainly has. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}.`);
  return element;
}

export function button(id: string): HTMLButtonElement {
  return byId(id) as HTMLButtonElement;
}

/** Scrolls to an element and focuses it; what it is folded into, or what it folds itself, opens. */
export function arrive(element: HTMLElement | null): void {
  for (let fold = element?.closest('details'); fold; fold = fold.parentElement?.closest('details'))
    fold.open = true;
  const own = element?.querySelector<HTMLDetailsElement>(':scope > .fold');
  if (own) own.open = true;
  element?.focus({ preventScroll: true });
  if (element) settle(element, 30);
}

/** Scrolls until the element stays where it should be: lists grow and folds open on the way. */
function settle(element: HTMLElement, tries: number): void {
  const { top } = element.getBoundingClientRect();
  element.scrollIntoView({ block: 'start', behavior: 'instant' });
  const isThere = Math.abs(element.getBoundingClientRect().top - top) < 1;
  if (tries > 0 && !(isThere && tries < 25)) requestAnimationFrame(() => settle(element, tries - 1));
}

/** Copies a text, and shows on the button whether that was allowed. */
export async function copy(text: string, pressed: HTMLElement): Promise<void> {
  const before = pressed.textContent;
  const said = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not allowed here',
  );
  pressed.textContent = said;
  setTimeout(() => (pressed.textContent = before), 1500);
}
