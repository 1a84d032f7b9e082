import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import type { TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import type { WorkerContext } from '../context.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';

export interface PublishedTapeParts {
  tape: LoanTape;
  generationId: string;
  manifest: GenerationManifest;
  parquetFiles: string[];
  terms: TapeTerms;
}

/** @throws Refusal badRequest for a tape that is not published yet */
export async function openPublishedTape(
  context: Pick<WorkerContext, 'store' | 'objects'>,
  tapeId: string,
): Promise<PublishedTapeParts> {
  const { tape, generation } = await context.store.as(TAPE_WORKER, async (session) => ({
    tape: await getTape(session, tapeId),
    generation: await publishedGeneration(session, tapeId),
  }));
  if (!generation?.manifest)
    throw new Refusal('badRequest', 'The tape has no published assets yet; wait until processing is complete');
  const { manifest } = generation;
  return {
    tape,
    generationId: generation.id,
    manifest,
    parquetFiles: await localPaths(context.objects, manifest.assets),
    terms: { cutOffDate: tape.cutOffDate, mainCurrency: tape.mainCurrency, exchangeRates: tape.exchangeRates },
  };
}
