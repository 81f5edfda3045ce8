/** What a picture needs beside the report's style. */
export const pictureStyle = `
.picture .timeline .row { fill: var(--ink); } .picture .timeline .late { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5; }
.picture .timeline .mark { fill: none; stroke: var(--shown); stroke-width: 1.5; } .picture .timeline .pane { fill: var(--shown); opacity: .55; }
.picture .timeline .pane.lost { fill: none; stroke: var(--missing); stroke-width: 1.5; stroke-dasharray: 4 3; opacity: 1; }
.picture .timeline .pane.altered, .picture .timeline .pane.extra, .picture .timeline .pane.premature { fill: var(--surplus); opacity: .8; }
.picture .timeline text.bad { fill: var(--bad); font-weight: 600; }
.picture .beside .none { color: var(--soft); } .picture .beside tr:not(.same) th { color: var(--bad); }
`;
