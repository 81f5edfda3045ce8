import { createHash } from 'node:crypto';
import { html, Markup } from './markup.ts';

/** What a page is made of. Style and script are ours; everything else comes through {@link html}. */
export interface Document {
  readonly title: string;
  readonly style: string;
  readonly script?: string | undefined;
  readonly body: Markup;
}

/** A page that needs nothing else: it may run its own script and no other, and reaches for nothing outside itself. */
export function documentText({ title, style, script, body }: Document): string {
  const scripts = script === undefined ? '' : ` script-src '${hashOf(script)}';`;
  const policy = `default-src 'none'; style-src '${hashOf(style)}';${scripts} base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${body}${
  script !== undefined &&
  html`
<script>${new Markup(script)}</script>`
}
</body>
</html>
`.text;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
