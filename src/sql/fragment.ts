/** How strongly an operator binds, weakest first; decides where parentheses are needed. */
export const Level = {
  or: 1,
  and: 2,
  not: 3,
  compare: 4,
  add: 5,
  multiply: 6,
  atom: 7,
} as const;

/** A piece of SQL that is an expression. `column`: a plain reference to a column. */
export interface Fragment {
  readonly text: string;
  readonly level: number;
  readonly column?: true;
}

/** A fragment that never needs parentheses: a call, a literal, a CASE. */
export const atom = (text: string): Fragment => ({ text, level: Level.atom });

/** A reference to a column, qualified or not. */
export const column = (text: string): Fragment => ({ text, level: Level.atom, column: true });

/** `left operator right` of a left-associative operator. */
export function infix(left: Fragment, operator: string, right: Fragment, level: number): Fragment {
  return { text: `${within(left, level)} ${operator} ${within(right, level + 1)}`, level };
}

/** The text of a fragment as an operand, in parentheses where it binds weaker than `level`. */
export function within(fragment: Fragment, level: number): string {
  return fragment.level < level ? `(${fragment.text})` : fragment.text;
}

/** Every line two spaces further in. */
export function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
