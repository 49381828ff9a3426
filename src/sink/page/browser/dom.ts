// What the page's script needs of the document.

/** An element with its class and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}

/** A button that submits nothing. */
export function button(text: string): HTMLButtonElement {
  const made = make('button', '', text);
  made.type = 'button';
  return made;
}

type Kind<T extends Element> = abstract new (...given: never[]) => T;

/** The element with this id, which the page is known to contain. */
export function byId<T extends Element>(id: string, kind: Kind<T>): T {
  return within(document, `#${id}`, kind);
}

/** An element that the page is known to contain. */
export function within<T extends Element>(root: ParentNode, selector: string, kind: Kind<T>): T {
  const found = root.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`the page lacks ${selector}`);
}
