import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { wordsToAdd } from '@tapeline/db/operations/mappings/mappings.ts';
import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { listProposals } from '@tapeline/db/operations/tapes/proposals.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { MAX_OPEN_PROPOSALS } from '@tapeline/domain/tapes/proposal.schema.ts';
import { statusMeant } from '@tapeline/domain/tapes/suggest/statuses.ts';
import { countReasons, listErroredAssets, type UnknownStatus, unknownStatuses } from '@tapeline/lake/errored-assets.ts';
import { proposalFacts } from '../../../commands/proposals.server.ts';
import { erroredSources } from '../../../commands/tape-sources.server.ts';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { ERRORED_ROWS } from './tape-words.ts';

/** Number of closed proposals shown. */
const SHOWN_DECIDED = 5;

/** Maximum number of words shown at once. The rest appear once these are added. */
const MAX_STATUSES = 12;

/**
 * Words of the sheet that the current mapping does not map to a status, each with its likely meaning. Null if there are
 * none, or if the actor may not see mappings.
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

/** The tape's open proposals, and the most recent closed ones. */
async function proposalsOf(session: Session, tape: LoanTape) {
  const of = (status: object, limit: number) =>
    listProposals(session, { filter: { loanTapeId: tape.id, status }, sort: { code: -1 }, limit });
  const open = await of({ eq: 'Proposed' }, MAX_OPEN_PROPOSALS);
  const others = await of({ neq: 'Proposed' }, SHOWN_DECIDED);
  return [...open.documents, ...others.documents].map((proposal) => proposalFacts(proposal, tape));
}

/**
 * The errored tab: a page of rows that could not become assets, each with its data as read and every reason. Also the
 * number of errored rows per column, and the result of the last re-run of corrected rows.
 */
export async function readErroredView(screen: Screen, { tape }: { tape: LoanTape }) {
  const { context, url } = screen;
  const { sources, outcome, proposals } = await screen.db(async (session) => ({
    sources: await erroredSources(context, session, { tapeIds: [tape.id] }),
    proposals: await proposalsOf(session, tape),
    outcome: (await publishedGeneration(session, tape.id))?.manifest?.rerun ?? null,
  }));
  const column = url.searchParams.get('column') || null;
  const [source] = sources;
  const [page, reasons, unknown] = await Promise.all([
    listErroredAssets(context.lake, sources, { skip: skipOf(url.searchParams), limit: ERRORED_ROWS, column }),
    source ? countReasons(context.lake, source) : [],
    source ? unknownStatuses(context.lake, source, MAX_STATUSES) : [],
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
    proposals,
  };
}
