import { html, type Markup } from './markup.ts';

const SIGNS: Readonly<Record<string, string>> = {
  agree: '✓',
  diverge: '✗',
  'not-gated': '!',
  inconclusive: '?',
  skipped: '–',
  'not run': '–',
};

/** A verdict as a chip: told by sign and word, and by colour only besides. */
export function chip(kind: string): Markup {
  return html`<span class="chip ${kind.replace(' ', '-')}"><span aria-hidden="true">${SIGNS[kind] ?? ''}</span> ${kind}</span>`;
}
