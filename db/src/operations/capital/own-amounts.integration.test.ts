import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createCommitment } from '../commitments/change-commitments.ts';
import { fileStored, registerFile } from '../files/files.ts';
import { createFund } from '../funds/change-funds.ts';
import { getCallHeader, ownLinesOfHeader, splitsOfHeader } from './calls-and-distributions.ts';
import { callCapital, changeCall, changeContributions, listContributions } from './contributions.ts';
import { distribute } from './distributions.ts';

let database: TestDatabase;
let one: TestTenant;
let two: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = await database.store.as(SYSTEM, async (session) => [
    await makeTenant(session),
    await makeTenant(session),
  ]);
});
afterAll(() => database.close());

const manager = (changes = {}) => testActor({ type: 'manager', managerId: one.managerId, ...changes });
const trying = <Result>(work: (session: Session) => Promise<Result>, actor: Actor = manager()): Promise<Result> =>
  database.store.as(actor, work, { rollback: true });
const usd = (sum: number | string) => ({ sum, currency: 'USD' });
const investor = (index: number, tenant = one) => ({ id: tenant.lpIds[index], kind: 'LP' });

/** A fund to which two investors have committed 300 and 100. */
async function makeFund(session: Session, terms: object = {}): Promise<string> {
  const body = { title: 'Quay Fund', type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 500, hardCap: 600 };
  const { fund } = await createFund(session, fundCreateSchema.parse({ ...body, ...terms }));
  for (const [index, maxCommitment] of [300, 100].entries()) {
    const commitment = { fund: fund.id, investor: investor(index), closingDate: '2025-01-31', maxCommitment };
    await createCommitment(session, commitmentCreateSchema.parse(commitment));
  }
  return fund.id;
}

const callOf = (fund: string, changes: object = {}) =>
  contributionCreateSchema.parse({
    fund,
    cutOffDate: '2025-05-05',
    dueDate: '2025-05-26',
    callNumber: '1',
    amount: usd(40),
    callPurposes: [
      { title: 'A loan', kind: 'investments', amount: 36 },
      { title: 'Audit', kind: 'fundExpenses', amount: 4 },
    ],
    ...changes,
  });

const shown = (parts: Awaited<ReturnType<typeof callCapital>>) =>
  parts
    .map(({ investor: who, purposes }) => [who?.title, ...purposes.map(({ amount }) => Number(amount))])
    .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));

const EXCUSE = { reason: 'Side letter 4.2: no consumer credit' };

describe('a call with amounts of single investors', () => {
  test('excuses an investor from one purpose, which the others take over up to the cap and their unfunded amount', async () => {
    const amounts = [{ investor: investor(0), purposes: [{ title: 'A loan', excused: true }], excuse: EXCUSE }];
    const found = await trying(async (session) => {
      const free = await callCapital(session, callOf(await makeFund(session), { amounts }));
      const [excused] = free.filter(({ excuseReason }) => excuseReason);
      const capped = await callCapital(
        session,
        callOf(await makeFund(session, { excuseCap: 25 }), { amounts, dryRun: true }),
      );
      const large = callOf(await makeFund(session), {
        amounts,
        amount: usd(140),
        callPurposes: [
          { title: 'A loan', kind: 'investments', amount: 136 },
          { title: 'Audit', kind: 'fundExpenses', amount: 4 },
        ],
        dryRun: true,
      });
      return { free, excused, capped, large: await callCapital(session, large) };
    });
    expect(shown(found.free)).toEqual([
      ['Investor one', 0, 3],
      ['Investor two', 36, 1],
    ]);
    expect(found.excused).toMatchObject({
      excuseReason: EXCUSE.reason,
      basis: [
        { rule: 'commitment', set: 'excused', excused: '27.00' },
        { of: '4.00', weight: '300', whole: '400' },
      ],
    });
    // 9 and a quarter of it.
    expect(shown(found.capped)[1]).toEqual(['Investor two', 11.25, 1]);
    expect(found.capped[0]?.warnings).toContain(
      '24.75 USD of A loan is not called: nobody else can take it over within the cap of 25 %',
    );
    // It has 100 unfunded, of which the audit takes 1.
    expect(shown(found.large)[1]).toEqual(['Investor two', 99, 1]);
    expect(found.large[0]?.warnings).toContain('37.00 USD of A loan is not called: nobody else can take it over');
  });

  test('is taken over also by whom everything was once called from, as far as it can be called again', async () => {
    const called = await trying(async (session) => {
      const fund = await makeFund(session);
      const purposes = (amount: number) => [{ title: 'A loan', kind: 'investments', amount }];
      const full = { amount: usd(400), callPurposes: purposes(400), status: 'Active' };
      await callCapital(session, callOf(fund, full));
      const returned = {
        fund,
        cutOffDate: '2025-06-30',
        callNumber: '1',
        distributionKind: 'Principal Only',
        principal: usd(80),
        pdfOptions: { recallableDistribution: true },
        status: 'Active',
      };
      await distribute(session, [distributionCreateSchema.parse(returned)]);
      const amounts = [{ investor: investor(0), purposes: [{ title: 'A loan', excused: true }], excuse: EXCUSE }];
      const days = { cutOffDate: '2025-07-01', dueDate: '2025-07-31', callNumber: '2' };
      return callCapital(session, callOf(fund, { ...days, amounts, amount: usd(24), callPurposes: purposes(24) }));
    });
    // Of the 80 returned, 20 can be called again from the second: its 6, and 14 of the 18 that the first is excused from.
    expect(shown(called)).toEqual([
      ['Investor one', 0],
      ['Investor two', 20],
    ]);
  });

  test('excuses from the whole, and takes amounts as entered, with a total for each line', async () => {
    const found = await trying(async (session) => {
      const whole = await callCapital(
        session,
        callOf(await makeFund(session), { amounts: [{ investor: investor(1), excuse: EXCUSE }] }),
      );
      const entered = await callCapital(
        session,
        callOf(await makeFund(session), {
          amount: undefined,
          callPurposes: [
            { title: 'Legal', kind: 'other', split: 'entered' },
            { title: 'Audit', kind: 'fundExpenses', amount: 4 },
          ],
          amounts: [{ investor: investor(1), purposes: [{ title: 'Legal', amount: '7.77' }] }],
        }),
      );
      return { whole, entered };
    });
    expect(shown(found.whole)).toEqual([
      ['Investor one', 36, 4],
      ['Investor two', 0, 0],
    ]);
    expect(shown(found.entered)).toEqual([
      ['Investor one', 0, 3],
      ['Investor two', 7.77, 1],
    ]);
  });

  test('refuses what fits no investor, no purpose or no total, and says where', async () => {
    const refused = (changes: object, actor?: Actor) =>
      trying(async (session) => callCapital(session, callOf(await makeFund(session), changes)), actor).then(
        () => 'nothing was refused',
        ({ message, flags }) => [message, flags],
      );
    const amounts = (own: object) => ({ amounts: [{ investor: investor(0), ...own }] });
    expect(await refused(amounts({ investor: investor(0, two), excuse: EXCUSE }))).toEqual([
      'This investor has no commitment to the fund',
      { 'amounts.0.investor.id': expect.anything() },
    ]);
    const title = { title: 'A loan', amount: 36.01 };
    expect(await refused(amounts({ purposes: [title] }))).toEqual([
      'A loan: the amounts entered come to 0.01 USD more than 36.00 USD',
      { 'callPurposes.0.amount': 'A loan: the amounts entered come to 0.01 USD more than 36.00 USD' },
    ]);
    expect(await refused(amounts({ purposes: [{ title: 'A loan', amount: '1.001' }] }))).toEqual([
      'Enter amounts in USD, the currency of the fund',
      { 'amounts.0.lines.0': 'must have at most 2 decimals' },
    ]);
    const document = '0123456789abcdef01234567';
    expect(await refused(amounts({ excuse: { ...EXCUSE, document } }))).toMatchObject([
      'The document does not exist, or its upload is incomplete. Upload it first',
      { 'amounts.0.excuse.document': 'is not a file in capitalCalls' },
    ]);
    const twice = { amounts: [1, 2].map(() => ({ investor: investor(0), excuse: EXCUSE })) };
    expect(await refused(twice)).toEqual([
      'An investor has amounts of its own twice',
      { 'amounts.1.investor.id': 'is named twice' },
    ]);
    const parse = (changes: object) => contributionCreateSchema.safeParse({ ...callOf('f'.repeat(24)), ...changes });
    const issues = (changes: object) =>
      parse(changes).error?.issues.map(({ path, message }) => [path.join('.'), message]);
    expect(issues(amounts({ purposes: [{ title: 'A boat', amount: 1 }] }))).toEqual([
      ['amounts.0.purposes.0.title', 'is not the title of one of the purposes'],
    ]);
    expect(issues(amounts({ purposes: [{ title: 'A loan', excused: true }] }))).toEqual([
      ['amounts.0.excuse', 'State the reason of what the investor is excused from, and of nothing else'],
    ]);
    expect(issues(amounts({ purposes: [{ title: 'A loan', amount: 1 }], excuse: EXCUSE }))?.[0]?.[0]).toBe(
      'amounts.0.excuse',
    );
    expect(issues(amounts({ excuse: { reason: 'x'.repeat(501) } }))?.[0]?.[0]).toBe('amounts.0.excuse.reason');
    expect(issues(amounts({ excuse: { reason: 'x'.repeat(500) } }))).toBeUndefined();
  });

  test('whom the actor cannot see cannot be given amounts, and has its part by the rule', async () => {
    const blocked = manager({ blockedDocuments: [`LPs/${one.lpIds[1]}`] });
    const fundId = await database.store.as(manager(), makeFund);
    const call = (amounts: object[]) => trying((session) => callCapital(session, callOf(fundId, { amounts })), blocked);
    await expect(call([{ investor: investor(1), excuse: EXCUSE }])).rejects.toMatchObject({
      message: 'This investor has no commitment to the fund',
    });
    expect(shown(await call([]))).toEqual([['Investor one', 27, 3]]);
  });

  test('is opened again as it was entered, and a line that is changed says so', async () => {
    const found = await trying(async (session) => {
      const fund = await makeFund(session, { excuseCap: 25 });
      const body = callOf(fund, {
        amounts: [{ investor: investor(0), purposes: [{ title: 'A loan', excused: true }], excuse: EXCUSE }],
      });
      const [first] = await callCapital(session, body);
      const id = first?.activityId ?? '';
      const { version } = await getCallHeader(session, id);
      const own = await ownLinesOfHeader(session, 'contributions', id);
      const splits = await splitsOfHeader(session, 'contributions', id);
      const terms = {
        ...body,
        own: own.map(({ commitmentId, basis, excuseReason }) => ({
          of: { commitmentId },
          lines: basis.map(({ set }) => (set === 'excused' ? { excused: true as const } : null)),
          excuse: { reason: excuseReason ?? '', document: null },
        })),
      };
      const changed = await changeCall(session, { id, version, terms, investors: 'same' });
      const line = changed.find(({ excuseReason }) => !excuseReason)!;
      await changeContributions(session, [
        {
          id: line.id,
          version: line.version,
          callPurposes: line.purposes.map((purpose, index) => (index === 1 ? { ...purpose, amount: '2' } : purpose)),
        },
      ]);
      const [bulk] = (await listContributions(session, { filter: { id: line.id } })).documents;
      return { own, splits, changed, bulk };
    });
    expect(found.splits).toEqual([
      { rule: 'commitment', amount: '36' },
      { rule: 'commitment', amount: '4' },
    ]);
    expect(found.own).toMatchObject([{ excuseReason: EXCUSE.reason, basis: [{ set: 'excused' }, {}] }]);
    expect(shown(found.changed)).toEqual([
      ['Investor one', 0, 3],
      ['Investor two', 11.25, 1],
    ]);
    expect(found.bulk?.basis).toMatchObject([{ spread: '2.25' }, { rule: 'commitment', set: 'amount' }]);
  });

  test('shows an investor where its amounts come from only if its notice says so', async () => {
    const actor = testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[1]!] });
    const read = async (pdfOptions: object) => {
      const id = await database.store.as(manager(), async (session) => {
        const parts = await callCapital(
          session,
          callOf(await makeFund(session), { callNumber: '9', status: 'Active', pdfOptions }),
        );
        return parts[0]?.activityId;
      });
      const { documents } = await database.store.as(actor, (session) =>
        listContributions(session, { filter: { 'metadata.bundleId': id } }),
      );
      return documents.map(({ basis }) => basis.length);
    };
    expect(await read({})).toEqual([0]);
    expect(await read({ basis: true })).toEqual([2]);
  });
});

describe('a distribution with amounts of single investors', () => {
  test('withholds tax at each investor’s own rate, and pays principal by what was paid in', async () => {
    const found = await trying(async (session) => {
      const fund = await makeFund(session);
      await callCapital(
        session,
        callOf(fund, {
          status: 'Active',
          amounts: [{ investor: investor(0), purposes: [{ title: 'A loan', amount: 16 }] }],
        }),
      );
      return distribute(session, [
        distributionCreateSchema.parse({
          fund,
          cutOffDate: '2025-09-30',
          callNumber: '1',
          distributionKind: 'Interest and Principal',
          principal: usd(20),
          principalSplit: 'paidIn',
          components: [
            { title: 'Interest', actionType: 'INTEREST', amount: usd(10) },
            { title: 'Withholding tax', actionType: 'INTEREST TAX', split: 'terms', rate: 15 },
          ],
          amounts: [{ investor: investor(1), components: [{ title: 'Withholding tax', rate: 30 }] }],
          status: 'Active',
        }),
      ]);
    });
    // Paid in: 19 and 21 of 40. Interest by commitment: 7.50 and 2.50, of which 15 and 30 percent are withheld, 1.125 rounded to even.
    expect(
      found.map(({ investor: who, principal, components, totals }) => [
        who?.title,
        Number(principal),
        ...components.map(({ amount }) => Number(amount)),
        Number(totals.totalDistributed),
      ]),
    ).toEqual([
      ['Investor one', 9.5, 7.5, 1.12, 15.88],
      ['Investor two', 10.5, 2.5, 0.75, 12.25],
    ]);
    expect(found[1]?.basis).toMatchObject([
      { rule: 'paidIn', of: '20.00', weight: '21', whole: '40' },
      { rule: 'commitment' },
      { rule: 'terms', of: '2.50', ratePercent: '30' },
    ]);
  });

  test('refuses own terms of what is no tax, and a rate without them', () => {
    const issues = (component: object) =>
      distributionCreateSchema
        .safeParse({
          fund: 'f'.repeat(24),
          cutOffDate: '2025-09-30',
          callNumber: '1',
          distributionKind: 'Interest',
          principal: usd(0),
          components: [{ title: 'Line', ...component }],
        })
        .error?.issues.map(({ path }) => path.join('.'));
    expect(issues({ actionType: 'INTEREST', split: 'terms', rate: 10 })).toEqual(['components.0.split']);
    expect(issues({ actionType: 'CG TAX', split: 'terms' })).toEqual(['components.0.rate']);
    expect(issues({ actionType: 'CG TAX', split: 'terms', rate: 100.01 })).toEqual(['components.0.rate']);
    expect(issues({ actionType: 'CG TAX', split: 'terms', rate: 100 })).toBeUndefined();
    expect(issues({ actionType: 'INTEREST', split: 'entered' })).toBeUndefined();
    expect(issues({ actionType: 'INTEREST' })).toEqual(['components.0.amount']);
  });
});

test('who cannot see an investor cannot read the document of its excuse', async () => {
  const document = await database.store.as(manager(), async (session) => {
    const place = { bucket: 'capitalCalls', name: 'side-letter.pdf', type: 'application/pdf' } as const;
    const { key } = await registerFile(session, { ...place, size: 1 });
    const { id } = await fileStored(session, { bucket: place.bucket, key, size: 1, checksum: 'x' });
    const excuse = { ...EXCUSE, document: id };
    await callCapital(session, callOf(await makeFund(session), { amounts: [{ investor: investor(0), excuse }] }));
    return id;
  });
  const files = (actor: Actor) =>
    database.store.as(actor, ({ query }) => query('select id from files where id = $1', [document]));
  expect(await files(manager())).toHaveLength(1);
  expect(await files(manager({ blockedDocuments: [`LPs/${one.lpIds[1]}`] }))).toHaveLength(1);
  expect(await files(manager({ blockedDocuments: [`LPs/${one.lpIds[0]}`] }))).toEqual([]);
});
