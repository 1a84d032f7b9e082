import type { ImportProblem, ImportRow } from '@tapeline/domain/importer/check.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import {
  type ReadRow,
  type RowPayloads,
  type TimeSeriesRow,
  timeSeriesOf,
} from '@tapeline/domain/importer/read-rows.ts';
import type { z } from 'zod';
import {
  type BODY_SCHEMAS,
  type BodyContext,
  closingBody,
  commitmentBody,
  type DraftBody,
  purposesOfCalls,
  ROW_BODIES,
  type RowKind,
} from './bodies.ts';
import { cellOf, type RowReferences } from './references.ts';

export type Bodies = {
  [Kind in ImportKind]: (z.output<(typeof BODY_SCHEMAS)[Kind]> & { code?: number })[];
};

/** Rows that become one record. */
export interface RowUnit extends DraftBody {
  readonly indexes: readonly number[];
  readonly code?: number | undefined;
}

const partiesOf = (row: ImportRow) =>
  JSON.stringify(
    ['investorType', 'investorCode', 'fundCode', 'fundClassCode'].map((key) => cellOf(row, key)?.toLowerCase()),
  );

const closingOf = (row: ImportRow) => JSON.stringify(['fundCode', 'title'].map((key) => cellOf(row, key)));

/** Rows of one fund with the same title are one closing. One with a broken row is incomplete. */
function closingUnits(
  rows: readonly ImportRow[],
  read: readonly ReadRow<'closings'>[],
  references: readonly RowReferences[],
  problems: readonly (readonly ImportProblem[])[],
  { status }: BodyContext,
): RowUnit[] {
  const closings = Map.groupBy(rows.keys(), (index) => closingOf(rows[index]!));
  return [...closings.values()].flatMap((indexes) => {
    const whole = indexes.flatMap((index) => {
      const { payload } = read[index]!;
      return payload && problems[index]!.length === 0 ? [{ payload, references: references[index]! }] : [];
    });
    return whole.length < indexes.length ? [] : [{ ...closingBody(whole, status), indexes }];
  });
}

export function unitsOf<Kind extends ImportKind>(
  kind: Kind,
  rows: readonly ImportRow[],
  read: readonly ReadRow<Kind>[],
  references: readonly RowReferences[],
  problems: readonly (readonly ImportProblem[])[],
  given: Omit<BodyContext, 'purposesOf'>,
): RowUnit[] {
  const calls = kind === 'contributions' ? read.map(({ payload }) => payload as TimeSeriesRow | null) : [];
  const context: BodyContext = { ...given, purposesOf: purposesOfCalls(calls) };
  if (kind === 'LPCommitments') {
    // A commitment with a broken row is incomplete: what is wrong with that row is all there is to say.
    const broken = new Set(rows.flatMap((row, index) => (problems[index]!.length === 0 ? [] : [partiesOf(row)])));
    const whole = rows.flatMap((row, index) => {
      const payload = read[index]!.payload as TimeSeriesRow | null;
      return payload && !broken.has(partiesOf(row)) ? [{ index, payload }] : [];
    });
    return timeSeriesOf(whole).map((series) => ({
      ...commitmentBody(series, references[series.indexes[0]!]!, context.status),
      indexes: series.indexes,
    }));
  }
  if (kind === 'closings')
    return closingUnits(rows, read as readonly ReadRow<'closings'>[], references, problems, context);
  const bodyOf = ROW_BODIES[kind as RowKind] as (
    payload: RowPayloads[Kind],
    references: RowReferences,
    context: BodyContext,
  ) => DraftBody;
  return read.flatMap(({ payload }, index) =>
    payload === null
      ? []
      : [
          {
            ...bodyOf(payload, references[index]!, context),
            indexes: [index],
            code: 'code' in payload ? (payload.code ?? undefined) : undefined,
          },
        ],
  );
}
