import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { countReasons, listErroredAssets } from '@tapeline/db/lake/errored-assets.ts';
import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import type { Screen } from '../screen.server.ts';
import { erroredSources } from './tape-sources.server.ts';
import { ERRORED_ROWS } from './tape-words.ts';

const skipOf = (url: URL): number => {
  const skip = Number(url.searchParams.get('skip') ?? 0);
  return Number.isSafeInteger(skip) && skip > 0 ? skip : 0;
};

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
  const [page, reasons] = await Promise.all([
    listErroredAssets(context.lake, sources, { skip: skipOf(url), limit: ERRORED_ROWS, column }),
    source ? countReasons(context.lake, source) : [],
  ]);
  return {
    kind: 'errored' as const,
    rows: page.rows,
    total: page.total,
    all: tape.counts?.errored ?? page.total,
    column,
    reasons,
    outcome,
  };
}
