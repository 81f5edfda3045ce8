import { visible } from '../visible.ts';

/** HTML that is safe to put into a page. Made by {@link html} alone, but for text of our own. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: markup as it is, anything else as escaped text; `undefined` and `false` as nothing. */
export type Child = Markup | string | number | undefined | false | readonly Child[];

/** A template whose every hole is escaped: names, SQL, reasons and row values come from elsewhere. */
export function html(strings: TemplateStringsArray, ...children: readonly Child[]): Markup {
  let text = strings[0]!;
  for (const [index, child] of children.entries()) text += render(child) + strings[index + 1]!;
  return new Markup(text);
}

function render(child: Child): string {
  if (child === undefined || child === false) return '';
  if (child instanceof Markup) return child.text;
  if (typeof child === 'object') return child.map(render).join('');
  return escapeText(String(child));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
