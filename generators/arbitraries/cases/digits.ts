/** Splits one drawn number into choices, each independent of the others and 0 when the number is 0. */
export class Digits {
  #rest: number;

  constructor(code: number) {
    this.#rest = code;
  }

  /** A whole number from 0 to `choices - 1`. */
  below(choices: number): number {
    const digit = this.#rest % choices;
    this.#rest = (this.#rest - digit) / choices;
    return digit;
  }

  /** One of the choices, the first one for 0. */
  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
