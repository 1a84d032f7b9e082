import type { OffsetOutcome, Outcome } from './outcome.ts';
import type { PreparedContract, PreparedOffset } from './prepare.ts';
import { at, type Publisher, total } from './publisher.ts';
import type { OffsetResult, Totals } from './result.ts';

/** Rounds the parts of a whole of which only some are listed. */
function listedParts(parts: readonly bigint[], exact: bigint, published: bigint, publisher: Publisher): bigint[] {
  return publisher.parts([...parts, exact - total(parts)], published).slice(0, parts.length);
}

function publishOffset(
  { rule, title, kind, grouping, measured, amounts }: PreparedOffset,
  { groupCount, owed, taken, groups, list }: OffsetOutcome,
  takenUnits: bigint,
  publisher: Publisher,
): OffsetResult {
  const leftOver = owed - taken.amount;
  const leftUnits = publisher.units(leftOver);
  const takenParts = listedParts(
    groups.map((group) => group.taken),
    taken.amount,
    takenUnits,
    publisher,
  );
  const leftParts = listedParts(
    groups.map((group) => group.owed - group.taken),
    leftOver,
    leftUnits,
    publisher,
  );
  // What is to be taken is published as the sum of its two parts.
  const figures = (takenOf: bigint, leftOf: bigint) => ({
    owed: publisher.amount(takenOf + leftOf),
    taken: publisher.amount(takenOf),
    leftOver: publisher.amount(leftOf),
  });
  return {
    rule,
    title,
    kind,
    groupBy: grouping.field.path,
    parent: grouping.parent?.path ?? null,
    field: measured?.field.path ?? null,
    amounts: measured ? amounts : null,
    ...(list && { file: list.file }),
    groupCount,
    count: taken.count,
    ...figures(takenUnits, leftUnits),
    groups: groups.map(({ key, eligible }, index) => ({
      key,
      count: eligible.count,
      eligible: publisher.amount(publisher.units(eligible.amount)),
      ...figures(at(takenParts, index), at(leftParts, index)),
    })),
  };
}

/**
 * The offsets that apply; nothing for a contract without any on the cut-off date.
 * @param units what they take together, as published
 */
export function publishOffsets(
  { offsets, offsetCount }: Pick<Outcome, 'offsets' | 'offsetCount'>,
  prepared: PreparedContract,
  units: bigint,
  publisher: Publisher,
): Pick<Totals, 'offset' | 'offsets'> {
  if (prepared.offsets.length === 0) return {};
  const parts = publisher.parts(
    offsets.map(({ taken }) => taken.amount),
    units,
  );
  return {
    offset: { count: offsetCount, amount: publisher.amount(units) },
    offsets: prepared.offsets.map((offset, index) =>
      publishOffset(offset, at(offsets, index), at(parts, index), publisher),
    ),
  };
}
