/** Characters that a reader cannot see, or that turn the direction of the text after them. */
const UNSEEN = /(?![\n\t])[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** A text whose every character is seen as it is: those that are not stand as `\u202e`. */
export function visible(text: string): string {
  return text.replaceAll(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
