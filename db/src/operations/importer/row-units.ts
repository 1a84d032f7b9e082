import type { ImportProblem, ImportRow } from '@tapeline/domain/importer/check.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import {
  type ReadRow,
  type RowPayloads,
  type TimeSeriesRow,
  timeSeriesOf,
} from '@tapeline/domain/importer/read-rows.ts';
import type { z } from 'zod';
import { type BODY_SCHEMAS, type BodyContext, commitmentBody, type DraftBody, ROW_BODIES } from './bodies.ts';
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

export function unitsOf<Kind extends ImportKind>(
  kind: Kind,
  rows: readonly ImportRow[],
  read: readonly ReadRow<Kind>[],
  references: readonly RowReferences[],
  problems: readonly (readonly ImportProblem[])[],
  context: BodyContext,
): RowUnit[] {
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
  const bodyOf = ROW_BODIES[kind as Exclude<ImportKind, 'LPCommitments'>] as (
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
