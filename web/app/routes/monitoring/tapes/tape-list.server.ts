import { companyChoices, companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import { findRemovedTape, listTapes } from '@tapeline/db/operations/tapes/tapes.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { tapeProgress, waitsForWorker } from '../../../commands/tape-control.server.ts';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { statusPool } from './pool-by-status.ts';
import { TAPES_PER_PAGE, tapeState } from './tape-words.ts';

/** A page of the visible tapes, the latest cut-off date first, and the companies to filter by. */
export async function readTapeList(screen: Screen) {
  const { actor, context, url } = screen;
  const company = url.searchParams.get('company') || null;
  const skip = skipOf(url.searchParams);
  const removedId = url.searchParams.get('removed');
  const { page, names, picker, removed } = await screen.db(async (session) => {
    const tapes = await listTapes(session, {
      filter: company ? { company } : {},
      sort: { cutOffDate: -1, code: -1 },
      skip,
      limit: TAPES_PER_PAGE,
    });
    return {
      page: tapes,
      names: await companyNamesOf(
        session,
        tapes.documents.map(({ companyId }) => companyId),
      ),
      picker: await companyChoices(session, { search: url.searchParams.get('find'), chosen: company }),
      removed: removedId ? await findRemovedTape(session, removedId) : null,
    };
  });
  const waits = page.documents.some(({ schedulerStatus }) => schedulerStatus === 'Processing')
    ? await waitsForWorker(context)
    : false;
  const tapes = await Promise.all(
    page.documents.map(async (tape) => {
      const state = tapeState(tape);
      const pool = tape.statistics ? statusPool(tape.statistics) : null;
      const [currency] = pool?.currencies ?? [];
      const [sum] = pool?.outstanding ?? [];
      return {
        id: tape.id,
        name: tape.attachment.name,
        company: names.get(tape.companyId) ?? 'Borrower',
        cutOffDate: tape.cutOffDate,
        state,
        failure: tape.failure ?? null,
        percent:
          state === 'Processing' && !tape.generationId ? ((await tapeProgress(context, tape))?.percent ?? 0) : null,
        waitsForWorker: waits && state === 'Processing',
        counts: tape.counts ?? null,
        // Amounts in several currencies cannot be added up. Such a tape shows them on its own page.
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
    picker,
    /** The tape that was just removed, as named in the address. */
    removed: removed ? { name: removed.attachment.name, wasPublished: removed.counts !== null } : null,
    isInProgress: tapes.some(({ state }) => state === 'Processing'),
    mayUpload: can(actor, 'assets/write'),
  };
}
