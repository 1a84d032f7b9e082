import { createHash } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { DuplicateDecision, DuplicateLoan } from '@tapeline/domain/duplicates/duplicate.schema.ts';
import { hasLeft } from '@tapeline/domain/duplicates/evidence.ts';
import { type Certainty, EARLIER_MONTHS } from '@tapeline/domain/duplicates/rules.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { compare, type DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import { DuplicatePair, DuplicateSearch } from '../../entities/duplicates.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';

export const DUPLICATE_PAIRS = listOf('duplicates', {});

export const listDuplicates = (session: ReadSession, query: unknown = {}): Promise<Page<DuplicatePair>> =>
  listDocuments(session, DUPLICATE_PAIRS, query);

/** A pair whose tapes the actor can both see. @throws Refusal notFound */
export const getDuplicate = (session: Session, id: string): Promise<DuplicatePair> =>
  getDocument(session, DUPLICATE_PAIRS, id);

/** How many pairs the actor sees of each certainty that are open, and how many are decided. */
export async function countDuplicates(
  session: ReadSession,
): Promise<{ open: Readonly<Record<Certainty, number>>; decided: number }> {
  const rows = await session.query<{ certainty: Certainty | null; count: number }>(
    `select case when status = 'Open' then certainty end as certainty, count(*)::int as count
     from duplicate_pairs where status <> 'Removed' group by 1`,
  );
  const of = (wanted: Certainty | null) => rows.find(({ certainty }) => certainty === wanted)?.count ?? 0;
  return { open: { certain: of('certain'), likely: of('likely'), possible: of('possible') }, decided: of(null) };
}

/** The pairs before and after one in the list of pairs to decide, and its position; null if it is not in the list. */
export async function neighboursOf(
  session: ReadSession,
  { id, certainty, tape }: { id: string; certainty: Certainty | null; tape: string | null },
): Promise<{ previous: string | null; next: string | null; position: number; total: number } | null> {
  const [found] = await session.query<{
    previous: string | null;
    next: string | null;
    position: number;
    total: number;
  }>(
    `select previous, next, position, total from (
       select id, lag(id) over listed as previous, lead(id) over listed as next,
         (row_number() over listed)::int as position, (count(*) over ())::int as total
       from duplicate_pairs
       where status = 'Open' and ($2::text is null or certainty = $2) and ($3::text is null or $3 in (first_tape_id, second_tape_id))
       window listed as (order by certainty, counted_twice desc nulls last, code)) as pairs
     where id = $1`,
    [id, certainty, tape],
  );
  return found ?? null;
}

/**
 * What the open pairs of some certainties that the actor sees count twice, by currency. A loan on three tapes is in three
 * pairs, and two of its three balances are too many: of the loans of a pair, each second one counts once.
 */
export const sumCountedTwice = (
  session: ReadSession,
  certainties: readonly Certainty[],
): Promise<{ currency: string; sum: DecimalText }[]> =>
  session.query(
    `select currency, sum(twice)::text as sum from (
       select currency, max(counted_twice) as twice from duplicate_pairs
       where status = 'Open' and counted_twice is not null and certainty = any ($1)
       group by currency, second_tape_id, loans -> 1 ->> 'row') as seconds
     group by 1 order by 1`,
    [certainties],
  );

/** How many open pairs have a loan of a tape. */
export async function countDuplicatesOf(session: ReadSession, tapeId: string): Promise<number> {
  const [row] = await session.query<{ count: number }>(
    `select count(*)::int as count from duplicate_pairs where status = 'Open' and $1 in (first_tape_id, second_tape_id)`,
    [tapeId],
  );
  return row?.count ?? 0;
}

/** Names and cut-off dates of the visible tapes among these ids, by id. */
export async function searchedTapes(
  session: ReadSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { name: string; cutOffDate: string }>> {
  const rows = await session.query<{ id: string; name: string; cutOffDate: string }>(
    `select id, attachment ->> 'name' as name, cut_off_date::text as "cutOffDate" from loan_tapes where id = any ($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, ...tape }) => [id, tape]));
}

const UNKNOWN_COUNTS = { tapes: null, companies: null, loans: null, pairCount: null, notCompared: null };

/**
 * The last search of the actor's manager; null before the first one. Its counts are of the whole book, so they are null for
 * a person who may not see all of it.
 */
export async function lastSearch(session: Session): Promise<DuplicateSearch | null> {
  const [search] = await session.em.findAll(DuplicateSearch, { orderBy: { startedAt: 'desc' }, limit: 1 });
  if (!search) return null;
  const { actor } = session;
  const isPart =
    actor.kind === 'user' && actor.blockedDocuments.some((name) => /^(companies|loanTapes|transactions)\//.test(name));
  return isPart ? { ...search, ...UNKNOWN_COUNTS } : search;
}

/**
 * A tape to search: the latest one of each mapping of a borrower, in whatever version, and the last one of each month
 * before, for loans that have left since. Of several tapes of one mapping and date, the last one counts.
 */
export interface SearchedTape {
  readonly id: string;
  readonly companyId: string;
  readonly assetPrefix: string;
  readonly cutOffDate: string;
  readonly mappingVersion: number;
  readonly manifest: GenerationManifest;
  readonly isEarlier: boolean;
}

/**
 * The tapes to search with the day from which on a tape is a latest one. A borrower can report several facilities with a
 * mapping each, one of them later than another: each has its own latest tape. A mapping whose last tape is older than the
 * first one of another was replaced by that one, so its tapes are earlier ones of the borrower.
 */
const SEARCHED = `
  with published as (
    select t.id, t.company_id, m.family_id, t.cut_off_date as day, t.code
    from loan_tapes t join mappings m on m.id = t.mapping_id join companies c on c.id = t.company_id
    where t.manager_id = $1 and t.status = 'Active' and t.generation_id is not null and c.status <> 'Removed'
  ), families as (
    select company_id, family_id, min(day) as first_day, max(day) as last_day from published group by 1, 2
  ), latest as (
    select company_id, family_id, max(last_day) over (partition by company_id) as company_day,
      case when last_day < max(first_day) over (partition by company_id)
        then max(last_day) over (partition by company_id) else last_day end as day
    from families
  ), searched as (
    select distinct on (company_id, family_id, is_earlier, month) id, is_earlier from (
      select p.*, p.day < l.day as is_earlier, date_trunc('month', p.day) as month
      from published p join latest l using (company_id, family_id)
      where p.day >= l.company_day - make_interval(months => ${EARLIER_MONTHS})) as dated
    order by company_id, family_id, is_earlier, month, day desc, code desc
  )`;

export const tapesToSearch = (session: Session, managerId: string): Promise<SearchedTape[]> =>
  session.query<SearchedTape>(
    `${SEARCHED}
     select t.id, t.company_id as "companyId", t.asset_prefix as "assetPrefix", t.cut_off_date::text as "cutOffDate",
       t.mapping_version as "mappingVersion", g.manifest, s.is_earlier as "isEarlier"
     from searched s join loan_tapes t using (id) join tape_generations g on g.id = t.generation_id
     order by t.company_id, t.mapping_id, t.cut_off_date desc, t.id`,
    [managerId],
  );

/** The managers with a published tape. */
export async function managersToSearch(session: Session): Promise<string[]> {
  const rows = await session.query<{ id: string }>(
    `select m.id from managers m where m.status <> 'Removed'
       and exists (select from loan_tapes t where t.manager_id = m.id and t.generation_id is not null) order by m.code`,
  );
  return rows.map(({ id }) => id);
}

/** The manager whose book a tape is searched with; null for one that is not published, or is older than a search reads. */
export async function managerToSearch(session: ReadSession, tapeId: string): Promise<string | null> {
  const [tape] = await session.query<{ managerId: string }>(
    'select manager_id as "managerId" from loan_tapes where id = $1',
    [tapeId],
  );
  if (!tape) return null;
  const read = await session.query(`${SEARCHED} select from searched where id = $2`, [tape.managerId, tapeId]);
  return read.length > 0 ? tape.managerId : null;
}

/** Records that a search of the manager's book begins. @returns how many pairs are decided */
export async function beginSearch(session: Session, managerId: string): Promise<number> {
  await session.query(
    `insert into duplicate_searches (id, manager_id, started_at, progress_percent) values ($1, $2, $3, 0)
     on conflict (manager_id) do update
       set started_at = excluded.started_at, progress_percent = 0, ended_at = null, failure = null`,
    [newId(session.now), managerId, session.now],
  );
  const [row] = await session.query<{ decided: number }>(
    'select count(*)::int as decided from duplicate_pairs where manager_id = $1 and decided_at is not null',
    [managerId],
  );
  return row?.decided ?? 0;
}

export async function reportSearch(session: Session, managerId: string, share: number): Promise<void> {
  await session.query('update duplicate_searches set progress_percent = $2 where manager_id = $1', [
    managerId,
    Math.min(99, Math.floor(share * 100)),
  ]);
}

/** Records why the search ended. What the search before it found stays. */
export async function failSearch(session: Session, managerId: string, failure: string): Promise<void> {
  await session.query('update duplicate_searches set ended_at = $2, failure = $3 where manager_id = $1', [
    managerId,
    session.now,
    failure,
  ]);
}

/** A loan that was found, with its tape and borrower. */
interface FoundSide {
  readonly tapeId: string;
  readonly companyId: string;
  readonly loan: DuplicateLoan;
}

export interface FoundSides {
  readonly certainty: Certainty;
  readonly sides: readonly [FoundSide, FoundSide];
}

interface SearchResult {
  readonly managerId: string;
  readonly pairs: readonly FoundSides[];
  readonly counts: Pick<DuplicateSearch, 'tapes' | 'companies' | 'loans' | 'pairCount' | 'notCompared'>;
}

/**
 * Stores what a search found. A pair keeps its decision from tape to tape while the facts of its loans stay the same;
 * if one of them changes, it is open again. That a loan leaves or comes back changes no decision. Open pairs that are no
 * longer found are removed.
 */
export async function keepDuplicates(session: Session, { managerId, pairs, counts }: SearchResult): Promise<void> {
  const { em, now } = session;
  const search = await em.findOneOrFail(DuplicateSearch, { managerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  // Whoever decides a pair waits, or this waits for the decision.
  const stored = await em.find(
    DuplicatePair,
    { managerId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  const known = new Map(stored.map((pair) => [pair.pairKey, pair]));
  const keyOf = keysOf(pairs);
  const found = new Set<string>();
  for (const { certainty, sides } of pairs) {
    const facts = factsOf(certainty, sides, keyOf);
    found.add(facts.pairKey);
    const pair = known.get(facts.pairKey);
    if (!pair) {
      em.create(DuplicatePair, {
        id: newId(now),
        managerId,
        foundAt: now,
        metadata: createdMetadata(session),
        ...facts,
      });
      continue;
    }
    const isNews = pair.status === 'Removed' || pair.facts !== facts.facts;
    em.assign(pair, facts);
    if (isNews) em.assign(pair, { status: 'Open', foundAt: now, reason: null, decidedBy: null, decidedAt: null });
  }
  for (const pair of known.values()) if (pair.status === 'Open' && !found.has(pair.pairKey)) pair.status = 'Removed';
  em.assign(search, { ...counts, progressPercent: 100, endedAt: now, failure: null });
  await em.flush();
}

const nameOf = ({ companyId, loan }: FoundSide): string => `${companyId}/${loan.assetId ?? ''}`;
const rowOf = ({ tapeId, loan }: FoundSide): string => `${tapeId}/${loan.row}`;

/**
 * What a loan is known by from tape to tape: its id. Where two loans of a borrower have one id, or where it has none, the
 * row tells them apart.
 */
function keysOf(pairs: readonly FoundSides[]): (side: FoundSide) => string {
  const rows = new Map<string, Set<string>>();
  for (const side of pairs.flatMap(({ sides }) => sides)) {
    rows.set(nameOf(side), (rows.get(nameOf(side)) ?? new Set()).add(rowOf(side)));
  }
  return (side) =>
    side.loan.assetId !== null && rows.get(nameOf(side))?.size === 1
      ? nameOf(side)
      : `${nameOf(side)} row ${rowOf(side)}`;
}

function factsOf(certainty: Certainty, found: readonly [FoundSide, FoundSide], keyOf: (side: FoundSide) => string) {
  const sides = found.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))));
  const [first, second] = sides as [FoundSide, FoundSide];
  const said = sides.map(({ loan }) => [
    ...[loan.assetId, loan.obligor, loan.borrowerId, loan.originalAmount, loan.currency],
    ...[loan.financedOn, loan.ratePercent, loan.term, loan.termUnit],
  ]);
  const [one, other] = [first.loan, second.loan];
  const isOneCurrency = one.balanceCurrency !== null && one.balanceCurrency === other.balanceCurrency;
  const twice =
    isOneCurrency && !hasLeft([one, other]) && one.balance !== null && other.balance !== null
      ? compare(one.balance, other.balance) < 0
        ? one.balance
        : other.balance
      : null;
  return {
    certainty,
    obligor: one.obligor ?? other.obligor ?? one.borrowerId ?? other.borrowerId,
    countedTwice: twice,
    currency: twice === null ? null : one.balanceCurrency,
    pairKey: sides.map(keyOf).join(' | '),
    facts: createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 32),
    loans: [one, other] as const,
    firstTapeId: first.tapeId,
    firstCompanyId: first.companyId,
    secondTapeId: second.tapeId,
    secondCompanyId: second.companyId,
  };
}

/** Most pairs that are decided at once. */
export const MAX_DECIDED = 100;

/**
 * Decides pairs, all or none. A decision can be changed.
 * @throws Refusal forbidden without assets/write and for a borrower; notFound for a pair that the actor cannot see
 */
export async function decideDuplicates(
  session: Session,
  { ids, decision, reason }: DuplicateDecision & { readonly ids: readonly string[] },
): Promise<DuplicatePair[]> {
  requirePermission(session, 'assets/write');
  refuseBorrower(session, 'Only the manager decides whether two loans are one');
  const wanted = [...new Set(ids)];
  if (wanted.length === 0 || wanted.length > MAX_DECIDED) {
    throw new Refusal('badRequest', `Choose between 1 and ${MAX_DECIDED} pairs`);
  }
  const pairs = await session.em.find(
    DuplicatePair,
    { id: { $in: wanted }, status: { $ne: 'Removed' } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  if (pairs.length < wanted.length) throw new Refusal('notFound', 'One of these pairs is no longer found');
  for (const pair of pairs) {
    pair.status = decision;
    pair.reason = reason || null;
    pair.decidedBy =
      session.actor.kind === 'user' ? `${session.actor.firstName} ${session.actor.lastName}` : session.actor.name;
    pair.decidedAt = session.now;
    pair.metadata = changedMetadata(session, pair.metadata);
  }
  await session.em.flush();
  return pairs;
}
