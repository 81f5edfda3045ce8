import pc from 'picocolors';

/**
 * Whether what goes to a stream is coloured: a terminal, or `FORCE_COLOR`, and nothing that forbids it (`NO_COLOR`,
 * a dumb terminal). Not for being in CI alone: what is piped there is read by programs too.
 */
export function hasColours({ isTTY = false }: { readonly isTTY?: boolean }): boolean {
  return pc.isColorSupported && (isTTY || process.env.FORCE_COLOR !== undefined);
}
