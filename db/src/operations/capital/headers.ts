import type { StoredSplit } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { reason } from '@tapeline/domain/errors/reason.ts';
import { refuse } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';

/** The tables of the lines of calls and distributions: one line for each commitment. */
export type LineTable = 'contributions' | 'distributions';

/** The table of the headers of each table of lines, the columns of their days, and what one of them is called. */
export const HEADERS = {
  contributions: { table: 'capital_calls', days: ['cut_off_date', 'due_date'], noun: 'call' },
  distributions: { table: 'distribution_events', days: ['cut_off_date'], noun: 'distribution' },
} as const;

/** What a header and its lines have in common; a foreign key keeps them equal. */
export interface HeaderKey {
  readonly fundId: string;
  readonly callNumber: string;
  readonly cutOffDate: string;
  /** Of a call. */
  readonly dueDate?: string | undefined;
}

const textOf = ({ fundId, callNumber, cutOffDate, dueDate = '' }: HeaderKey): string =>
  JSON.stringify([fundId, callNumber, cutOffDate, dueDate]);

/** The columns of a header's number and days, with their values from `$2` on. */
const termsOf = (table: LineTable, { callNumber, cutOffDate, dueDate }: HeaderKey) => {
  const { days } = HEADERS[table];
  return {
    columns: ['number', ...days],
    values: [callNumber, cutOffDate, ...(days.length > 1 ? [dueDate] : [])],
  };
};

/** Stores the header of a new call or distribution, before its lines. @returns its id */
export async function addHeader(
  session: Session,
  table: LineTable,
  header: HeaderKey & {
    readonly managerId: string;
    readonly currency: string;
    readonly splits?: readonly StoredSplit[];
  },
): Promise<string> {
  const id = newId(session.now);
  const { columns, values } = termsOf(table, header);
  await session.query(
    `insert into ${HEADERS[table].table} (id, manager_id, fund_id, currency, splits, ${columns.join(', ')})
     values ($1, $2, $3, $4, $5, ${columns.map((_, index) => `$${index + 6}`).join(', ')})`,
    [id, header.managerId, header.fundId, header.currency, JSON.stringify(header.splits ?? []), ...values],
  );
  return id;
}

/** Gives a call or distribution another number, other days or other rules. Its lines get them in the same transaction. */
export async function changeHeader(
  session: Session,
  table: LineTable,
  id: string,
  header: HeaderKey & { readonly splits?: readonly StoredSplit[] },
): Promise<void> {
  const { columns, values } = termsOf(table, header);
  const set = columns.map((column, index) => `${column} = $${index + 3}`).join(', ');
  await session.query(`update ${HEADERS[table].table} set splits = coalesce($2, splits), ${set} where id = $1`, [
    id,
    header.splits ? JSON.stringify(header.splits) : null,
    ...values,
  ]);
}

/** The headers of new documents of single investors: those of one fund and number with the same days share one. */
export class NewHeaders {
  readonly #ids = new Map<string, string>();
  readonly #table: LineTable;

  constructor(table: LineTable) {
    this.#table = table;
  }

  /** The id of the header of such a line, which is stored with the first of them. */
  async idOf(session: Session, line: Parameters<typeof addHeader>[2]): Promise<string> {
    const key = textOf(line);
    const id = this.#ids.get(key) ?? (await addHeader(session, this.#table, line));
    this.#ids.set(key, id);
    return id;
  }
}

interface Line extends HeaderKey {
  readonly id: string;
  readonly managerId: string;
  readonly currency: string;
  activityId: string;
}

interface Stored extends HeaderKey {
  readonly id: string;
  /** Lines that are not removed, whoever sees them. */
  readonly lines: number;
}

const storedSql = (table: LineTable, condition: string): string => `
  select h.id, h.fund_id as "fundId", h.number as "callNumber", h.cut_off_date::text as "cutOffDate"
    ${table === 'contributions' ? ', h.due_date::text as "dueDate"' : ''},
    (select count(*)::int from ${table} t where t.activity_id = h.id and t.status <> 'Removed') as lines
  from ${HEADERS[table].table} h where ${condition}`;

/**
 * Puts changed lines, before they are stored, under the header that their number and days belong to. If all lines of a
 * call change alike, the call does; otherwise those that change leave it for one of their own.
 */
export async function placeLines(session: Session, table: LineTable, lines: readonly Line[]): Promise<void> {
  const read = (condition: string, value: unknown) =>
    asProgram(session, () => session.query<Stored>(storedSql(table, condition), [value]));
  const headers = new Map(
    (await read('h.id = any ($1)', [...new Set(lines.map(({ activityId }) => activityId))])).map((one) => [
      one.id,
      one,
    ]),
  );
  const moved = lines.filter((line) => textOf(line) !== textOf(headers.get(line.activityId)!));
  for (const group of Map.groupBy(moved, (line) => `${line.activityId} ${textOf(line)}`).values()) {
    const [first] = group;
    if (!first) continue;
    const others = (await read(`h.status <> 'Removed' and h.fund_id = $1`, first.fundId)).find(
      (one) => textOf(one) === textOf(first),
    );
    if (!others && headers.get(first.activityId)?.lines === group.length) {
      await changeHeader(session, table, first.activityId, first);
      continue;
    }
    const id = others?.id ?? (await addHeader(session, table, first));
    for (const line of group) line.activityId = id;
  }
}

/**
 * A number names one call of a fund, or one distribution of it.
 * @param except the headers that have the number already
 * @throws Refusal badRequest (flag on `callNumber`)
 */
export async function requireFreeNumber(
  session: Session,
  table: LineTable,
  { fundId, callNumber, except = [] }: { fundId: string; callNumber: string; except?: readonly string[] },
): Promise<void> {
  const [taken] = await session.query(
    `select from ${HEADERS[table].table} where fund_id = $1 and number = $2 and status <> 'Removed' and id <> all ($3) limit 1`,
    [fundId, callNumber, [...except]],
  );
  if (taken) refuseNumber(table, callNumber);
}

/** @throws Refusal badRequest (flag on `callNumber`) */
export function refuseNumber(table: LineTable, callNumber: string): never {
  const { noun } = HEADERS[table];
  return refuse(`The fund already has a ${noun} with the number ${callNumber}`, {
    callNumber: reason('numberTaken', { noun }),
  });
}

/** Which of these numbers of funds are taken. @returns whether the number of one of them is */
export async function takenNumbers(
  session: Session,
  table: LineTable,
  numbers: readonly { fund: string; callNumber: string }[],
): Promise<(number: { fund: string; callNumber: string }) => boolean> {
  const rows = await asProgram(session, () =>
    session.query<{ fund: string; number: string }>(
      `select fund_id as fund, number from ${HEADERS[table].table}
       where fund_id = any ($1) and number = any ($2) and status <> 'Removed'`,
      [[...new Set(numbers.map(({ fund }) => fund))], [...new Set(numbers.map(({ callNumber }) => callNumber))]],
    ),
  );
  const taken = new Set(rows.map(({ fund, number }) => JSON.stringify([fund, number])));
  return ({ fund, callNumber }) => taken.has(JSON.stringify([fund, callNumber]));
}

/** The first free number after the latest one of the fund, if that ends in a number; "1" for the first. */
export async function nextNumber(session: ReadSession, table: LineTable, fundId: string): Promise<string> {
  const rows = await session.query<{ number: string }>(
    `select number from ${HEADERS[table].table} where fund_id = $1 and status <> 'Removed'
     order by cut_off_date desc, id desc`,
    [fundId],
  );
  const [latest] = rows;
  if (!latest) return '1';
  const digits = /\d{1,9}$/.exec(latest.number)?.[0];
  if (digits === undefined) return '';
  const taken = new Set(rows.map(({ number }) => number));
  const numberAt = (place: number) =>
    latest.number.slice(0, -digits.length) + String(place).padStart(digits.length, '0');
  let next = Number(digits) + 1;
  while (taken.has(numberAt(next))) next += 1;
  return numberAt(next);
}

/** An amount of a line, or of all lines of a call or distribution together. */
export interface WholeLine {
  readonly title: string;
  /** The kind of a purpose. */
  readonly kind?: string | undefined;
  /** The kind of a component. */
  readonly actionType?: string | undefined;
  readonly amount: DecimalText;
}

/** What all investors have together of each amount of one investor, which has the same title and kind. */
export function ofWhole<Line extends WholeLine>(lines: readonly Line[], whole: readonly WholeLine[]): Line[] {
  const left = [...whole];
  return lines.map((line) => {
    const index = left.findIndex(
      ({ title, kind, actionType }) => title === line.title && kind === line.kind && actionType === line.actionType,
    );
    const [found] = index < 0 ? [] : left.splice(index, 1);
    return { ...line, amount: found?.amount ?? '0' };
  });
}
