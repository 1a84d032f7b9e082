import type { OffsetAmounts, OffsetKind } from './contract.schema.ts';

/** What an offset takes, in parts: the names of fields stand out on screens. */
export type OffsetWords = readonly { readonly text: string; readonly isField?: true }[];

/** The labels of its fields. */
export interface OffsetNames {
  readonly group: string;
  readonly parent: string | null;
  /** Null for a file and for negative balances. */
  readonly field: string | null;
  /** The name of the file, or a part of it; null without one. */
  readonly file: string | null;
  /** The headers of its columns, where they are named. */
  readonly columns?: readonly [group: string, amount: string];
}

const named = (text: string) => ({ text, isField: true }) as const;

/** "Borrower id", or "Borrower id or its Parent". */
export const groupWords = ({ group, parent }: Pick<OffsetNames, 'group' | 'parent'>): OffsetWords =>
  parent === null ? [named(group)] : [named(group), { text: ' or its ' }, named(parent)];

/**
 * "Payables, the same on each asset of a Borrower id", "Amounts of the file “payables” by Borrower id", "Negative balances
 * of a Borrower id".
 */
export function offsetWords(
  { kind, amounts }: { kind: OffsetKind; amounts: OffsetAmounts | null },
  names: OffsetNames,
): OffsetWords {
  const group = groupWords(names);
  if (kind === 'negatives') return [{ text: 'Negative balances of a ' }, ...group];
  if (kind === 'file') {
    const [own, amount] = names.columns ?? [];
    const read = own === undefined ? [] : [{ text: `, from its columns “${own}” and “${amount}”` }];
    return [{ text: `Amounts of the file “${names.file ?? ''}” by ` }, ...group, ...read];
  }
  const stated = amounts === 'perAsset' ? ', added up over the assets of a ' : ', the same on each asset of a ';
  return [named(names.field ?? ''), { text: stated }, ...group];
}

/** What an offset of a certificate takes. */
export function offsetBasis(
  offset: {
    kind: OffsetKind;
    amounts: OffsetAmounts | null;
    groupBy: string;
    parent: string | null;
    field: string | null;
    file?: { name: string };
  },
  labels: Readonly<Record<string, string>>,
): string {
  const labelOf = (path: string | null) => path && (labels[path] ?? path);
  const names = {
    group: labels[offset.groupBy] ?? offset.groupBy,
    parent: labelOf(offset.parent),
    field: labelOf(offset.field),
    file: offset.file?.name ?? null,
  };
  return offsetWords(offset, names)
    .map(({ text }) => text)
    .join('');
}
