import { json } from 'node:stream/consumers';
import { type CorrectionRecord, shownOrigin } from '@tapeline/domain/tapes/corrections.schema.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
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
export async function correctionsOfRow(
  { context }: Pick<Screen, 'context'>,
  { corrections }: Pick<GenerationManifest, 'corrections'>,
  row: number,
): Promise<ShownCorrection[]> {
  if (!corrections) return [];
  const records = (await json(await context.objects.getStream(corrections))) as CorrectionRecord[];
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
