import type { Unsupported } from '../model/outcome.ts';

/** Thrown inside a rendering when the dialect has no form for an operator, which `reason` names. */
export class UnsupportedForm extends Error {
  override readonly name = 'UnsupportedForm';
}

/** The SQL of a query, or why the dialect has none for it. */
export type Rendered = { readonly kind: 'sql'; readonly sql: string } | Unsupported;

/** The SQL of what was rendered; undefined where the dialect has no form for it. */
export function sqlOf(rendered: Rendered): string | undefined {
  return rendered.kind === 'sql' ? rendered.sql : undefined;
}
