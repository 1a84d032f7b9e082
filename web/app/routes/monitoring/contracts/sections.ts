import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';

interface Description {
  readonly title: string;
  /** What the items of the part mean. Shown above their list. */
  readonly meaning: string;
  /** What one of them is called. */
  readonly item: string;
  /** What the contract does without any. */
  readonly empty: string;
  /** What the conditions of an item choose; null if it has none, and so no exceptions. */
  readonly conditions: string | null;
  /** Whether an item has dates, and can be disabled. */
  readonly isRule: boolean;
  /** Where the items are in a contract. */
  readonly path: readonly [string] | readonly [string, string];
}

/** The parts of a contract. Each is a tab with its own address. */
export const PARTS = {
  scopes: {
    title: 'Scopes',
    meaning: 'An asset belongs to the first scope it matches',
    item: 'scope',
    empty: 'Without scopes, all assets on the tape form one pool.',
    conditions: 'Assets of the scope',
    isRule: false,
    path: ['scopes'],
  },
  eligibility: {
    title: 'Eligibility',
    meaning: 'An asset is eligible when it satisfies every rule',
    item: 'rule',
    empty: 'Without rules, every asset in scope is eligible.',
    conditions: 'An asset passes when',
    isRule: true,
    path: ['eligibilityRules'],
  },
  performance: {
    title: 'Performance',
    meaning: 'An eligible asset is performing when it satisfies every rule',
    item: 'rule',
    empty: 'Without rules, all eligible assets are performing.',
    conditions: 'An asset passes when',
    isRule: true,
    path: ['performanceRules'],
  },
  offsets: {
    title: 'Offsets',
    meaning: 'Amounts that are taken off the eligible assets of each group',
    item: 'offset',
    empty: 'Without offsets, eligible assets count in full and negative balances count as zero.',
    conditions: null,
    isRule: true,
    path: ['offsets'],
  },
  concentration: {
    title: 'Concentration',
    meaning: 'Amounts over a limit are excluded',
    item: 'rule',
    empty: 'Without limits, no part of the pool is excluded.',
    conditions: 'Assets where (blank includes all)',
    isRule: true,
    path: ['concentrationRules'],
  },
  advance: {
    title: 'Advance rates',
    meaning: 'The first matching case sets an asset’s rate',
    item: 'case',
    empty: 'Without cases, every asset has the default rate.',
    conditions: 'Assets with this rate (blank includes all)',
    isRule: false,
    path: ['advanceRate', 'cases'],
  },
  values: {
    title: 'Values',
    meaning: 'Values that limits and reserves can refer to',
    item: 'value',
    empty: 'The eligible and relevant pool totals are always available.',
    conditions: 'Assets where (blank includes all)',
    isRule: false,
    path: ['values'],
  },
  reserves: {
    title: 'Reserves',
    meaning: 'Reserves are taken off the net borrowing base before availability',
    item: 'reserve',
    empty: 'Without reserves, the whole net borrowing base is available.',
    conditions: null,
    isRule: true,
    path: ['reserves'],
  },
} as const satisfies Record<string, Description>;
export type ContractSection = keyof typeof PARTS;
export const SECTIONS = Object.keys(PARTS) as [ContractSection, ...ContractSection[]];

/** The parts whose items have conditions. */
export const CONDITION_SECTIONS = SECTIONS.filter((section) => PARTS[section].conditions !== null);

export const isSection = (name: string | null): name is ContractSection => Object.hasOwn(PARTS, name ?? '');

type Item = { title: string } & Record<string, unknown>;

export const sectionItems = (contract: TransactionContract, section: ContractSection): readonly Item[] =>
  (PARTS[section].path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], contract) ??
    []) as Item[];

/** The contract with the items of one part replaced. Nothing is validated here. */
export function withItems(contract: TransactionContract, section: ContractSection, items: readonly unknown[]): unknown {
  if (section === 'advance') return { ...contract, advanceRate: { ...contract.advanceRate, cases: items } };
  // A contract without any has no list of them.
  if ((section === 'reserves' || section === 'offsets') && items.length === 0) {
    return { ...contract, [section]: undefined };
  }
  return { ...contract, [PARTS[section].path[0]]: items };
}

/** The items with one replaced, or appended if its index is null. */
export const putItem = <T>(items: readonly T[], index: number | null, item: T): T[] =>
  index === null || index >= items.length ? [...items, item] : items.map((old, at) => (at === index ? item : old));

export const removeItem = <T>(items: readonly T[], index: number): T[] => items.filter((_, at) => at !== index);

/** The items with one moved up (-1) or down (1). A move past either end changes nothing. */
export function moveItem<T>(items: readonly T[], index: number, by: -1 | 1): T[] {
  const other = index + by;
  const [moved, pushed] = [items[index], items[other]];
  if (moved === undefined || pushed === undefined) return [...items];
  return items.map((item, at) => (at === index ? pushed : at === other ? moved : item));
}
