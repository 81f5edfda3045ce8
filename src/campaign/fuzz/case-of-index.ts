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
    const claims = (property: Property) => property.applies?.(testCase, [traits]) ?? true;
    const wanted = this.#propertyOf(index);
    return { testCase, property: claims(wanted) ? wanted : this.#space.properties.find(claims) };
  }

  /** The case for all engines together, where it is one to compare them by. */
  jointly(index: number, traits: readonly Traits[]): Case | undefined {
    if (traits.length < 2 || this.#propertyOf(index) !== sessionsAgree) return undefined;
    const testCase = traits.reduce(fitted, this.#caseOf(index));
    return sessionsAgree.applies!(testCase, traits) ? testCase : undefined;
  }

  #caseOf(index: number): Case {
    return caseOf(this.#cases, this.#space.seed, index);
  }

  /**
   * One property a case, each as likely as any other. Where it claims nothing the first one that does takes its place:
   * those that are held to the oracle stand first, and come up most.
   */
  #propertyOf(index: number): Property {
    const { seed, properties } = this.#space;
    return properties[Math.floor(seedrandom.alea(`${seed}/${index}/property`)() * properties.length)]!;
  }
}
