import { User } from '@tapeline/db/entities/people.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { add, compare, sum } from '@tapeline/domain/money/decimal.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { paths } from '../../app/paths.ts';
import { type ApiAnswer, type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { productStore } from '../product-store.ts';
import { read, screensOf } from '../screen-client.ts';
import { inviteUser, ownTenant } from '../tenant.ts';
import { createTwoNotes, type TwoNotes } from '../two-notes.ts';

const tenant = ownTenant();
let manager: ApiClient;
let notes: TwoNotes;
/** Borrowing bases of the note Senior, the earlier first, and one of the note Mezzanine. */
let bases: { earlier: string; later: string; mezzanine: string };

const pathOf = (id: string) => `/crud/borrowingBase/${id}/comparison`;
const ask = (query: Record<string, unknown> = {}, client = manager): Promise<ApiAnswer> =>
  client.get(pathOf(bases.later), query as never);
const behind = (cause: string, client = manager, more: object = {}): Promise<ApiAnswer> =>
  client.get(`${pathOf(bases.later)}/assets`, { cause, ...more } as never);

interface Cause {
  cause: string;
  effect: { sum: number };
  assets: { count: number; ownCount: number; effect: { sum: number } } | null;
}

beforeAll(async () => {
  manager = tenant.manager;
  notes = await createTwoNotes(manager);
  const row = (id: string, change: Parameters<typeof notes.tapes.loan>[0]) =>
    notes.tapes.loan({
      'Loan ID': id,
      'Borrower ID': id,
      'FICO at Origination': 700,
      Grade: 'A',
      State: 'CA',
      'Original Amount': 1000,
      'Principal Balance': 500,
      ...change,
    });
  // L-1 has paid 50, L-2 is gone, L-3 passes the rule now, and L-5 is new.
  const tape = await notes.tapes.publish(
    [
      row('L-1', { 'Principal Balance': 450 }),
      row('L-3', { 'FICO at Origination': 650 }),
      row('L-4', { State: 'NY', Grade: 'B' }),
      row('L-5', { State: 'TX', 'Principal Balance': 300 }),
    ],
    { cutOffDate: '2017-04-30', name: 'two-notes-april.xlsx' },
  );
  expect((await manager.post('/LTP/calculateBB', { loanTapeId: tape })).status).toBe(201);
  const latest = async () => {
    const found: { id: string; note: string; cutOffDate: string }[] = (
      await manager.get('/crud/borrowingBase', { filter: { loanTape: tape } })
    ).json;
    expect(found.length).toBeGreaterThanOrEqual(2);
    return found;
  };
  const made = await vi.waitFor(latest, { timeout: 300_000, interval: 200 });
  const [senior] = (await manager.get('/crud/borrowingBase', { filter: { id: notes.bases.Senior } })).json;
  bases = {
    earlier: notes.bases.Senior ?? '',
    later: made.find(({ note }) => note === senior.note)?.id ?? '',
    mezzanine: notes.bases.Mezzanine ?? '',
  };
});

/** A person of the manager for whom a document is blocked. @returns the email */
async function personWithout(resource: string): Promise<string> {
  const ready = { status: 'Active', isReadPrivacyAndTerms: true, isConfirmedUserDetails: true } as const;
  const { id, email } = await inviteUser(tenant.emails.manager, ready);
  await (await productStore()).as(SYSTEM, async ({ em }) => {
    const user = await em.findOneOrFail(User, { id });
    user.exclusiveResources = [resource];
    await em.flush();
  });
  return email;
}

describe('two certificates of a note', () => {
  it('are explained by causes that add up, by default since the one before', async () => {
    const answer = await ask();
    expect(answer.status, answer.text).toBe(200);
    const { earlier, later, causes, difference, notExplained, lines, figure } = answer.json;
    expect([earlier.id, later.id, figure]).toEqual([bases.earlier, bases.later, 'netBB']);
    expect(notExplained).toEqual({ sum: 0, currency: 'USD' });
    const effects = (causes as Cause[]).map(({ effect }) => String(effect.sum));
    expect(compare(sum(effects), String(difference.sum))).toBe(0);
    expect((causes as Cause[]).filter(({ effect }) => effect.sum !== 0).map(({ cause }) => cause)).toEqual([
      'onlyInOne',
      'amount',
      'status',
    ]);
    const fico = lines.find(({ label }: { label: string }) => label === 'FICO is at least 640');
    expect([fico.earlier.sum, fico.later.sum, fico.difference.sum]).toEqual([-500, 0, 500]);
    // Asked again, the stored comparison is returned.
    expect((await ask({ against: bases.earlier })).json).toEqual(answer.json);
  });

  it('lead to the loans behind each cause, whose effects add up to it', async () => {
    const { causes } = (await ask()).json as { causes: Cause[] };
    for (const { cause, assets } of causes) {
      if (!assets) {
        expectRefusal(await behind(cause), 400);
        continue;
      }
      const listed = await behind(cause);
      expect(listed.status, listed.text).toBe(200);
      expect(listed.headers.get('x-docs-count')).toBe(String(assets.count));
      const effects = (listed.json as { effect: { sum: number } }[]).map(({ effect }) => String(effect.sum));
      expect(compare(effects.reduce(add, '0'), String(assets.effect.sum))).toBe(0);
    }
    const [first] = (await behind('status')).json;
    expect(first).toMatchObject({
      id: 'L-3',
      isOwn: true,
      before: { status: 'inEligible', firstFailed: 'FICO is at least 640', ratePercent: null, advanced: { sum: 0 } },
      after: { status: 'eligible', firstFailed: null, ratePercent: 100 },
    });
    expect((await manager.get(`/crud/assets/${first.after.assetId}`)).json.targetData.assetId).toBe('L-3');
    const gone = (await behind('onlyInOne')).json.find(({ id }: { id: string }) => id === 'L-2');
    expect(gone).toMatchObject({ isOwn: true, after: null, before: { amount: { sum: 700, currency: 'USD' } } });
    expect((await behind('onlyInOne', manager, { limit: 1, skip: 1 })).json).toHaveLength(1);
  });

  it('are on a page, and in files', async () => {
    const csv = (await ask({ format: 'csv' })).text.trim().split('\r\n');
    expect(csv[0]).toMatch(/^step,line,earlier,later,difference,onlyInOne,amount,status/);
    const screens = await screensOf(tenant.emails.manager);
    const page = read(await screens.get(paths.baseComparison(bases.later, { cause: 'status' })));
    for (const words of ['Why did the net borrowing base change?', 'L-3', 'FICO is at least 640', 'Not explained']) {
      expect(page).toContain(words);
    }
    expect(read(await screens.get(paths.borrowingBase(bases.later)))).toContain('Why did it change?');
    const file = (part: 'lines' | 'assets', format: 'csv' | 'xlsx', cause?: string) =>
      screens.get(paths.baseComparisonFile(bases.later, { against: bases.earlier, part, format, cause }));
    expect((await file('lines', 'xlsx')).headers.get('content-type')).toContain('spreadsheetml');
    const { causes } = (await ask()).json as { causes: Cause[] };
    const count = causes.reduce((total, { assets }) => total + (assets?.count ?? 0), 0);
    expect((await file('assets', 'csv')).text.trim().split(/\r?\n/)).toHaveLength(count + 1);
    const ofStatus = (await file('assets', 'csv', 'status')).text.trim().split(/\r?\n/);
    expect([ofStatus[0], ofStatus[1]]).toEqual([
      expect.stringMatching(/^cause,assetId,own,beforeRow/),
      expect.stringMatching(/^Other status,L-3,Itself,/),
    ]);
  });

  it('may be of two notes of the facility, but neither of two facilities nor the same', async () => {
    const other = await ask({ against: bases.mezzanine });
    expect([other.status, other.json.notExplained.sum]).toEqual([200, 0]);
    expect(expectRefusal(await ask({ against: bases.later }), 400).message).toContain('another certificate');
    expectRefusal(await ask({ against: 'f'.repeat(24) }), 404);
    const first = await manager.get(pathOf(bases.earlier));
    expect(expectRefusal(first, 400).flags).toEqual({ against: 'there is no earlier borrowing base of the note' });
  });
});

describe('who sees a comparison', () => {
  it('the borrower sees its own; another manager and whoever is blocked from the facility do not', async () => {
    const borrower = await signedIn(tenant.emails.borrower);
    expect((await ask({}, borrower)).json).toEqual((await ask()).json);
    const stranger = await signedIn('manager@tapeline.test');
    const blockedEmail = await personWithout(`transactions/${notes.transaction}`);
    const blocked = await signedIn(blockedEmail);
    for (const client of [stranger, blocked]) {
      expectRefusal(await ask({}, client), 404);
      expectRefusal(await behind('status', client), 404);
    }
    for (const email of ['manager@tapeline.test', blockedEmail]) {
      const screens = await screensOf(email);
      expect((await screens.get(paths.baseComparison(bases.later))).status).toBe(404);
      const file = { against: bases.earlier, part: 'assets', format: 'csv' } as const;
      expect((await screens.get(paths.baseComparisonFile(bases.later, file))).status).toBe(404);
    }
  });
});
