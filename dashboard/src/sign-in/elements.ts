// Elements of the pages before the sign-in, made without a library: these pages are a form each, and load before all else.

type Attributes = Record<string, string | number | boolean | undefined>;
type Child = Node | string | null;

/** An attribute that is false or undefined is left out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** A paragraph of text and links. */
export function paragraph(...children: readonly Child[]): HTMLElement {
  return element("p", {}, ...children);
}

export function link(href: string, text: string): HTMLElement {
  return element("a", { href }, text);
}
