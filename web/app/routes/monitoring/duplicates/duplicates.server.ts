import { redirect } from '@remix-run/node';
import type { DuplicatePair } from '@tapeline/db/entities/duplicates.ts';
import { companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import {
  countDuplicates,
  decideDuplicates,
  getDuplicate,
  lastSearch,
  listDuplicates,
  neighboursOf,
  searchedTapes,
  sumCountedTwice,
} from '@tapeline/db/operations/duplicates/duplicates.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { isId } from '@tapeline/domain/documents/id.ts';
import { DECISIONS, duplicateDecisionSchema } from '@tapeline/domain/duplicates/duplicate.schema.ts';
import { evidenceOf, hasLeft, reasonsOf } from '@tapeline/domain/duplicates/evidence.ts';
import { CERTAINTIES, type Certainty, MAX_PAIRS } from '@tapeline/domain/duplicates/rules.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { searchDuplicates } from '../../../commands/duplicates.server.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { skipOf } from '../../../components/page/skip.ts';
import { act, intent, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { PAIRS_PER_PAGE } from './duplicate-words.ts';

const mayDecide = ({ actor }: Screen): boolean => can(actor, 'assets/write') && actor.type !== 'company';

const countedTwice = ({ countedTwice: sum, currency }: DuplicatePair) => (sum && currency ? { sum, currency } : null);

const isCertainty = (value: string | null): value is Certainty =>
  (CERTAINTIES as readonly (string | null)[]).includes(value);

/** Decisions that are listed below the pairs to decide. */
const MAX_REMEMBERED = 3;
const LAST_DECIDED = { decidedAt: -1, code: -1 };
const DECIDED = { status: { $in: DECISIONS } };

/** What the list was asked for, from the address of the list or of a pair. */
function askedOf({ searchParams }: URL) {
  const given = searchParams.get('tab');
  const tab = given === 'decided' || given === 'rules' ? given : ('open' as const);
  const only = searchParams.get('only');
  const tape = searchParams.get('tape');
  return { tab, only: tab === 'open' && isCertainty(only) ? only : null, tape: isId(tape) ? tape : null };
}

const shownPair = (pair: DuplicatePair, names: ReadonlyMap<string, string>) => ({
  id: pair.id,
  certainty: pair.certainty,
  obligor: pair.obligor,
  sides: [
    { company: names.get(pair.firstCompanyId) ?? 'Borrower', loan: pair.loans[0].assetId },
    { company: names.get(pair.secondCompanyId) ?? 'Borrower', loan: pair.loans[1].assetId },
  ],
  countedTwice: countedTwice(pair),
  hasLeft: hasLeft(pair.loans),
  foundAt: pair.foundAt.toISOString(),
  status: pair.status,
  reason: pair.reason,
  decidedBy: pair.decidedBy,
  decidedAt: pair.decidedAt?.toISOString() ?? null,
});

/** A page of the pairs that wait for a decision, the most certain first, or of those that are decided. */
export async function readDuplicates(screen: Screen) {
  const { url } = screen;
  const { tab, only, tape } = askedOf(url);
  return screen.db(async (session) => {
    const { documents, total } = await listDuplicates(session, {
      filter: {
        ...(tab === 'decided' ? DECIDED : { status: 'Open' }),
        ...(only ? { certainty: only } : {}),
        ...(tape ? { $or: [{ firstTape: tape }, { secondTape: tape }] } : {}),
      },
      sort: tab === 'decided' ? LAST_DECIDED : { certainty: 1, countedTwice: -1, code: 1 },
      skip: skipOf(url.searchParams),
      limit: PAIRS_PER_PAGE,
    });
    const { documents: remembered } =
      tab === 'open'
        ? await listDuplicates(session, { filter: DECIDED, sort: LAST_DECIDED, limit: MAX_REMEMBERED })
        : { documents: [] };
    const names = await companyNamesOf(
      session,
      [...documents, ...remembered].flatMap(({ firstCompanyId, secondCompanyId }) => [firstCompanyId, secondCompanyId]),
    );
    const search = await lastSearch(session);
    const counts = await countDuplicates(session);
    return {
      tab,
      only,
      tape,
      total,
      counts,
      // Pairs of a tape are a part of the open ones.
      countedTwice: tab === 'open' && !tape ? await sumCountedTwice(session, only ? [only] : CERTAINTIES) : [],
      remembered: remembered.map((pair) => shownPair(pair, names)),
      mayDecide: mayDecide(screen),
      search: search && {
        startedAt: search.startedAt.toISOString(),
        isRunning: !search.endedAt,
        percent: search.progressPercent,
        failure: search.failure,
        loans: search.loans ?? null,
        companies: search.companies ?? null,
        notCompared: search.notCompared ?? 0,
        // A search keeps so many pairs besides those that are decided.
        hasMore: (search.pairCount ?? 0) > MAX_PAIRS + counts.decided,
      },
      pairs: documents.map((pair) => shownPair(pair, names)),
    };
  });
}

/** A pair with the evidence side by side. */
export async function readPair(screen: Screen) {
  const { params, url } = screen;
  const { tab, only, tape: ofTape } = askedOf(url);
  return screen.db(async (session) => {
    const pair = await getDuplicate(session, params.id ?? '');
    const names = await companyNamesOf(session, [pair.firstCompanyId, pair.secondCompanyId]);
    const tapes = await searchedTapes(session, [pair.firstTapeId, pair.secondTapeId]);
    const side = (companyId: string, tapeId: string, index: 0 | 1) => ({
      company: names.get(companyId) ?? 'Borrower',
      tape: { id: tapeId, ...(tapes.get(tapeId) ?? { name: 'Loan tape', cutOffDate: null }) },
      status: pair.loans[index].status,
      row: pair.loans[index].row,
      balance:
        pair.loans[index].balance && pair.loans[index].balanceCurrency
          ? { sum: pair.loans[index].balance, currency: pair.loans[index].balanceCurrency }
          : null,
    });
    const evidence = evidenceOf(pair.loans);
    return {
      id: pair.id,
      list: { tab, only, tape: ofTape },
      place: tab === 'open' ? await neighboursOf(session, { id: pair.id, certainty: only, tape: ofTape }) : null,
      obligor: pair.obligor,
      certainty: pair.certainty,
      status: pair.status,
      foundAt: pair.foundAt.toISOString(),
      evidence,
      reasons: reasonsOf(pair.certainty, evidence),
      isOfOneBorrower: pair.firstCompanyId === pair.secondCompanyId,
      hasLeft: hasLeft(pair.loans),
      sides: [
        side(pair.firstCompanyId, pair.firstTapeId, 0),
        side(pair.secondCompanyId, pair.secondTapeId, 1),
      ] as const,
      countedTwice: countedTwice(pair),
      reason: pair.reason,
      decidedBy: pair.decidedBy,
      decidedAt: pair.decidedAt?.toISOString() ?? null,
      mayDecide: mayDecide(screen) && pair.status !== 'Removed',
      history: await documentHistory(session, [{ resource: 'duplicates', ids: [pair.id] }], url.searchParams),
    };
  });
}

/** Decides one pair or several, and searches the book again. */
export const decideOnPairs = act({
  decide: intent({
    permission: 'assets/write',
    schema: z
      .object({ ids: z.array(idSchema, 'Choose at least one pair').min(1, 'Choose at least one pair') })
      .and(duplicateDecisionSchema),
    async run(command, { db, url }) {
      await db((session) => decideDuplicates(session, command));
      return redirect(`${paths.duplicates()}${url.search}`);
    },
  }),
  search: intent({
    permission: 'assets/write',
    schema: z.object({}),
    async run(_, { context, actor }) {
      await searchDuplicates(context, actor);
      return redirect(paths.duplicates());
    },
  }),
});
