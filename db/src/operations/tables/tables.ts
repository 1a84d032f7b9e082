import { isDeepStrictEqual } from 'node:util';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { formatFigure } from '@tapeline/domain/money/format-figure.ts';
import { fixingJump } from '@tapeline/domain/money/rate-jump.ts';
import { DEFAULT_TABLES } from '@tapeline/domain/tables/default-tables.ts';
import { latestFirst, mergeFixings } from '@tapeline/domain/tables/fixings-csv.ts';
import {
  isBaseRates,
  LIST_NAMES,
  type ListName,
  MAX_LIST_VALUES,
  type TableCreate,
  type TableUpdate,
  type TableValue,
  valueKey,
} from '@tapeline/domain/tables/table.schema.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { OptionList } from '../../entities/lists.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata, storeChange } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { futureWarning } from '../warnings.ts';

export const TABLES = listOf('tables', {});

export const listTables = (session: ReadSession, query: unknown = {}): Promise<Page<OptionList>> =>
  listDocuments(session, TABLES, query);

/** @throws Refusal notFound */
export const getTable = (session: Session, id: string): Promise<OptionList> => getDocument(session, TABLES, id);

/** Every visible list with the options that can be chosen: without retired ones. */
export async function tableOptions(session: ReadSession): Promise<{ name: string; values: TableValue[] }[]> {
  const rows = await session.query<{ name: string; values: TableValue[] }>(
    `select name, values from option_lists where status <> 'Removed' order by lower(name), id`,
  );
  return rows.map(({ name, values }) => ({ name, values: values.filter(({ isRetired }) => !isRetired) }));
}

/** The titles that a form suggests for a field; none if the actor's manager has no such list. */
export async function suggestionsOf(session: ReadSession, name: ListName): Promise<string[]> {
  const rows = await session.query<{ title: string }>(
    `select distinct value ->> 'title' as title from option_lists, jsonb_array_elements(values) as value
     where status <> 'Removed' and lower(name) = lower($1) and value -> 'isRetired' = 'false' order by 1`,
    [name],
  );
  return rows.map(({ title }) => title);
}

/** SQL of the texts that documents of a manager ($1) take from a list. A list without an entry is not used by any. */
const USES: Readonly<Record<string, string>> = {
  [LIST_NAMES.industries]: `
    select jsonb_array_elements_text(industries) from transactions where manager_id = $1 and status <> 'Removed'
    union select jsonb_array_elements_text(coalesce(business -> 'industries', '[]')) from entities
      where manager_id = $1 and status <> 'Removed' and jsonb_typeof(business -> 'industries') = 'array'`,
  [LIST_NAMES.callPurposes]: `
    select jsonb_path_query(purposes, '$[*].title') #>> '{}' from contributions
      where manager_id = $1 and status <> 'Removed'
    union select jsonb_path_query(purposes, '$[*].title') #>> '{}' from distributions
      where manager_id = $1 and status <> 'Removed'`,
  [LIST_NAMES.feeKinds]: `
    select jsonb_path_query(notes, '$[*].terms.fees[*].kind') #>> '{}' from transactions
      where manager_id = $1 and status <> 'Removed'
    union select jsonb_path_query(notes, '$[*].tranches[*].terms.fees[*].kind') #>> '{}' from transactions
      where manager_id = $1 and status <> 'Removed'`,
  [LIST_NAMES.baseRates]: `
    select jsonb_path_query(notes, '$[*].terms.interest.baseRate') #>> '{}' from transactions
      where manager_id = $1 and status <> 'Removed'
    union select jsonb_path_query(notes, '$[*].tranches[*].terms.interest.baseRate') #>> '{}' from transactions
      where manager_id = $1 and status <> 'Removed'`,
};

/** The titles of a list's values that documents use, in lower case. */
export async function titlesInUse(
  session: ReadSession,
  { managerId, name }: Pick<OptionList, 'managerId' | 'name'>,
): Promise<Set<string>> {
  const uses = Object.entries(USES).find(([list]) => list.toLowerCase() === name.toLowerCase())?.[1];
  if (!uses) return new Set();
  const rows = await session.query<{ title: string }>(
    `select distinct lower(title) as title from (${uses}) as uses (title)`,
    [managerId],
  );
  return new Set(rows.map(({ title }) => title));
}

/** Lists of one manager are written one after another, so that two cannot get one name. */
const lockNames = (session: Session, managerId: string) =>
  session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`option-lists/${managerId}`]);

async function requireFreeName(session: Session, managerId: string, name: string, id: string | null): Promise<void> {
  const [other] = await session.query(
    `select from option_lists where manager_id = $1 and lower(name) = lower($2) and status <> 'Removed'
     and id is distinct from $3`,
    [managerId, name, id],
  );
  if (other) {
    throw new Refusal('badRequest', 'Another list has this name', { flags: { name: 'is the name of another list' } });
  }
}

const inOrder = (name: string, values: readonly TableValue[]): TableValue[] =>
  isBaseRates(name) ? [...values].sort(latestFirst) : [...values];

/**
 * Creates an option list of the actor's manager.
 * @param body as `tableCreateSchema` returns it
 * @throws Refusal forbidden without `tables/write`; badRequest if another list has the name
 */
export async function createTable(session: Session, body: TableCreate): Promise<OptionList> {
  requirePermission(session, 'tables/write');
  const managerId = await tenantOf(session);
  await lockNames(session, managerId);
  await requireFreeName(session, managerId, body.name, null);
  const table = session.em.create(OptionList, {
    id: newId(session.now),
    managerId,
    name: body.name,
    values: inOrder(body.name, body.values),
    metadata: createdMetadata(session),
  });
  if (isBaseRates(body.name)) warnOfFixings(session, { id: table.id, before: [], after: table.values });
  await session.em.flush();
  return table;
}

/**
 * Warns of fixings that are new or changed, and are of a day to come or far from the fixing before.
 * @param after the latest first
 */
function warnOfFixings(
  session: Session,
  { id, before, after }: { id: string; before: readonly TableValue[]; after: readonly TableValue[] },
): void {
  const known = new Map(before.map((value) => [valueKey(value), value.rate]));
  const earlierOf = new Map<string, { date: string; rate: string }>();
  for (const value of after.toReversed()) {
    const { title, date, rate } = value;
    if (date === null || rate === null) continue;
    const earlier = earlierOf.get(title);
    earlierOf.set(title, { date, rate });
    if (known.get(valueKey(value)) === rate) continue;
    const future = futureWarning(`The fixing of ${title}`, date, session.now);
    if (future) session.warn({ documentId: id, message: future });
    const jump = earlier ? fixingJump(rate, earlier.rate) : null;
    if (jump === null || !earlier) continue;
    const message = `${title} of ${formatCalendarDate(date)}, ${formatFigure(rate)} %, is ${formatFigure(jump)} percentage points away from ${formatFigure(earlier.rate)} % of ${formatCalendarDate(earlier.date)}.`;
    session.warn({ documentId: id, message });
  }
}

/**
 * Changes an option list. An option that documents use stays on the list as retired if the body leaves it out. Fixings
 * are facts and not options, so they can be corrected and removed.
 * @throws Refusal notFound; as `createTable` does; badRequest if the version is stale, or a list in use is renamed
 */
export async function updateTable(session: Session, command: { id: string; body: TableUpdate }): Promise<OptionList> {
  requirePermission(session, 'tables/write');
  const { id, body } = command;
  const table = await getTable(session, id);
  if (table.version !== body.version) throw staleRefusal(table, body.version);
  const used = await titlesInUse(session, table);
  if (table.name !== body.name) {
    if (table.name.toLowerCase() !== body.name.toLowerCase() && used.size > 0) throw inUseRefusal(table, 'name');
    await lockNames(session, table.managerId);
    await requireFreeName(session, table.managerId, body.name, id);
  }
  const kept = new Set(body.values.map(valueKey));
  const retired = isBaseRates(table.name)
    ? []
    : table.values
        .filter((value) => !kept.has(valueKey(value)) && used.has(value.title.toLowerCase()))
        .map((value) => ({ ...value, isRetired: true }));
  const values = [...body.values, ...retired];
  if (values.length > MAX_LIST_VALUES) {
    throw new Refusal('badRequest', `A list has at most ${MAX_LIST_VALUES} values`, {
      flags: { values: `At most ${MAX_LIST_VALUES} values, with the retired ones that documents use` },
    });
  }
  table.name = body.name;
  const ordered = inOrder(body.name, values);
  if (isBaseRates(body.name)) warnOfFixings(session, { id, before: table.values, after: ordered });
  if (!isDeepStrictEqual(ordered.map(whole), table.values.map(whole))) table.values = ordered;
  table.metadata = changedMetadata(session, table.metadata);
  await session.em.flush();
  return table;
}

/** A value with what it may omit. */
const whole = ({ title, isRetired, date, rate }: OptionList['values'][number]) => ({
  title,
  isRetired: isRetired ?? false,
  date: date ?? null,
  rate: rate ?? null,
});

const inUseRefusal = ({ name }: Pick<OptionList, 'name'>, flag: string): Refusal =>
  new Refusal('badRequest', `Documents use values of the list ${name}. Retire its values instead`, {
    flags: { [flag]: 'is in use' },
  });

/**
 * Removes an option list (soft delete).
 * @throws Refusal notFound; forbidden without `tables/write`; badRequest if documents use values of the list
 */
export async function removeTable(session: Session, id: string): Promise<void> {
  requirePermission(session, 'tables/write');
  const table = await getTable(session, id);
  const used = await titlesInUse(session, table);
  const isUsed = isBaseRates(table.name)
    ? used.size > 0
    : table.values.some(({ title }) => used.has(title.toLowerCase()));
  if (isUsed) throw inUseRefusal(table, 'id');
  await storeChange(session, table, { status: 'Removed' });
}

export interface ImportedFixings {
  added: number;
  changed: number;
  unchanged: number;
}

/**
 * Adds fixings to the list of base rates. A day that is there takes the imported rate.
 * @throws Refusal as `updateTable` does; badRequest if the list has other values
 */
export async function importFixings(
  session: Session,
  command: { id: string; version: number; fixings: readonly TableValue[] },
): Promise<ImportedFixings> {
  requirePermission(session, 'tables/write');
  const table = await getTable(session, command.id);
  if (!isBaseRates(table.name)) throw new Refusal('badRequest', `Only the list ${LIST_NAMES.baseRates} has fixings`);
  const { values, ...counts } = mergeFixings(table.values, command.fixings);
  await updateTable(session, {
    id: table.id,
    body: { name: table.name, values: withinLimit(values), version: command.version },
  });
  return counts;
}

function withinLimit(values: TableValue[]): TableValue[] {
  if (values.length <= MAX_LIST_VALUES) return values;
  throw new Refusal('badRequest', `A list has at most ${MAX_LIST_VALUES} values: remove old fixings first`);
}

/** Gives a new manager the default lists. The caller has checked that it may create the manager. */
export function addDefaultTables(session: Session, managerId: string, metadata = createdMetadata(session)): void {
  for (const { name, values } of DEFAULT_TABLES) {
    session.em.create(OptionList, { id: newId(session.now), managerId, name, values, metadata });
  }
}
