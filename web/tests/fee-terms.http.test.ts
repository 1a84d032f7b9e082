import { beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { fieldsOf, read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let client: ScreenClient;
let fund: string;
let commitments: string[];

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  const investor = await screensOf(tenant.emails.investor);
  const own = (await investor.api.get('/crud/LPs')).json as { id: string }[];
  const entity = { name: 'Wharfe Life', formalId: 'LP-WHA', nationality: { country: 'US' } };
  const lps = [own[0]!.id, (await created('/crud/LPs', { title: 'Wharfe Life', entity })).id];
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 4000, hardCap: 4_000_000 };
  const classes = [
    { name: 'Class A', uniqueKey: 'a' },
    { name: 'Class B', uniqueKey: 'b' },
  ];
  const feeTerms = [{ from: '2024-01-01', terms: { management: { committed: 2, minimum: 10.5 } } }];
  fund = (await created('/crud/funds', { title: 'Wharfe Fund', ...terms, classes, feeTerms })).id;
  commitments = [];
  for (const [index, Class] of ['a', 'b'].entries()) {
    const body = { fund, investor: { id: lps[index], kind: 'LP' }, Class, closingDate: '2024-01-15' };
    commitments.push((await created('/crud/LPCommitments', { ...body, maxCommitment: 1_000_000 })).id);
  }
});

/** Submits the form of a page, with what it holds and these fields. */
const submit = async (path: string, fields: Record<string, string>) =>
  client.submit(path, { ...fieldsOf(await client.get(path), 'from'), ...fields });

const termsTab = async (query = '') => read(await client.get(`${paths.fund(fund, { view: 'terms' })}${query}`));

describe('fee terms of a fund', () => {
  test('are added, changed and removed on its Terms tab, without scripts', async () => {
    expect(await termsTab()).toContain('Management fee: 2% on committed capital, at least 10.50 USD a year');
    const values = { from: '2025-01-01', Class: 'b', 'terms.management.committed': '1' };
    const added = await submit(paths.feeTerms(fund), {
      intent: 'create',
      ...values,
      'terms.management.stepDown.from': '2025-07-01',
      'terms.management.stepDown.invested': '0.75',
    });
    expect(added.status, added.text.slice(0, 500)).toBe(302);
    expect(await termsTab()).toContain('1% on committed capital, from 1 Jul 2025 0.75% on invested capital');
    const again = await submit(paths.feeTerms(fund), { intent: 'create', ...values });
    expect(again.status).toBe(422);
    expect(read(again)).toContain('is taken');
    const stored = paths.feeTerms(fund, { from: '2025-01-01', class: 'b' });
    const changed = await submit(stored, { intent: 'save', ...values, from: '2025-02-01' });
    expect(changed.status).toBe(302);
    expect((await client.get(stored)).status).toBe(404);
    const moved = paths.feeTerms(fund, { from: '2025-02-01', class: 'b' });
    expect((await submit(moved, { intent: 'remove' })).status).toBe(302);
    const { feeTerms } = (await tenant.manager.get(`/crud/funds/${fund}`)).json;
    expect(feeTerms).toEqual([
      { Class: null, from: '2024-01-01', terms: { management: { committed: 2, minimum: 10.5 } } },
    ]);
  });

  test('are shown and answered for each investor with where they come from', async () => {
    const saved = await submit(paths.sideLetter(fund, commitments[1]!), {
      intent: 'create',
      from: '2025-03-01',
      title: 'Founder',
      'terms.management.committed': '1.5',
    });
    expect(saved.status, saved.text.slice(0, 500)).toBe(302);
    const shown = await termsTab('&date=2025-03-01');
    expect(shown).toContain('1.5% on committed capital Side letter Founder, from 1 Mar 2025');
    expect(shown).toContain('2% on committed capital, at least 10.50 USD a year Fund, from 1 Jan 2024');
    const held = async (cutOffDate: string) =>
      (await tenant.manager.get(`/crud/funds/${fund}/feeTerms`, { cutOffDate })).json.map(
        (one: {
          commitment: string;
          terms: { management: { committed: number } };
          sources: { management: object };
        }) => [one.commitment, one.terms.management.committed, one.sources.management],
      );
    const ofFund = { kind: 'fund', from: '2024-01-01' };
    const letter = { kind: 'sideLetter', from: '2025-03-01', title: 'Founder', document: null };
    expect(new Set(await held('2025-03-01'))).toEqual(
      new Set([
        [commitments[0], 2, ofFund],
        [commitments[1], 1.5, letter],
      ]),
    );
    expect(new Set(await held('2025-02-28'))).toEqual(new Set(commitments.map((id) => [id, 2, ofFund])));
    const history = read(await client.get(paths.commitment(fund, commitments[1]!)));
    expect(history).toContain('Side letters');
  });
});
