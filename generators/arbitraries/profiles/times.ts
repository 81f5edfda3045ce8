import { profileOf } from './everyday.ts';

/** Profiles of event time: its order, its ties, and where it stands against windows, gaps and the epoch. */

export const disorder = profileOf({
  name: 'disorder',
  aim: 'operators fire or clear state too early, and sort rows by arrival, where rows are as late as they lawfully may',
  covers: ['out-of-order', 'greatest-lawful-disorder', 'on-a-window-edge'],
  weight: 6,
  data: {
    latenesses: [
      { kind: 'most' },
      { kind: 'part' },
      { kind: 'none' },
      { kind: 'edge', besideMs: 0 },
      { kind: 'edge', besideMs: -1 },
    ],
    lagMs: [4_000, 12_000, 30_000, 2],
  },
});

/** The one profile whose rows may come too late: mostly in one partition, so that their fate is decided (§4). */
export const lateness = profileOf({
  name: 'lateness',
  aim: 'a late row is counted, opens a fired window again, or is dropped a millisecond too early',
  covers: ['late', 'disorder-exactly-lag', 'disorder-beside-lag', 'late-beyond-window'],
  weight: 6,
  queries: ({ windows, streams }) => windows.length > 0 && streams.length === 1,
  data: {
    latenesses: [
      { kind: 'none' },
      { kind: 'none' },
      { kind: 'part' },
      { kind: 'lag', besideMs: -1 },
      { kind: 'lag', besideMs: 0 },
      { kind: 'lag', besideMs: 1 },
      { kind: 'edge', besideMs: 0 },
      { kind: 'edge', besideMs: -1 },
      { kind: 'beyond' },
    ],
    lagMs: [4_000, 1_000, 0, 1],
    beyondLag: true,
    partitions: [1, 1, 1, 1, 1, 2],
  },
  schedule: { restarts: ['none', 'none', 'none', 'checkpoint-restart'] },
});

export const ties = profileOf({
  name: 'ties',
  aim: 'rows of one millisecond or wholly equal rows are lost, merged or ordered by arrival',
  covers: ['tie', 'duplicate', 'tied-order'],
  weight: 6,
  data: {
    copies: [2, 1, 1, 3],
    steps: [
      { kind: 'ms', least: 0, most: 0 },
      { kind: 'ms', least: 0, most: 1 },
      { kind: 'part' },
      { kind: 'edge', besideMs: 0 },
    ],
  },
});

export const windows = profileOf({
  name: 'windows',
  aim: 'a row on the edge of a window, or a millisecond beside, is put into a wrong pane, of odd slides and offsets too',
  covers: ['on-a-window-edge', 'beside-a-window-edge', 'slide-not-dividing', 'slide-beyond-size', 'offset'],
  weight: 8,
  queries: ({ features }) => features.has('tumble') || features.has('hop') || features.has('cumulate'),
  data: {
    steps: [
      { kind: 'edge', besideMs: 0 },
      { kind: 'edge', besideMs: -1 },
      { kind: 'edge', besideMs: 1 },
      { kind: 'ms', least: 0, most: 1 },
      { kind: 'part' },
    ],
    latenesses: [
      { kind: 'none' },
      { kind: 'none' },
      { kind: 'part' },
      { kind: 'edge', besideMs: 0 },
      { kind: 'edge', besideMs: -1 },
      { kind: 'edge', besideMs: 1 },
    ],
    lagMs: [12_000, 4_000, 100],
  },
});

export const sessionGaps = profileOf({
  name: 'session-gaps',
  aim: 'sessions merge a millisecond too early or too late, across keys, or not when a row comes between them',
  covers: ['exactly-a-gap-apart', 'beside-a-gap-apart', 'bridged-sessions'],
  weight: 6,
  queries: ({ features }) => features.has('session'),
  data: {
    steps: [
      { kind: 'gap', besideMs: 0 },
      { kind: 'gap', besideMs: 1 },
      { kind: 'gap', besideMs: -1 },
      { kind: 'ms', least: 0, most: 2 },
      { kind: 'part' },
    ],
    latenesses: [{ kind: 'none' }, { kind: 'none' }, { kind: 'half-gap' }, { kind: 'part' }],
    lagMs: [12_000, 30_000, 4_000],
    keys: ['few', 'single'],
  },
});

export const beforeTheEpoch = profileOf({
  name: 'before-the-epoch',
  aim: 'division that truncates toward zero, or a clamp at zero, misplaces panes before and about the epoch',
  covers: ['before-the-epoch', 'pane-before-the-epoch', 'pane-about-the-epoch', 'on-a-window-edge'],
  weight: 6,
  data: {
    startMs: [
      { least: 0, most: 0 },
      { least: -30_000, most: 0 },
      { least: -100_000, most: -40_000 },
      { least: -90_000_000_000, most: -80_000_000_000 },
    ],
  },
});

export const pace = profileOf({
  name: 'pace',
  aim: 'panes without rows, or long silence between bursts, fire rows twice, never, or for windows that are empty',
  covers: ['sparse', 'bursty'],
  weight: 4,
  data: {
    steps: [
      { kind: 'ms', least: 0, most: 2 },
      { kind: 'ms', least: 0, most: 2 },
      { kind: 'ms', least: 0, most: 2 },
      { kind: 'ms', least: 60_000, most: 600_000 },
      { kind: 'ms', least: 0, most: 200_000 },
    ],
  },
});
