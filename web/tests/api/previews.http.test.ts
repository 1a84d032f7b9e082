import { ALDER_COMPANY } from '@tapeline/demonstration/names.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { type NorthwindTapes, northwindTapes } from '../northwind-tapes.ts';
import { ownTenant } from '../tenant.ts';

const tenant = ownTenant();
let manager: ApiClient;
let tapes: NorthwindTapes;
beforeAll(async () => {
  manager = tenant.manager;
  tapes = await northwindTapes(manager);
});

type Rule = Record<string, unknown>;
const ID: Rule = {
  originCol: 'Loan ID',
  targetCol: 'assetId',
  checks: ['Mandatory'],
  serializations: [{ type: 'text' }],
};

/** 300 rules with cases so long that together they exceed the size limit of a Temporal message. */
const LONG_RULES: Rule[] = [
  ID,
  ...Array.from({ length: 299 }, (_, rule) => ({
    originCol: 'Loan Status',
    targetCol: `status ${rule}`,
    serializations: [
      {
        type: 'switchCase',
        cases: Array.from({ length: 15 }, (_, index) => ({
          equals: index === 0 ? 'Current' : `${'e'.repeat(990)}${index}`,
          // biome-ignore lint/suspicious/noThenProperty: `then` is a field of the mapping format
          then: `${'t'.repeat(100)}${rule}.${index}`,
        })),
        default: null,
      },
    ],
  })),
];

/** Enough rules that a preview takes a while. */
const MANY_RULES: Rule[] = [
  ID,
  ...Array.from({ length: 60 }, (_, rule) => ({
    originCol: 'Principal Balance',
    targetCol: `share ${rule}`,
    serializations: [{ type: 'number' }, { type: 'multiply', value: rule + 1 }, { type: 'round', digits: 2 }],
  })),
];

const preview = (rules: readonly Rule[], fileUrl: string, client = manager) =>
  client.post('/LTP/preview/ETL', {
    rules,
    currency: 'USD',
    fileUrl,
    sheetName: 'Loan Tape',
    cutOffDate: '2011-01-31',
  });

async function publishedFile(cutOffDate: string): Promise<{ key: string }> {
  const loans = Array.from({ length: 100 }, (_, row) => tapes.loan({ 'Loan ID': `P-${row}` }));
  const id = await tapes.publish(loans, { cutOffDate });
  const [tape] = (await manager.get('/crud/loanTape', { filter: { id } })).json;
  return { key: tape.metadata.attachment.key };
}

describe('a mapping of 300 long rules', () => {
  it('is previewed, its answer of 30,000 cells arrives whole, and it makes a tape', async () => {
    const { key } = await publishedFile('2011-01-31');
    expect(JSON.stringify(LONG_RULES).length).toBeGreaterThan(4 * 2 ** 20);
    const answer = await preview(LONG_RULES, key);
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
    expect(answer.json).toMatchObject({ assets: 100, errored: 0, missingHeaders: [] });
    expect(answer.json.rows[99].cells[299].value).toBe(`${'t'.repeat(100)}298.0`);
    const [{ id: company }] = (await manager.get('/crud/companies', { filter: { 'entity.name': ALDER_COMPANY } })).json;
    const made = await manager.post('/crud/assetsETLs', {
      company,
      rules: LONG_RULES,
      loanTapeSheetName: 'Loan Tape',
      primaryCurrency: 'USD',
    });
    expect(made.status, made.text.slice(0, 500)).toBe(201);
    const started = await manager.post('/files/loanTapeScheduler', {
      cutOffDate: '2011-03-31',
      companyId: company,
      mainCurrency: 'USD',
      attachments: [{ key }],
      assetsETL: made.json.id,
    });
    expect(started.status, started.text).toBe(201);
    const [{ id: long }] = started.json.loanTapes;
    expect(await tapes.finished(long)).toMatchObject({ failure: null, counts: { assets: 100, errored: 0 } });
  });
});

describe('twenty previews of one user at once', () => {
  it('are at most four that run; the others are told how long to wait, and another user waits for none of them', async () => {
    const { key } = await publishedFile('2011-04-30');
    const admin = await signedIn('admin@tapeline.test');
    const asked = Array.from({ length: 20 }, () => preview(MANY_RULES, key));
    expect((await preview([ID], key, admin)).status).toBe(200);
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4);
    for (const refused of answers.filter(({ status }) => status === 429)) {
      expectRefusal(refused, 429, 'You have 4 previews in progress, the maximum at a time. Try again in 5 seconds.');
      expect(refused.headers.get('retry-after')).toBe('5');
    }
    expect((await preview([ID], key)).status).toBe(200);
  });
});
