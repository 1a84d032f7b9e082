import { json } from 'node:stream/consumers';
import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { type CorrectionRecord, shownOrigin } from '@tapeline/domain/tapes/corrections.schema.ts';
import type { Screen } from '../../../http/screen.server.ts';

/** A correction as shown on the page of an asset. */
export interface ShownCorrection {
  readonly by: string | null;
  /** The manager's user who accepted it, if the borrower proposed it. */
  readonly acceptedBy: string | null;
  /** ISO instant. */
  readonly at: string;
  readonly cells: readonly { readonly header: string; readonly before: string; readonly after: string }[];
}

/** The corrections of a sheet row before it became an asset, the earliest first. */
export async function correctionsOfRow(screen: Screen, tapeId: string, row: number): Promise<ShownCorrection[]> {
  const generation = await screen.db((session) => publishedGeneration(session, tapeId));
  const key = generation?.manifest?.corrections;
  if (!key) return [];
  const records = (await json(await screen.context.objects.getStream(key))) as CorrectionRecord[];
  return records
    .filter((record) => record.row === row)
    .map(({ by, acceptedBy, at, cells }) => ({
      by,
      acceptedBy: acceptedBy ?? null,
      at,
      cells: Object.entries(cells).map(([header, { before, after }]) => ({
        header,
        before: shownOrigin(before),
        after: shownOrigin(after),
      })),
    }));
}
