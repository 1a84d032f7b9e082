import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import {
  countReasons,
  listErroredAssets,
  type UnknownStatus,
  unknownStatuses,
} from '@tapeline/db/lake/errored-assets.ts';
import { wordsToAdd } from '@tapeline/db/operations/mappings/mappings.ts';
import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { statusMeant } from '@tapeline/domain/tapes/suggest/statuses.ts';
import type { Screen } from '../screen.server.ts';
import { erroredSources } from './tape-sources.server.ts';
import { ERRORED_ROWS } from './tape-words.ts';

const skipOf = (url: URL): number => {
  const skip = Number(url.searchParams.get('skip') ?? 0);
  return Number.isSafeInteger(skip) && skip > 0 ? skip : 0;
};

/** Words shown at once; what they leave comes when they are added. */
const MOST_STATUSES = 12;

/**
 * Words of the sheet that the mapping in use makes no status of, each with what it seems to mean; null where there are
 * none, or who asks may not see mappings.
 */
async function statusesToAdd({ actor, db }: Screen, tape: LoanTape, unknown: readonly UnknownStatus[]) {
  if (unknown.length === 0 || !can(actor, 'assets/ETL/read')) return null;
  const { words, latest } = await db((session) => wordsToAdd(session, { id: tape.mappingId, words: unknown })).catch(
    (error) => {
      if (isRefusal(error)) return { words: [], latest: 0 };
      throw error;
    },
  );
  if (words.length === 0) return null;
  return {
    words: words.map(({ word, rows }) => ({ word, rows, means: statusMeant(word, false) })),
    nextVersion: latest + 1,
    mayAdd: can(actor, 'assets/ETL/write'),
  };
}

/**
 * The errored tab: a page of rows that could not become assets, each with what was read and every reason, how many have one
 * at each column, and what the last re-run of corrected rows came to.
 */
export async function readErroredView(screen: Screen, { tape }: { tape: LoanTape }) {
  const { context, url } = screen;
  const { sources, outcome } = await screen.db(async (session) => ({
    sources: await erroredSources(context, session, { tapeIds: [tape.id] }),
    outcome: (await publishedGeneration(session, tape.id))?.manifest?.rerun ?? null,
  }));
  const column = url.searchParams.get('column') || null;
  const [source] = sources;
  const [page, reasons, unknown] = await Promise.all([
    listErroredAssets(context.lake, sources, { skip: skipOf(url), limit: ERRORED_ROWS, column }),
    source ? countReasons(context.lake, source) : [],
    source ? unknownStatuses(context.lake, source, MOST_STATUSES) : [],
  ]);
  return {
    kind: 'errored' as const,
    rows: page.rows,
    total: page.total,
    all: tape.counts?.errored ?? page.total,
    column,
    reasons,
    statuses: await statusesToAdd(screen, tape, unknown),
    outcome,
  };
}
