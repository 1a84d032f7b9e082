import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';

/** The parts of a contract. Each is a tab with its own address. */
export const SECTIONS = ['scopes', 'eligibility', 'performance', 'concentration', 'advance', 'values'] as const;
export type Section = (typeof SECTIONS)[number];

export const SECTION_TITLES: Readonly<Record<Section, string>> = {
  scopes: 'Scopes',
  eligibility: 'Eligibility',
  performance: 'Performance',
  concentration: 'Concentration',
  advance: 'Advance rates',
  values: 'Values',
};

/** What the items of a part mean. Shown above their list. */
export const SECTION_MEANINGS: Readonly<Record<Section, string>> = {
  scopes: 'An asset belongs to the first scope it matches',
  eligibility: 'An asset is eligible when it satisfies every rule',
  performance: 'An eligible asset is performing when it satisfies every rule',
  concentration: 'Amounts over a limit are excluded',
  advance: 'The first matching case sets an asset’s rate',
  values: 'Values that limits can refer to',
};

export const ITEM_NAMES: Readonly<Record<Section, string>> = {
  scopes: 'scope',
  eligibility: 'rule',
  performance: 'rule',
  concentration: 'rule',
  advance: 'case',
  values: 'value',
};

/** Where the section's items are located in a contract, as error paths name them. */
export const SECTION_PATHS: Readonly<Record<Section, readonly string[]>> = {
  scopes: ['scopes'],
  eligibility: ['eligibilityRules'],
  performance: ['performanceRules'],
  concentration: ['concentrationRules'],
  advance: ['advanceRate', 'cases'],
  values: ['values'],
};

export const isSection = (name: string | null): name is Section => (SECTIONS as readonly string[]).includes(name ?? '');

type Item = { title: string } & Record<string, unknown>;

export function itemsOf(contract: TransactionContract, section: Section): readonly Item[] {
  switch (section) {
    case 'scopes':
      return contract.scopes;
    case 'eligibility':
      return contract.eligibilityRules;
    case 'performance':
      return contract.performanceRules;
    case 'concentration':
      return contract.concentrationRules;
    case 'advance':
      return contract.advanceRate.cases;
    case 'values':
      return contract.values;
  }
}

/** The contract with the items of one part replaced. Nothing is validated here. */
export function withItems(contract: TransactionContract, section: Section, items: readonly unknown[]): unknown {
  if (section === 'advance') return { ...contract, advanceRate: { ...contract.advanceRate, cases: items } };
  return { ...contract, [SECTION_PATHS[section][0] as string]: items };
}

/** The items with one replaced at its place, or appended if the place is null. */
export const putItem = <T>(items: readonly T[], place: number | null, item: T): T[] =>
  place === null || place >= items.length
    ? [...items, item]
    : items.map((old, index) => (index === place ? item : old));

export const removeItem = <T>(items: readonly T[], place: number): T[] => items.filter((_, index) => index !== place);

/** The items with one moved up (-1) or down (1). A move past either end changes nothing. */
export function moveItem<T>(items: readonly T[], place: number, by: -1 | 1): T[] {
  const other = place + by;
  const [moved, pushed] = [items[place], items[other]];
  if (moved === undefined || pushed === undefined) return [...items];
  return items.map((item, index) => (index === place ? pushed : index === other ? moved : item));
}
