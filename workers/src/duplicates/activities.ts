import {
  beginSearch,
  failSearch,
  keepDuplicates,
  managersToSearch,
  reportSearch,
  type SearchedTape,
  tapesToSearch,
} from '@tapeline/db/operations/duplicates/duplicates.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { MAX_PAIRS } from '@tapeline/domain/duplicates/rules.ts';
import { type BookTape, type FoundLoan, findDuplicates } from '@tapeline/lake/duplicates.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import { type DuplicateActivities, SEARCH_SECONDS } from '@tapeline/workflows/duplicates/activities.ts';
import type { WorkerContext } from '../context.ts';
import { progressInSteps } from '../heartbeat.ts';
import { withJobLake } from '../job-lake.ts';

const SEARCHER = systemActor('Search for the same loan twice');
const LIMITS = {
  what: 'The search for the same loan twice',
  seconds: SEARCH_SECONDS,
  advice: 'Give the workers more memory or processors.',
};

type SearchContext = Pick<WorkerContext, 'store' | 'objects' | 'log' | 'scratchFolder' | 'jobMemory' | 'jobSpill'>;

export const createDuplicateActivities = (context: SearchContext): DuplicateActivities => ({
  listBooks: () => context.store.as(SEARCHER, async (session) => ({ managerIds: await managersToSearch(session) })),
  findDuplicates: ({ managerId }) => searchBook(context, managerId),
  async recordFailedSearch({ managerId, reason }) {
    context.log.warn({ managerId, reason }, 'the search for the same loan twice failed');
    await context.store.as(SEARCHER, (session) => failSearch(session, managerId, reason));
  },
});

async function searchBook(context: SearchContext, managerId: string): Promise<{ found: number }> {
  const { store, log } = context;
  const { decided, tapes } = await store.as(SEARCHER, async (session) => ({
    decided: await beginSearch(session, managerId),
    tapes: await tapesToSearch(session, managerId),
  }));
  const heartbeat = progressInSteps();
  const { pairs, found, loans, notCompared } = await withJobLake(context, LIMITS, async (lake) => {
    const sources: BookTape[] = [];
    for (const tape of tapes) {
      sources.push(await sourceOf(context, managerId, tape));
      heartbeat(0);
    }
    const onStep = async (share: number): Promise<void> => {
      heartbeat(share);
      await store.as(SEARCHER, (session) => reportSearch(session, managerId, share));
    };
    // Pairs that are decided take no place from those that are not.
    return findDuplicates(lake, sources, onStep, MAX_PAIRS + decided);
  });
  const sideOf = ({ source, ...loan }: FoundLoan) => {
    const tape = tapes[source];
    if (!tape) throw new Error('a loan was found on a tape that was not searched');
    return { tapeId: tape.id, companyId: tape.companyId, loan };
  };
  await store.as(SEARCHER, (session) =>
    keepDuplicates(session, {
      managerId,
      pairs: pairs.map(({ certainty, loans: [first, second] }) => ({
        certainty,
        sides: [sideOf(first), sideOf(second)],
      })),
      counts: {
        tapes: tapes.filter(({ isEarlier }) => !isEarlier).length,
        companies: new Set(tapes.map(({ companyId }) => companyId)).size,
        loans,
        pairCount: found,
        notCompared,
      },
    }),
  );
  log.info({ managerId, tapes: tapes.length, loans, found }, 'searched for the same loan twice');
  return { found };
}

const sourceOf = async (
  { objects }: SearchContext,
  managerId: string,
  { id, companyId, assetPrefix, cutOffDate, mappingVersion, manifest, isEarlier }: SearchedTape,
): Promise<BookTape> => ({
  isEarlier,
  tapeId: id,
  managerId,
  companyId,
  cutOffDate,
  assetPrefix,
  mappingVersion: manifest.mapping?.version ?? mappingVersion,
  paths: await localPaths(objects, manifest.assets),
  columns: manifest.columns,
  customFields: manifest.customFields,
  borrowingBase: null,
});
