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

  constructor(space: SearchSpace) {
    this.#space = space;
    const { profiles, declared, streams, families } = space;
    this.#cases = caseArbitrary({ profile: profiles, declared, streams, families });
  }

  /** The case as an engine of these traits runs it. */
  at(index: number, traits: Traits): Drawn {
    const testCase = fitted(this.#caseOf(index), traits);
    const { properties } = this.#space;
    const first = this.#firstAsked(index);
    const asked = [traits];
    for (let turn = 0; turn < properties.length; turn++) {
      const property = properties[(first + turn) % properties.length]!;
      if (property.applies?.(testCase, asked) ?? true) return { testCase, property };
    }
    return { testCase, property: undefined };
  }

  /** The case for all engines together, where it is one to compare them by. */
  jointly(index: number, traits: readonly Traits[]): Case | undefined {
    if (traits.length < 2 || this.#space.properties[this.#firstAsked(index)] !== sessionsAgree)
      return undefined;
    const testCase = traits.reduce(fitted, this.#caseOf(index));
    return sessionsAgree.applies!(testCase, traits) ? testCase : undefined;
  }

  #caseOf(index: number): Case {
    return caseOf(this.#cases, this.#space.seed, index);
  }

  /**
   * The place of the property that is asked first whether it claims anything of a case; the others follow in their
   * order. Half of the cases go to those that are held to the oracle, which stand first; the other half is shared by all,
   * from any one on.
   */
  #firstAsked(index: number): number {
    const { seed, properties } = this.#space;
    const random = seedrandom.alea(`${seed}/${index}/property`);
    return random() < 0.5 ? 0 : Math.floor(random() * properties.length);
  }
}
