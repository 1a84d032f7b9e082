import { convertAmount } from '@tapeline/domain/money/rates.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CurrencyRate } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { enterRate, removeRate, storePublishedRates } from './enter-rates.ts';
import { courseOf, currencyRates, listRates } from './rates.ts';
import { lastRefreshes, recordRefresh } from './refreshes.ts';

let database: TestDatabase;
const NOW = new Date('2026-11-23T12:00:00Z');
const admin = testActor({ type: 'admin' });
const as = <Result>(actor: Actor, work: (session: Session) => Promise<Result>, now = NOW) =>
  database.store.as(actor, work, { now });
const on = (day?: string) => as(SYSTEM, (session) => currencyRates(session, day === undefined ? {} : { on: day }));
const enter = (currency: string, date: string, rate: string, reason = 'Because', actor: Actor = admin) =>
  as(actor, (session) => enterRate(session, { currency, date, rate, reason }));
const publish = (date: string, rates: Record<string, string>) =>
  as(SYSTEM, (session) => storePublishedRates(session, { date, rates }));

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('delete from currency_rates');
  await database.query('delete from rate_refreshes');
  await as(SYSTEM, async ({ em }) => {
    em.create(CurrencyRate, { id: newId(), rates: { EUR: '0.9', AED: '3.67' }, lastUpdate: '2026-01-02' });
  });
});

describe('the rates in force', () => {
  test('are those of the latest day at or before, for each currency', async () => {
    await publish('2026-11-19', { EUR: '0.87', GBP: '0.76' });
    await publish('2026-11-20', { EUR: '0.86', GBP: '0.75' });
    expect((await on('2026-11-19')).rates).toEqual({ AED: '3.67', EUR: '0.87', GBP: '0.76' });
    const { lastUpdate, origins } = await on();
    expect(lastUpdate).toBe('2026-11-20');
    expect(origins).toEqual({
      AED: { date: '2026-01-02', source: 'bundled' },
      EUR: { date: '2026-11-20', source: 'service' },
      GBP: { date: '2026-11-20', source: 'service' },
    });
  });

  test('before the first day are the earliest ones, with their date', async () => {
    await publish('2026-11-19', { EUR: '0.87', GBP: '0.76' });
    const { rates, origins, lastUpdate } = await on('2025-12-31');
    expect(rates).toEqual({ AED: '3.67', EUR: '0.9', GBP: '0.76' });
    expect(origins.GBP).toEqual({ date: '2026-11-19', source: 'service' });
    expect(lastUpdate).toBe('2026-01-02');
  });

  test('without any table are none: each amount converts at 1, and says so', async () => {
    await database.query('delete from currency_rates');
    const table = await on('2026-11-20');
    expect(table).toEqual({ base: 'USD', rates: {}, origins: {}, lastUpdate: '2026-11-20' });
    expect(convertAmount({ sum: '5', currency: 'EUR' }, 'USD', table)).toMatchObject({
      to: { sum: '5.00' },
      missing: ['EUR'],
      date: null,
    });
  });

  test('are found among ten years of tables', async () => {
    await database.query(
      `insert into currency_rates (id, rates, last_update, source)
       select lpad(to_hex(day), 24, '0'), jsonb_object_agg(chr(65 + code / 26) || chr(65 + code % 26) || 'X', '1.5'), date '2016-11-23' + day, 'service'
       from generate_series(1, 3650) as day, generate_series(0, 31) as code group by day`,
    );
    const { rates } = await on();
    expect(Object.keys(rates)).toHaveLength(34);
  });
});

describe('a rate that an administrator enters', () => {
  test('takes precedence for its day, also after a refresh, and can be corrected and removed', async () => {
    await publish('2026-11-20', { EUR: '0.86', GBP: '0.75' });
    await enter('EUR', '2026-11-20', '0.5');
    await publish('2026-11-20', { EUR: '0.865', GBP: '0.75' });
    expect((await on()).rates).toMatchObject({ EUR: '0.5', GBP: '0.75' });
    await enter('EUR', '2026-11-20', '0.55', 'Typing error');
    await enter('ILS', '2026-11-20', '3.3');
    expect((await on()).origins).toMatchObject({
      EUR: { date: '2026-11-20', source: 'manual' },
      ILS: { date: '2026-11-20', source: 'manual' },
    });
    await as(admin, (session) => removeRate(session, { currency: 'EUR', date: '2026-11-20', reason: 'Not needed' }));
    expect((await on()).rates).toMatchObject({ EUR: '0.865', ILS: '3.3' });
    await as(admin, (session) => removeRate(session, { currency: 'ILS', date: '2026-11-20', reason: 'Not needed' }));
    expect((await on()).rates.ILS).toBeUndefined();
    const again = as(admin, (session) => removeRate(session, { currency: 'ILS', date: '2026-11-20', reason: 'Again' }));
    await expect(again).rejects.toMatchObject({ code: 'notFound' });
  });

  test('is in the history with its reason', async () => {
    await enter('EUR', '2026-10-30', '0.5', 'The bank’s rate');
    await enter('EUR', '2026-10-30', '0.6', 'Typing error');
    const [table] = await database.query<{ id: string }>(`select id from currency_rates where source = 'manual'`);
    const changes = await database.query<{ operation: string; fields: unknown; by: string }>(
      `select operation, updated_fields as fields, changed_by_id as by from history where document_id = $1 order by id`,
      [table!.id],
    );
    expect(changes.map(({ operation, by }) => [operation, by])).toEqual([
      ['Insert', admin.userId],
      ['Update', admin.userId],
    ]);
    expect(changes[1]!.fields).toEqual([
      { field: 'rates', old: { EUR: '0.5' }, new: { EUR: '0.6' } },
      { field: 'reasons', old: { EUR: 'The bank’s rate' }, new: { EUR: 'Typing error' } },
    ]);
  });

  test('that is far from the latest earlier one is asked about, and stored once it is confirmed', async () => {
    await publish('2026-11-19', { EUR: '0.8' });
    const asked = (rate: string, confirmed: string[] = [], currency = 'EUR') =>
      database.store.as(
        admin,
        (session) => enterRate(session, { currency, date: '2026-11-20', rate, reason: 'Bank' }),
        {
          now: NOW,
          confirmed,
        },
      );
    const question = 'The rate of EUR, 1.05 for one US dollar, is 31.2 % away from 0.8 of 19 Nov 2026.';
    await expect(asked('1.05')).rejects.toMatchObject({ code: 'badRequest', questions: [question] });
    expect((await on()).rates.EUR).toBe('0.8');
    await asked('1.05', [question]);
    expect((await on()).rates.EUR).toBe('1.05');
    // Corrected for the same day, it is compared with the day before.
    await asked('1.04');
    await expect(asked('95', [question])).rejects.toMatchObject({ questions: [expect.stringContaining('95')] });
    // The first one is compared with the bundled table.
    await expect(asked('5', [], 'AED')).rejects.toMatchObject({ questions: [expect.stringContaining('2 Jan 2026')] });
  });

  test('is for today or earlier', async () => {
    await enter('EUR', '2026-11-23', '0.86');
    await expect(enter('EUR', '2026-11-24', '0.86')).rejects.toMatchObject({
      flags: { date: 'cannot be in the future' },
    });
  });

  test.each([
    ['a manager', testActor({ type: 'manager', managerId: newId() })],
    ['an administrator who acts for a manager', testActor({ type: 'admin', managerId: newId() })],
    ['an administrator without managers/write', testActor({ type: 'admin', permissions: ['managers/read'] })],
    ['the program', SYSTEM],
  ])('is not entered by %s', async (_, actor) => {
    await expect(enter('EUR', '2026-11-20', '0.86', 'Because', actor)).rejects.toMatchObject({ code: 'forbidden' });
    const removing = as(actor, (session) => removeRate(session, { currency: 'EUR', date: '2026-11-20', reason: 'x' }));
    await expect(removing).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('of two people at once are both kept, in whatever order', async () => {
    const codes = ['EUR', 'GBP', 'ILS', 'CHF', 'JPY'];
    await Promise.all(codes.map((code) => enter(code, '2026-11-20', '1.5')));
    expect(Object.keys((await on()).rates).sort()).toEqual(['AED', 'CHF', 'EUR', 'GBP', 'ILS', 'JPY']);
  });
});

describe('the rates of the service', () => {
  test('are stored once for a day, corrected by the service, and keep currencies that it leaves out', async () => {
    expect(await publish('2026-11-20', { EUR: '0.86', GBP: '0.75' })).toBe(true);
    expect(await publish('2026-11-20', { EUR: '0.86', GBP: '0.75' })).toBe(false);
    expect(await publish('2026-11-20', { EUR: '0.87' })).toBe(true);
    expect((await on()).rates).toMatchObject({ EUR: '0.87', GBP: '0.75' });
    const [{ count } = { count: 0 }] = await database.query<{ count: number }>(
      `select count(*)::int as count from currency_rates where source = 'service'`,
    );
    expect(count).toBe(1);
  });

  test.each([
    ['a rate of zero', { EUR: '0' }],
    ['a code that is none', { EURO: '1' }],
    ['no rates', {}],
  ])('with %s are refused by the database', async (_, rates) => {
    await expect(publish('2026-11-20', rates as Record<string, string>)).rejects.toThrow('check constraint');
  });
});

describe('a currency', () => {
  test('lists every recorded rate and its source, and draws the ones in force', async () => {
    await publish('2026-11-19', { EUR: '0.87' });
    await publish('2026-11-20', { EUR: '0.86' });
    await enter('EUR', '2026-11-19', '0.88', 'The bank’s rate');
    const { rates, total } = await as(SYSTEM, (session) => listRates(session, { currency: 'EUR', skip: 0, limit: 3 }));
    expect(total).toBe(4);
    expect(rates.map(({ date, rate, source, reason, isInForce }) => [date, rate, source, reason, isInForce])).toEqual([
      ['2026-11-20', '0.86', 'service', null, true],
      ['2026-11-19', '0.88', 'manual', 'The bank’s rate', true],
      ['2026-11-19', '0.87', 'service', null, false],
    ]);
    const course = await as(SYSTEM, (session) =>
      courseOf(session, { currency: 'EUR', from: '2026-01-02', to: '2026-11-19' }),
    );
    expect(course).toEqual([
      { date: '2026-01-02', rate: '0.9' },
      { date: '2026-11-19', rate: '0.88' },
    ]);
  });
});

describe('refreshes', () => {
  const record = (day: number, ended: Parameters<typeof recordRefresh>[1]) =>
    as(SYSTEM, (session) => recordRefresh(session, ended), new Date(Date.UTC(2026, 0, day)));
  const last = (actor: Actor) => as(actor, lastRefreshes);

  test('show the last success and the last failure, to administrators only', async () => {
    expect(await last(admin)).toEqual({ succeeded: null, failed: null });
    await record(1, { outcome: 'updated', ratesOn: '2026-01-01', currencyCount: 30 });
    await record(2, { outcome: 'failed', reason: 'x'.repeat(1200) });
    await record(3, { outcome: 'unchanged', ratesOn: '2026-01-02', currencyCount: 31 });
    await record(4, { outcome: 'failed', reason: 'The server answered 500' });
    expect(await last(admin)).toMatchObject({
      succeeded: { outcome: 'unchanged', ratesOn: '2026-01-02', currencyCount: 31 },
      failed: { reason: 'The server answered 500' },
    });
    expect(await last(testActor({ type: 'manager', managerId: newId() }))).toEqual({ succeeded: null, failed: null });
  });

  test('keep the last success among any number of failures', async () => {
    await record(1, { outcome: 'updated', ratesOn: '2026-01-01', currencyCount: 30 });
    for (let day = 2; day <= 205; day += 1) await record(day, { outcome: 'failed', reason: `Day ${day}` });
    expect(await last(admin)).toMatchObject({ succeeded: { ratesOn: '2026-01-01' }, failed: { reason: 'Day 205' } });
    const rows = await database.query('select id from rate_refreshes');
    expect(rows).toHaveLength(201);
  });
});
