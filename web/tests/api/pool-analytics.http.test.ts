import { sum } from '@tapeline/domain/money/decimal.ts';
import { DELINQUENCY_BUCKETS, ROLL_OUTCOMES } from '@tapeline/domain/pools/delinquency.ts';
import { parseWire } from '@tapeline/domain/wire/json.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, type ApiClient, expectRefusal, signedIn } from '../api-client.ts';

type Tape = { id: string; cutOffDate: string; counts: { assets: number } };

let manager: ApiClient;
/** Northwind's tapes, latest first, and Alder's only one. */
let northwind: Tape[];
let alder: Tape;

beforeAll(async () => {
  manager = await signedIn('manager@tapeline.test');
  const companies = (await manager.get('/crud/companies')).json;
  const tapesOf = async (name: string): Promise<Tape[]> => {
    const company = companies.find(({ entity }: { entity: { name: string } }) => entity.name === name).id;
    return (await manager.get('/crud/loanTape', { filter: { company }, sort: { cutOffDate: -1 } })).json;
  };
  // Other tests temporarily add later tapes to Northwind and Alder.
  const seeded = (tapes: Tape[]) => tapes.filter(({ cutOffDate }) => cutOffDate <= '2026-10-31');
  northwind = seeded(await tapesOf('Northwind Consumer Loans'));
  alder = seeded(await tapesOf('Alder Auto')).at(-1)!;
});

const ask = (name: string, query: Record<string, unknown>, client = manager): Promise<ApiAnswer> =>
  client.get(`/LTP/analytics/${name}`, query as never);
/** Every number literal of a key, with all its digits. */
const literals = (answer: ApiAnswer, key: string): string[] =>
  [...answer.text.matchAll(new RegExp(`"${key}":(-?\\d+(?:\\.\\d+)?)`, 'g'))].map(([, digits]) => digits!);
const csvOf = (answer: ApiAnswer): string[][] =>
  answer.text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));

type Cell = { to: string; count: number; countShare: number; balanceShare: number | null };
type Row = { from: string; count: number; cells: Cell[] };

describe('roll rates', () => {
  it('follow every asset of the earlier tape to one outcome, each row adding up to 1 to the last digit', async () => {
    const answer = await ask('rollRates', { loanTapeId: northwind[0]!.id });
    expect(answer.status, answer.text).toBe(200);
    const { against, count, rows, currency, missingRates } = answer.json;
    expect(against).toEqual({ loanTapeId: northwind[1]!.id, cutOffDate: northwind[1]!.cutOffDate });
    expect([currency, missingRates]).toEqual(['USD', []]);
    expect(count).toBe(northwind[1]!.counts.assets);
    expect(rows.map(({ from }: Row) => from)).toEqual(
      DELINQUENCY_BUCKETS.filter((bucket) => rows.some(({ from }: Row) => from === bucket)),
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows as Row[]) {
      expect(row.cells.map(({ to }) => to)).toEqual(ROLL_OUTCOMES);
      expect(row.cells.reduce((total, cell) => total + cell.count, 0)).toBe(row.count);
    }
    const perRow = (shares: string[]) =>
      Array.from({ length: rows.length }, (_, index) =>
        sum(shares.slice(index * ROLL_OUTCOMES.length, (index + 1) * ROLL_OUTCOMES.length)),
      );
    expect(perRow(literals(answer, 'countShare'))).toEqual(rows.map(() => '1'));
    const shares = literals(answer, 'balanceShare');
    expect(shares.length % ROLL_OUTCOMES.length).toBe(0);
    expect(sum(shares)).toBe(String(shares.length / ROLL_OUTCOMES.length));
  });

  it('count in a bucket the assets that its filter lists on the earlier tape', async () => {
    const { rows } = (await ask('rollRates', { loanTapeId: northwind[0]!.id })).json;
    const late = rows.find(({ from }: Row) => from === '30-59');
    const filter = { loanTape: northwind[1]!.id, daysPastDue: { gte: 30, lt: 60 }, assetStatus: { neq: 'chargedOff' } };
    const listed = await manager.get('/crud/assets', { filter, limit: 1000 });
    expect(listed.json).toHaveLength(late.count);
    const outstanding = [...listed.text.matchAll(/"outstandingSum":\{"sum":(-?\d+\.\d{4})/g)].map(
      ([, digits]) => digits!,
    );
    expect(sum(outstanding)).toBe(sum([String(late.opening.sum)]));
  });

  it('go against any earlier tape of the company, and against no other', async () => {
    const twoMonths = await ask('rollRates', { loanTapeId: northwind[0]!.id, against: northwind[2]!.id });
    expect(twoMonths.json.against.loanTapeId).toBe(northwind[2]!.id);
    expect(twoMonths.json.count).toBe(northwind[2]!.counts.assets);
    for (const against of [alder.id, northwind[0]!.id, 'f'.repeat(24)]) {
      const refused = expectRefusal(await ask('rollRates', { loanTapeId: northwind[0]!.id, against }), 400);
      expect(refused.flags).toEqual({ against: 'is not an earlier tape of the borrower whose assets can be compared' });
    }
    const first = expectRefusal(await ask('rollRates', { loanTapeId: northwind[2]!.id }), 400);
    expect(first.flags).toEqual({ against: 'there is not an earlier tape of the borrower' });
    expectRefusal(await ask('rollRates', { loanTapeId: 'x' }), 400);
    expectRefusal(await ask('rollRates', {}), 400);
  });

  it('are the same figures as a file, and the statuses move as many assets as the buckets', async () => {
    const query = { loanTapeId: northwind[0]!.id };
    const [json, csv, statuses] = [
      await ask('rollRates', query),
      await ask('rollRates', { ...query, format: 'csv' }),
      await ask('statusMigration', query),
    ];
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.headers.get('content-disposition')).toContain(`roll-rates-${northwind[0]!.cutOffDate}.csv`);
    const [heads, ...lines] = csvOf(csv);
    expect(heads).toEqual(['from', 'to', 'count', 'countShare', 'opening', 'balanceShare', 'currency']);
    const cells = json.json.rows.flatMap(({ from, cells }: Row) =>
      cells.map(({ to, count }) => [from, to, String(count)]),
    );
    expect(lines.map((line) => line.slice(0, 3))).toEqual(cells);
    expect(lines.map((line) => line[3])).toEqual(literals(json, 'countShare'));
    expect(statuses.json.count).toBe(json.json.count);
    expect(statuses.json.opening).toEqual(json.json.opening);
  });
});

describe('vintages and speeds', () => {
  it('read the lives of loans over the tapes up to the one asked for', async () => {
    const answer = await ask('vintages', { loanTapeId: northwind[0]!.id, by: 'year' });
    const { all, vintages, source, tapes } = answer.json;
    expect([source, tapes]).toEqual(['tapes', 3]);
    expect(vintages.map(({ vintage }: { vintage: string }) => vintage)).toEqual([
      '2022',
      '2023',
      '2024',
      '2025',
      '2026',
    ]);
    expect(vintages.reduce((total: number, { loans }: { loans: number }) => total + loans, 0)).toBe(all.loans);
    expect(all.points[0]).toMatchObject({ month: 0 });
    expect(all.points.length).toBeGreaterThan(50);
    expect(all.defaults).toBeGreaterThan(0);
    const defaulted = all.points.map((point: { defaulted: number }) => point.defaulted);
    expect([...defaulted].sort((a, b) => a - b)).toEqual(defaulted);
    const [heads, ...lines] = csvOf(await ask('vintages', { loanTapeId: northwind[0]!.id, by: 'year', format: 'csv' }));
    expect(heads).toEqual(['vintage', 'monthsOnBook', 'atRisk', 'defaulted', 'prepaid']);
    expect(lines.filter(([vintage]) => vintage === 'all')).toHaveLength(all.points.length);
  });

  it('take one tape at its dates, by count where it is asked, and refuse another period', async () => {
    const alone = await ask('vintages', { loanTapeId: alder.id, measure: 'count' });
    expect(alone.json).toMatchObject({ source: 'dates', by: 'month', measure: 'count' });
    const refused = expectRefusal(await ask('vintages', { loanTapeId: alder.id, by: 'week' }), 400);
    expect(refused.flags?.by).toBe('must be one of month, quarter, year');
  });

  it('give CPR and CDR from each tape to the next that follow from their sums', async () => {
    const answer = await ask('prepayment', { loanTapeId: northwind[0]!.id });
    expect(answer.json.map(({ to }: { to: { cutOffDate: string } }) => to.cutOffDate)).toEqual([
      '2026-09-30',
      '2026-10-31',
    ]);
    expect(answer.headers.get('x-docs-count')).toBe('2');
    for (const one of answer.json) {
      const smm = one.prepaid.sum / (one.opening.sum - one.scheduled.sum);
      expect(one.smm).toBeCloseTo(smm, 7);
      expect(one.cpr).toBeCloseTo(1 - (1 - smm) ** 12, 6);
      expect(one.cdr).toBeCloseTo(1 - (1 - one.defaulted.sum / one.opening.sum) ** 12, 6);
      expect(one.cprWithVanished).toBeGreaterThanOrEqual(one.cpr);
      // Prepayments and defaults are typical of a consumer lender, and every loan has a schedule.
      expect(one.cpr).toBeGreaterThan(0.05);
      expect(one.cpr).toBeLessThan(0.25);
      expect(one.withoutSchedule).toBe(0);
    }
    expect((await ask('prepayment', { loanTapeId: alder.id })).json).toEqual([]);
  });
});

describe('a stratification', () => {
  const strata = (query: object) => ask('stratification', { loanTapeId: northwind[0]!.id, ...query });
  type Stratum = { key: Record<string, unknown>; count: number };

  it('by bands adds up to the tape: assets, exact sums and shares', async () => {
    const answer = await strata({ field: 'interestRate' });
    const {
      total,
      strata: bands,
      measures,
    } = parseWire(answer.text) as never as {
      total: { count: number; balance: { sum: string } };
      strata: (Stratum & { balance: { sum: string | number } })[];
      measures: object;
    };
    expect(total.count).toBe(northwind[0]!.counts.assets);
    expect(bands.reduce((count, stratum) => count + stratum.count, 0)).toBe(total.count);
    expect(sum(bands.map(({ balance }) => String(balance.sum)))).toBe(sum([String(total.balance.sum)]));
    expect(sum(literals(answer, 'balanceShare'))).toBe('1');
    expect(sum(literals(answer, 'countShare'))).toBe('1');
    expect(measures).toEqual({
      rate: 'interestRate',
      term: 'remainingTerm.days',
      score: 'creditScores.origination',
    });
    const { assetsStatuses } = (
      await manager.get('/crud/assets/statistics', { filter: { loanTape: northwind[0]!.id } })
    ).json;
    expect(assetsStatuses.reduce((count: number, one: { value: number }) => count + one.value, 0)).toBe(total.count);
  });

  it('cuts where it is told, keeps what is missing apart, and obeys a filter', async () => {
    const scores = (await strata({ field: 'creditScores.origination', bands: '660, 720' })).json;
    expect(scores.bands).toEqual(['660', '720']);
    expect(scores.strata.map(({ key }: Stratum) => key)).toEqual([
      { kind: 'band', from: null, below: '660' },
      { kind: 'band', from: '660', below: '720' },
      { kind: 'band', from: '720', below: null },
      { kind: 'missing' },
    ]);
    const filter = { loanTape: northwind[0]!.id, 'creditScores.origination': { gte: 660, lt: 720 } };
    const listed = await manager.get('/crud/assets', { filter, limit: 1 });
    expect(Number(listed.headers.get('x-docs-count'))).toBe(scores.strata[1].count);
    const inTexas = (await strata({ field: 'creditScores.grade', filter: JSON.stringify({ state: 'TX' }) })).json;
    expect(inTexas.total.count).toBeLessThan(scores.total.count);
    expect(inTexas.bands).toBeNull();
  });

  it('shows the first values of a text, then the others together, and the same as a file', async () => {
    const states = (await strata({ field: 'state', top: 3 })).json;
    expect(states.field).toBe('address.state');
    expect(states.strata.map(({ key }: Stratum) => key.kind)).toEqual(['value', 'value', 'value', 'other', 'missing']);
    const [heads, ...lines] = csvOf(await strata({ field: 'state', top: 3, format: 'csv' }));
    expect(heads!.slice(0, 4)).toEqual(['kind', 'fromOrValue', 'below', 'count']);
    expect(lines.map(([kind, value, , count]) => [kind, value, Number(count)])).toEqual(
      states.strata.map(({ key, count }: Stratum) => [key.kind, key.value ?? '', count]),
    );
  });

  it.each([
    [{ field: 'colour' }, 'field', '"colour" is not a field of the tape'],
    [{}, 'field', 'is required'],
    [{ field: 'interestRate', bands: '9,5' }, 'bands', 'must be in ascending order'],
    [{ field: 'address.state', bands: '1' }, 'bands', 'cannot band State: it is not a number or a date'],
    [{ field: 'address.state', top: 0 }, 'top', 'must be a whole number from 1 to 50'],
    [{ field: 'address.state', top: 51 }, 'top', 'must be a whole number from 1 to 50'],
  ])('of %o is refused at %s', async (query, flag, reason) => {
    expect(expectRefusal(await strata(query), 400).flags).toEqual({ [flag]: reason });
  });
});

describe('sight', () => {
  const names = ['statusMigration', 'rollRates', 'vintages', 'prepayment', 'stratification'];
  const query = () => ({ loanTapeId: northwind[0]!.id, field: 'interestRate' });

  it("finds a company's own tapes, and those of others not at all", async () => {
    const [own, other, otherManager, investor] = await Promise.all(
      ['borrower@tapeline.test', 'borrower2@tapeline.test', 'manager2@tapeline.test', 'investor@tapeline.test'].map(
        signedIn,
      ),
    );
    for (const name of names) {
      expect((await ask(name, query(), own)).status).toBe(200);
      expectRefusal(await ask(name, query(), other), 404);
      expectRefusal(await ask(name, query(), otherManager), 404);
      expectRefusal(await ask(name, query(), investor), 403);
    }
  });
});
