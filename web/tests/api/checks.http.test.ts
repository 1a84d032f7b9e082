import { ALDER_COMPANY } from '@tapeline/demonstration/names.ts';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { paths } from '../../app/paths.ts';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { screensOf } from '../screen-client.ts';
import { ownTenant } from '../tenant.ts';

const tenant = ownTenant();
let manager: ApiClient;
let company = '';
beforeAll(async () => {
  manager = tenant.manager;
  [{ id: company }] = (await manager.get('/crud/companies', { filter: { 'entity.name': ALDER_COMPANY } })).json;
});

const RULES = [
  { originCol: 'Loan', targetCol: 'assetId', checks: ['Mandatory', 'Unique'], serializations: [{ type: 'text' }] },
  {
    originCol: 'Balance',
    targetCol: 'sums.outstandingSum',
    checks: ['Mandatory'],
    serializations: [{ type: 'SerializedSum', currency: 'USD' }],
  },
  { originCol: 'Late', targetCol: 'daysPastDue', serializations: [{ type: 'number' }] },
];
const ROWS = 100_000;
const csvOf = (rows: number, change: (at: number) => string | null = () => null): string =>
  [
    'Loan,Balance,Late',
    ...Array.from({ length: rows }, (_, at) => change(at) ?? `L${at},${1000 + (at % 100)}.25,${at % 30}`),
  ].join('\n');

async function upload(csv: string, client = manager): Promise<{ key: string }> {
  const announced = await client.post('/files/signedUrls/loanTapes?operation=upload', {
    filesInfo: [{ name: 'rows.csv', size: csv.length, type: 'text/csv' }],
  });
  expect(announced.status, announced.text).toBe(200);
  const { key, signedUrl } = announced.json[0].fileMetadata;
  const put = await fetch(signedUrl, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: csv });
  expect(put.status).toBe(200);
  return { key };
}

const bodyOf = (attachment: { key: string }, more: object = {}) => ({
  attachment,
  companyId: company,
  cutOffDate: '2026-10-31',
  rules: RULES,
  currency: 'USD',
  ...more,
});

describe('POST /LTP/checks', () => {
  it('counts all of 100,000 rows, with the errors of the last ones, for posted rules and a stored mapping alike', async () => {
    const csv = csvOf(ROWS, (at) => {
      if (at >= ROWS - 58) return `L${at},5,in delay`;
      return at === 70_000 ? 'L5,6,7' : null;
    });
    const attachment = await upload(csv);
    await manager.post('/LTP/checks', bodyOf(attachment));
    const started = performance.now();
    const answer = await manager.post('/LTP/checks', bodyOf(attachment));
    const tookMs = performance.now() - started;
    expect(answer.status, answer.text).toBe(200);
    const { groups, ...counts } = answer.json;
    expect(counts).toMatchObject({ rows: ROWS, assets: ROWS - 59, errored: 59, warned: 0, moreGroups: 0 });
    expect(groups.map(({ code, value, count }: Record<string, unknown>) => ({ code, value, count }))).toEqual([
      { code: 'notConverted', value: 'in delay', count: 58 },
      { code: 'notUnique', value: null, count: 1 },
    ]);
    expect(groups[0]).toMatchObject({
      column: 'Late',
      target: 'daysPastDue',
      rows: expect.arrayContaining([{ row: ROWS - 56, value: 'in delay', reason: '"in delay" is not a number' }]),
      fixes: [
        { kind: 'omit', value: 'in delay' },
        { kind: 'leaveEmpty', value: null },
      ],
    });
    expect(counts.balances).toEqual([{ sum: expect.any(Number), currency: 'USD' }]);
    // Three seconds on a machine of its own; others use this one.
    expect(tookMs).toBeLessThan(20_000);

    const mapping = await manager.post('/crud/assetsETLs', {
      company,
      rules: RULES,
      loanTapeSheetName: 'CSV',
      primaryCurrency: 'USD',
    });
    expect(mapping.status, mapping.text).toBe(201);
    const { id: assetsETL } = mapping.json;
    const stored = await manager.post('/LTP/checks', {
      attachment,
      companyId: company,
      cutOffDate: '2026-10-31',
      assetsETL,
    });
    expect(stored.json).toEqual(answer.json);
  });

  it('is for those who may preview, on companies and files that they see', async () => {
    const attachment = await upload(csvOf(3));
    const investor = await signedIn(tenant.emails.investor);
    expectRefusal(await investor.post('/LTP/checks', bodyOf(attachment)), 403);
    const other = await signedIn('manager@tapeline.test');
    expectRefusal(await other.post('/LTP/checks', bodyOf(attachment)), 404);
    const [{ id: otherCompany }] = (await other.get('/crud/companies', { limit: 1 })).json;
    expectRefusal(await other.post('/LTP/checks', bodyOf(attachment, { companyId: otherCompany })), 404);
    expectRefusal(await manager.post('/LTP/checks', bodyOf(attachment, { companyId: otherCompany })), 404);
  });

  it('refuses a body that says too little or too much, with the field', async () => {
    const attachment = await upload(csvOf(3));
    const flagsOf = async (more: object) => {
      const answer = await manager.post('/LTP/checks', bodyOf(attachment, more));
      return Object.keys(expectRefusal(answer, 400).flags ?? {});
    };
    expect(await flagsOf({ cutOffDate: '2026-13-01' })).toContain('cutOffDate');
    expect(await flagsOf({ assetsETL: company })).toContain('assetsETL');
    expect(await flagsOf({ rules: undefined })).toContain('currency');
    expect(await flagsOf({ rules: [] })).toContain('rules');
    expect(await flagsOf({ rules: undefined, currency: undefined, assetsETL: company })).toContain('assetsETL');
    expect(await flagsOf({ unknown: 1 })).not.toEqual([]);
    const lacking = await manager.post('/LTP/checks', bodyOf(await upload('Loan,Balance\nL1,5')));
    expectRefusal(lacking, 400, /Late/);
  });

  it('runs two checks of a user at once, tells how far they are, and stops those of a caller who leaves', async () => {
    // Enough rows that each of them takes a while.
    const attachment = await upload(csvOf(1_000_000));
    const asked = Array.from({ length: 5 }, () => manager.post('/LTP/checks', bodyOf(attachment)));
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 429, 429, 429]);
    const leave = new AbortController();
    const left = [0, 1].map(() =>
      fetch(new URL('/LTP/checks', inject('productUrl')), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${manager.accessToken}`,
          cookie: [...manager.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'x-csrf-token': manager.cookies.get('tapeline_csrf') ?? '',
        },
        body: JSON.stringify(bodyOf(attachment)),
        signal: leave.signal,
      }),
    );
    const small = await upload(csvOf(3));
    const screens = await screensOf(tenant.emails.manager);
    const share = async () => {
      const { text } = await screens.get(paths.checkProgress(attachment.key.split('/')[0] ?? ''));
      return (JSON.parse(text) as { share: number | null }).share;
    };
    await expect.poll(share, { timeout: 30_000, interval: 50 }).toBeGreaterThan(0);
    const another = async () => (await manager.post('/LTP/checks', bodyOf(small))).status;
    await expect.poll(another, { timeout: 30_000 }).toBe(429);
    leave.abort();
    expect((await Promise.allSettled(left)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect.poll(another, { timeout: 10_000 }).toBe(200);
  });
});

it('the check of an upload reads no earlier tape of a company that the user cannot see', async () => {
  const other = await signedIn('manager@tapeline.test');
  const [foreign] = (await other.get('/crud/companies', { limit: 1 })).json as { id: string }[];
  const { key } = await upload('Loan,Balance\nNW-200019,5\n');
  const [fileId = ''] = key.split('/');
  const screens = await screensOf(tenant.emails.manager);
  const rule = { originCol: 'Loan', targetCol: 'assetId', checks: ['Mandatory'], serializations: [{ type: 'text' }] };
  const proposed = {
    mapping: null,
    columns: [{ rule, confidence: 1, reason: '', isOn: true }],
    headers: ['Loan', 'Balance'],
    sheets: [],
    sheetName: 'CSV',
    primaryCurrency: 'USD',
    other: null,
    latest: null,
  };
  const checkOf = (companyId: string) =>
    screens.submit(`${paths.newTape({ files: fileId })}&check=0`, {
      intent: 'upload',
      otherIntent: 'check',
      'tapes[0].fileId': fileId,
      'tapes[0].companyId': companyId,
      'tapes[0].cutOffDate': '2026-10-31',
      'tapes[0].mapping': 'suggested',
      'tapes[0].proposed': JSON.stringify(proposed),
      'tapes[0].use': '0',
    });
  const own = await checkOf(company);
  expect([own.status, own.text.includes('1 asset')]).toEqual([200, true]);
  expect((await checkOf(foreign!.id)).text).not.toContain('1 asset');
});
