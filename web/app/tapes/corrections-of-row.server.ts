import { json } from 'node:stream/consumers';
import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { type CorrectionRecord, shownOrigin } from '@tapeline/domain/tapes/corrections.schema.ts';
import type { Screen } from '../screen.server.ts';

/** A correction as the page of an asset tells it. */
export interface ShownCorrection {
  readonly by: string | null;
  /** ISO instant. */
  readonly at: string;
  readonly cells: readonly { readonly header: string; readonly before: string; readonly after: string }[];
}

/** What was corrected of a row of the sheet before it became an asset, the earliest first. */
export async function correctionsOfRow(screen: Screen, tapeId: string, row: number): Promise<ShownCorrection[]> {
  const generation = await screen.db((session) => publishedGeneration(session, tapeId));
  const key = generation?.manifest?.corrections;
  if (!key) return [];
  const records = (await json(await screen.context.objects.getStream(key))) as CorrectionRecord[];
  return records
    .filter((record) => record.row === row)
    .map(({ by, at, cells }) => ({
      by,
      at,
      cells: Object.entries(cells).map(([header, { before, after }]) => ({
        header,
        before: shownOrigin(before),
        after: shownOrigin(after),
      })),
    }));
}
