import { below, type Random, seededRandom } from './random.ts';
import { type Text, textOf } from './text.ts';

/** A channel and the page a bid through it comes from. */
export interface Page {
  readonly channel: Text;
  readonly url: Text;
}

/** The strings of one seed, drawn once and shared by all its blocks. */
export interface Vocabulary {
  /** Google, Facebook, Baidu and Apple, whose pages name no `channel_id`. */
  readonly hotPages: readonly Page[];
  /** Lesser channels with numbers below 10,000, whose pages name that number as `channel_id`. */
  readonly pages: readonly Page[];
  readonly names: readonly Text[];
  readonly items: readonly Text[];
  readonly cities: readonly Text[];
  readonly states: readonly Text[];
}

/** Few enough for the cache of a core: drawing from ten times as many halves the speed of the generator. */
const PAGES = 1_000;
const CHANNELS_PER_PAGE = 10;
const hotChannels = ['Google', 'Facebook', 'Baidu', 'Apple'];
const firstNames = ['Ada', 'Bao', 'Chidi', 'Dana', 'Emre', 'Femi', 'Grace', 'Hana', 'Ines', 'Jun', 'Kofi'];
const lastNames = ['Abrams', 'Bartels', 'Castro', 'Dahl', 'Eze', 'Fuchs', 'Gupta', 'Haddad', 'Ito'];
const adjectives = ['amber', 'brass', 'carved', 'dented', 'early', 'folding', 'gilded', 'hollow'];
const nouns = ['anvil', 'bowl', 'clock', 'drum', 'easel', 'flute', 'globe', 'harp', 'inkwell', 'jug'];
const cities = ['Phoenix', 'Los Angeles', 'San Francisco', 'Boise', 'Portland', 'Bend', 'Redmond', 'Seattle'];
const states = ['AZ', 'CA', 'ID', 'OR', 'WA', 'WY'];
const urlLetters = 'abcdefghijklmnopqrstuvwxyz_';

/** The vocabulary of a seed. */
export function vocabularyOf(seed: string): Vocabulary {
  const random = seededRandom(seed, 'vocabulary');
  return {
    hotPages: hotChannels.map((channel) => ({ channel: textOf(channel), url: textOf(itemUrl(random)) })),
    pages: Array.from({ length: PAGES }, (_, index) => {
      const number = index * CHANNELS_PER_PAGE + below(random, CHANNELS_PER_PAGE);
      return {
        channel: textOf(`channel-${number}`),
        url: textOf(`${itemUrl(random)}&channel_id=${number}`),
      };
    }),
    names: pairs(firstNames, lastNames),
    items: pairs(adjectives, nouns),
    cities: cities.map(textOf),
    states: states.map(textOf),
  };
}

function itemUrl(random: Random): string {
  return `https://www.nexmark.com/${segment(random)}/${segment(random)}/${segment(random)}/item.htm?query=1`;
}

function segment(random: Random): string {
  const length = 3 + below(random, 3);
  let text = '';
  while (text.length < length) text += urlLetters[below(random, urlLetters.length)];
  return text;
}

function pairs(left: readonly string[], right: readonly string[]): Text[] {
  return left.flatMap((first) => right.map((second) => textOf(`${first} ${second}`)));
}
