import { listCompanies } from '@tapeline/db/operations/people/people.ts';
import { findRemovedTape, listTapes } from '@tapeline/db/operations/tapes/tapes.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { Screen } from '../screen.server.ts';
import { statusPool } from './pool-by-status.ts';
import { tapeProgress } from './tape-control.server.ts';
import { makerOf, TAPES_PER_PAGE, tapeState } from './tape-words.ts';

const MOST_COMPANIES = 500;

/** The tapes in sight, the latest cut-off date first, and the companies they can be narrowed to. */
export async function readTapeList(screen: Screen) {
  const { actor, context, url } = screen;
  const company = url.searchParams.get('company') || null;
  const skip = Math.max(0, Math.trunc(Number(url.searchParams.get('skip') ?? 0)) || 0);
  const removedId = url.searchParams.get('removed');
  const { page, companies, removed } = await screen.db(async (session) => ({
    page: await listTapes(session, {
      filter: company ? { company } : {},
      sort: { cutOffDate: -1, code: -1 },
      skip,
      limit: TAPES_PER_PAGE,
    }),
    companies: (await listCompanies(session, { sort: { 'entity.name': 1 }, limit: MOST_COMPANIES })).documents,
    removed: removedId ? await findRemovedTape(session, removedId) : null,
  }));
  const names = new Map(companies.map(({ id, entity }) => [id, entity.name]));
  const tapes = await Promise.all(
    page.documents.map(async (tape) => {
      const state = tapeState(tape);
      const pool = tape.statistics ? statusPool(tape.statistics) : null;
      const [currency] = pool?.currencies ?? [];
      const [sum] = pool?.outstanding ?? [];
      return {
        id: tape.id,
        name: tape.attachment.name,
        company: names.get(tape.companyId) ?? 'Company',
        cutOffDate: tape.cutOffDate,
        state,
        failure: tape.failure ?? null,
        percent:
          state === 'Processing' && !tape.generationId ? ((await tapeProgress(context, tape))?.percent ?? 0) : null,
        counts: tape.counts ?? null,
        // Amounts of several currencies do not add up: such a tape tells them on its own page.
        outstanding: pool?.currencies.length === 1 && currency && sum ? { sum, currency } : null,
        isMixed: (pool?.currencies.length ?? 0) > 1,
        uploadedAt: tape.metadata.iat,
        uploadedBy: makerOf(tape.metadata),
      };
    }),
  );
  return {
    tapes,
    total: page.total,
    company,
    companies: companies.map(({ id, entity }) => ({ id, name: entity.name })),
    /** The tape that was just taken away, as the address names it. */
    removed: removed ? { name: removed.attachment.name, wasPublished: removed.counts !== null } : null,
    isInWork: tapes.some(({ state }) => state === 'Processing'),
    mayUpload: can(actor, 'assets/write'),
  };
}
