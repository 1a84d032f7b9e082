import { shownReturn } from '@tapeline/domain/returns/shown-return.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { capitalCourse } from './capital-course.ts';
import { selectionFigures, selectionReturns } from './figures.ts';

let database: TestDatabase;
let one: TestTenant;
let other: TestTenant;
const funds: string[] = [];

/** A commitment with its course: each entry is a day and an amount. */
interface Course {
  fund: number;
  investor: number;
  closing: string;
  committed: string;
  calls?: [string, string][];
  payments?: [string, string][];
  losses?: [string, string][];
  navs?: [string, string][];
}
const COURSES: Course[] = [
  {
    fund: 0,
    investor: 0,
    closing: '2024-01-15',
    committed: '100',
    calls: [
      ['2024-01-31', '30'],
      ['2024-06-10', '20.01'],
    ],
    payments: [
      ['2024-12-31', '5.55'],
      ['2025-01-15', '3'],
    ],
    losses: [['2025-01-10', '2']],
    navs: [
      ['2024-03-31', '29'],
      ['2024-12-31', '49'],
    ],
  },
  // It joins later, and has no NAV at first: the total NAV is unknown until it has one.
  {
    fund: 0,
    investor: 1,
    closing: '2024-08-01',
    committed: '50',
    calls: [['2024-09-01', '10']],
    navs: [['2024-10-31', '11']],
  },
  // Another currency, and left out of returns over several funds.
  {
    fund: 1,
    investor: 0,
    closing: '2024-02-01',
    committed: '40',
    calls: [['2024-02-10', '12']],
    navs: [['2024-02-29', '13']],
  },
  {
    fund: 2,
    investor: 1,
    closing: '2024-02-01',
    committed: '9',
    calls: [['2024-02-20', '9']],
    navs: [['2024-02-29', '90']],
  },
];

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    one = await makeTenant(session);
    other = await makeTenant(session);
  });
  await database.query(`delete from navs; delete from write_offs; delete from contributions; delete from distributions;
    delete from lp_commitments where manager_id = '${one.managerId}'`);
  for (const [currency, isExcluded] of [
    ['USD', false],
    ['EUR', false],
    ['USD', true],
  ] as const) {
    const id = newId();
    funds.push(id);
    await database.query(
      `insert into funds (id, manager_id, title, type, strategy, currency, target_size, hard_cap, exclude_from_irr_calculations)
       values ($1, $2, 'A fund', 'SMA', 'ABL', $3, 1, 1, $4)`,
      [id, one.managerId, currency, isExcluded],
    );
  }
  for (const { fund, investor, closing, committed, calls = [], payments = [], losses = [], navs = [] } of COURSES) {
    const id = newId();
    const currency = fund === 1 ? 'EUR' : 'USD';
    const of = [one.managerId, funds[fund], one.lpIds[investor], currency];
    await database.query(
      `insert into lp_commitments (id, manager_id, fund_id, investor_kind, investor_lp_id, currency, closing_date, max_commitment, active_commitment)
       values ($5, $1, $2, 'LP', $3, $4, $6, $7::numeric, $7::numeric)`,
      [...of, id, closing, committed],
    );
    const insert = (table: string, columns: string, values: string, rows: [string, string][]) =>
      Promise.all(
        rows.map(([day, amount]) =>
          database.query(
            `insert into ${table} (id, manager_id, fund_id, investor_kind, investor_lp_id, currency, commitment_id, status, cut_off_date, ${columns})
             values ($5, $1, $2, 'LP', $3, $4, $6, 'Active', $7::date, ${values})`,
            [...of, newId(), id, day, amount],
          ),
        ),
      );
    // Each line has a header of its own, whose number is its id.
    const numbered = async (headers: string, days: string, rows: [string, string][]) => {
      const found: [string, string][] = [];
      for (const [day, amount] of rows) {
        const header = newId();
        await database.query(
          `insert into ${headers} (id, number, manager_id, fund_id, currency, ${days}) values ($1::text, $1::text, $2, $3, $4, ${days.replaceAll(/\w+/g, '$5::date')})`,
          [header, one.managerId, funds[fund], currency, day],
        );
        found.push([day, `${header} ${amount}`]);
      }
      return found;
    };
    const HEADER = `split_part($8, ' ', 1), split_part($8, ' ', 1)`;
    await insert(
      'contributions',
      'activity_id, call_number, due_date, purposes, pdf_options',
      `${HEADER}, $7::date, jsonb_build_array(jsonb_build_object('title', 'A', 'kind', 'investments', 'amount', split_part($8, ' ', 2))), '{}'`,
      await numbered('capital_calls', 'cut_off_date, due_date', calls),
    );
    await insert(
      'distributions',
      'activity_id, call_number, distribution_kind, principal, pdf_options',
      `${HEADER}, 'Principal Only', split_part($8, ' ', 2)::numeric, '{}'`,
      await numbered('distribution_events', 'cut_off_date', payments),
    );
    await insert('write_offs', 'amount', '$8::numeric', losses);
    await insert('navs', 'gross, net', '$8::numeric, $8::numeric', navs);
  }
});
afterAll(() => database.close());

const manager = () => testActor({ type: 'manager', managerId: one.managerId });
const courseOf = (query: Parameters<typeof capitalCourse>[1], actor = manager()) =>
  database.store.as(actor, (session) => capitalCourse(session, query));

test.each([
  ['one fund', 0],
  ['all funds, in one currency', null],
])('each point of the course equals the figures of its day: %s', async (_, index) => {
  const query = index === null ? { currency: 'USD' } : { fundId: funds[index] };
  const { points, currency } = await courseOf({ ...query, cutOffDate: '2025-02-14' });
  expect([currency, points[0]?.day, points.at(-1)?.day, points.length]).toEqual([
    'USD',
    '2024-01-31',
    '2025-02-14',
    14,
  ]);
  expect(points.map(({ nav }) => nav === null)).toContain(true);
  for (const point of points) {
    const [figures, returns] = await database.store.as(manager(), async (session) => {
      const asOf = { ...query, cutOffDate: point.day };
      return [await selectionFigures(session, asOf), await selectionReturns(session, asOf)];
    });
    const isConverted = index === null && point.day !== '2025-02-14';
    expect(point).toEqual({
      day: point.day,
      // Amounts convert at the rates of the last day.
      committed: isConverted ? point.committed : figures.activeCommitment,
      called: isConverted ? point.called : figures.called,
      distributed: isConverted ? point.distributed : figures.distributed,
      nav: isConverted && figures.nav !== null ? point.nav : figures.nav,
      netIrr: shownReturn(returns.net, returns.items[0]?.when, point.day),
    });
  }
});

test('an investor sees the course of its own commitments', async () => {
  const investor = testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[1]!] });
  const { points } = await courseOf({ fundId: funds[0], cutOffDate: '2024-10-31' }, investor);
  expect(points.map(({ day, called, nav }) => [day, Number(called), nav && Number(nav)])).toEqual([
    ['2024-08-31', 0, 0],
    ['2024-09-30', 10, null],
    ['2024-10-31', 10, 11],
  ]);
});

test('there is no course without commitments, none of a fund that is not visible, and at most three years', async () => {
  expect((await courseOf({ cutOffDate: '2023-12-31' })).points).toEqual([]);
  await expect(courseOf({ fundId: other.fundId })).rejects.toThrow();
  const { points } = await courseOf({ cutOffDate: '2030-01-31' });
  expect([points.length, points[0]?.day]).toEqual([37, '2027-01-31']);
});
