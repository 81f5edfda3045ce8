/**
 * Name of the text column that every table of a history has. Each row written holds a token of its own there, unique in
 * the history, so that every effect in a sink leads back to the one write that caused it.
 */
export const TOKEN_COLUMN = 'token';

/** What ends the token that the content of every message begins with. */
export const TOKEN_END = ';';

/** The token of a message, given its content in base64; undefined for content that no history emits. */
export function messageToken(content: string): string | undefined {
  const text = new TextDecoder('latin1').decode(Uint8Array.from(atob(content), (char) => char.charCodeAt(0)));
  const end = text.indexOf(TOKEN_END);
  return end <= 0 ? undefined : text.slice(0, end);
}
