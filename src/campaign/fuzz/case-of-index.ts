import type fc from 'fast-check';
import seedrandom from 'seedrandom';
import { caseArbitrary, caseOf, type Profile } from '../../../generators/arbitraries/index.ts';
import type { Property } from '../../../properties/property.ts';
import { sessionsAgree } from '../../../properties/sessions-agree.ts';
import type { Case } from '../../model/case.ts';
import type { QueryDefinition } from '../../model/query.ts';
import type { StreamSchema } from '../../model/schema.ts';
import type { Traits } from '../../model/traits.ts';
import { fitted } from './setting.ts';

/** What a search draws from. */
export interface SearchSpace {
  /** See {@link seedNumber}. */
  readonly seed: number;
  readonly profiles: readonly Profile[];
  readonly properties: readonly Property[];
  readonly declared: readonly QueryDefinition[];
  /** The streams that the declared queries read, by default those of nexmark. */
  readonly streams?: readonly StreamSchema[] | undefined;
  /** Whether the query families are drawn from as well, default true. */
  readonly families?: boolean | undefined;
}

/** One case for one engine, and the property it is held to. */
export interface Drawn {
  readonly testCase: Case;
  /** Undefined where no property of the search claims anything of the case. */
  readonly property: Property | undefined;
}

/** The cases of a search by their index: a function of its space and the index, whatever was drawn before. */
export class CasesByIndex {
  readonly #space: SearchSpace;
  readonly #cases: fc.Arbitrary<Case>;
  /** Orders of the properties, by the place of the one that begins. */
  readonly #turns: Readonly<Record<'all' | 'rareFirst', readonly (readonly Property[])[]>>;

  constructor(space: SearchSpace) {
    this.#space = space;
    const rare = space.properties
      .filter(({ share }) => share !== undefined)
      .toSorted((a, b) => a.share! - b.share!);
    const all = rotations(space.properties);
    this.#turns = { all, rareFirst: all.map((turn) => [...new Set([...rare, ...turn])]) };
    const { profiles, declared, streams, families } = space;
    this.#cases = caseArbitrary({ profile: profiles, declared, streams, families });
  }

  /** The case as an engine of these traits runs it. */
  at(index: number, traits: Traits): Drawn {
    const testCase = fitted(this.#caseOf(index), traits);
    const asked = [traits];
    for (const property of this.#inTurn(index)) {
      if (property.applies?.(testCase, asked) ?? true) return { testCase, property };
    }
    return { testCase, property: undefined };
  }

  /** The case for all engines together, where it is one to compare them by. */
  jointly(index: number, traits: readonly Traits[]): Case | undefined {
    if (traits.length < 2 || this.#inTurn(index)[0] !== sessionsAgree) return undefined;
    const testCase = traits.reduce(fitted, this.#caseOf(index));
    return sessionsAgree.applies!(testCase, traits) ? testCase : undefined;
  }

  #caseOf(index: number): Case {
    return caseOf(this.#cases, this.#space.seed, index);
  }

  /**
   * The properties in the order in which they are asked whether they claim anything of a case. Of ten cases four
   * go to those that are held to the oracle, which stand first; two are shared by all, from any one on; in the other four
   * those that claim something of few cases are asked before.
   */
  #inTurn(index: number): readonly Property[] {
    const { seed, properties } = this.#space;
    const random = seedrandom.alea(`${seed}/${index}/property`);
    const share = random();
    if (share < 0.4) return properties;
    const start = Math.floor(random() * properties.length);
    return this.#turns[share < 0.6 ? 'all' : 'rareFirst'][start]!;
  }
}

/** A list begun at each of its places. */
function rotations<T>(list: readonly T[]): readonly (readonly T[])[] {
  return list.map((_, start) => [...list.slice(start), ...list.slice(0, start)]);
}
