import { readPublishedParts } from '@tapeline/db/operations/tapes/read-tapes.ts';
import { previousPublishedTape } from '@tapeline/db/operations/tapes/tapes.ts';
import type { TapeFiles } from '@tapeline/lake/asset-relation.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import type { WorkerContext } from '../context.ts';
import { TAPE_WORKER } from './tape-record.ts';

/** The parts of the company's latest published tape with an earlier cut-off date, or null if there is none. */
export async function earlierTape(
  context: Pick<WorkerContext, 'store' | 'objects'>,
  companyId: string,
  cutOffDate: string,
): Promise<TapeFiles | null> {
  const found = await context.store.read(TAPE_WORKER, async (session) => {
    const earlier = await previousPublishedTape(session, {
      companyId,
      beforeCutOffDate: cutOffDate,
      hasStableIds: true,
    });
    const manifest = earlier ? (await readPublishedParts(session, earlier.id))?.manifest : null;
    return earlier && manifest ? { cutOffDate: earlier.cutOffDate, manifest } : null;
  });
  if (!found) return null;
  return {
    cutOffDate: found.cutOffDate,
    columns: found.manifest.columns,
    paths: await localPaths(context.objects, found.manifest.assets),
  };
}
