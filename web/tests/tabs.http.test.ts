import { Role, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { northwindLoan, northwindTapes } from './northwind-tapes.ts';
import { productStore } from './product-store.ts';
import { read, type ScreenAnswer, type ScreenClient, screensOf } from './screen-client.ts';
import { inviteUser, ownTenant } from './tenant.ts';

const FIXTURE = systemActor('Test fixture');
const tenant = ownTenant();

/** The labels of the tabs of a page, and of the current one. */
function tabsIn(text: string): { labels: string[]; current: string | undefined } {
  const strip = /<nav[^>]*aria-label="Parts of [^"]*"[^>]*>([\s\S]*?)<\/nav>/.exec(text)?.[1] ?? '';
  const links = [...strip.matchAll(/<a([^>]*)>([\s\S]*?)<\/a>/g)].map(([, attributes = '', content = '']) => ({
    // Without the count in small print.
    label: read({ text: content.replace(/<small[\s\S]*?<\/small>/, '') }).trim(),
    isCurrent: attributes.includes('aria-current="page"'),
  }));
  return { labels: links.map(({ label }) => label), current: links.find(({ isCurrent }) => isCurrent)?.label };
}

interface Subject {
  readonly path: (search?: Record<string, string>) => string;
  /** By view, the first one without: its label, and a heading that no other tab has. */
  readonly tabs: readonly (readonly [view: string | null, label: string, heading: string])[];
}

/** The text of a page, without what differs from answer to answer. */
const withoutTrace = (answer: ScreenAnswer): string => read(answer).replace(/Trace ID [0-9a-f]+/, '');

const headingsOf = (text: string): string[] =>
  [...text.matchAll(/<h2[^>]*>([\s\S]*?)<\/h2>/g)].map(([, content = '']) => read({ text: content }).trim());

describe('the pages of the demonstration', () => {
  let client: ScreenClient;
  const subjects = new Map<string, Subject>();

  beforeAll(async () => {
    client = await screensOf('manager@tapeline.test');
    const idOf = async (path: string, filter: object): Promise<string> => {
      const [found] = (await client.api.get(path, { filter })).json as { id: string }[];
      return found!.id;
    };
    const facility = await idOf('/crud/transactions', { title: 'Severn motor receivables facility' });
    const fund = await idOf('/crud/funds', { title: 'Harbour Credit Fund II' });
    const investor = await idOf('/crud/LPs', { title: 'Calder Valley Pension Scheme' });
    const company = await idOf('/crud/companies', { 'entity.name': 'Northwind Consumer Loans' });
    const mainFund = await idOf('/crud/mainFunds', { title: 'Harbour Credit' });
    const bases = (await client.api.get('/crud/borrowingBase', { sort: { cutOffDate: -1 } })).json as { id: string }[];
    subjects.set('a facility', {
      path: (search) => paths.transaction(facility, search),
      tabs: [
        [null, 'Overview', 'Availability and balance'],
        ['bases', 'Borrowing base', 'Borrowing bases'],
        ['draws', 'Draws and repayments', 'Draws'],
        ['contract', 'Contract', 'Contracts'],
        ['terms', 'Terms', 'Terms'],
        ['documents', 'Documents', 'Documents'],
        ['history', 'History', ''],
      ],
    });
    subjects.set('a fund', {
      path: (search) => paths.fund(fund, search),
      tabs: [
        [null, 'Overview', 'Called, distributed and NAV'],
        ['investors', 'Investors', 'Commitments'],
        ['activity', 'Capital activity', 'Distributions'],
        ['navs', 'NAV', 'Net asset values'],
        ['performance', 'Performance', 'Cash flows behind the figures'],
        ['documents', 'Documents', ''],
        ['terms', 'Terms', 'Fees by investor'],
        ['history', 'History', 'History'],
      ],
    });
    subjects.set('an investor', {
      path: (search) => paths.investor(investor, search),
      tabs: [
        [null, 'Overview', 'Who is told'],
        ['activity', 'Activity', 'Activity in USD'],
        ['documents', 'Documents', 'Documents'],
        ['details', 'Details', 'Legal entity'],
        ['history', 'History', ''],
      ],
    });
    subjects.set('a borrower', {
      path: (search) => paths.company(company, search),
      tabs: [
        [null, 'Overview', 'Facilities'],
        ['deliverables', 'Deliverables', ''],
        // Without a heading while the tapes are compared.
        ['reporting', 'Reporting', ''],
        ['details', 'Details', 'Legal entity'],
        ['history', 'History', ''],
      ],
    });
    subjects.set('a main fund', {
      path: (search) => paths.mainFund(mainFund, search),
      tabs: [
        [null, 'Overview', 'Funds'],
        ['documents', 'Documents', 'Documents'],
        ['history', 'History', ''],
      ],
    });
    subjects.set('a borrowing base', {
      path: (search) => paths.borrowingBase(bases[0]!.id, search),
      tabs: [
        [null, 'Certificate', 'From pool to availability'],
        ['trend', 'Trend', 'Figures over tapes'],
        ['audit', 'Audit', 'Results of this tape'],
      ],
    });
  });

  test.each(['a facility', 'a fund', 'an investor', 'a borrower', 'a main fund', 'a borrowing base'])(
    '%s shows one tab at a time, each at its own address',
    async (name) => {
      const { path, tabs } = subjects.get(name)!;
      const labels = tabs.map(([, label]) => label);
      for (const [view, label, heading] of tabs) {
        const answer = await client.get(path(view === null ? {} : { view }));
        expect([label, answer.status]).toEqual([label, 200]);
        expect(tabsIn(answer.text)).toEqual({ labels, current: label });
        // It shows what belongs to it, and nothing of the other tabs.
        const others = tabs.flatMap(([, other, theirs]) => (other !== label && theirs !== heading ? [theirs] : []));
        const shown = headingsOf(answer.text);
        if (heading !== '') expect([label, shown]).toEqual([label, expect.arrayContaining([heading])]);
        const distinct = others.filter((one) => !['', 'Documents', 'History'].includes(one));
        expect([label, shown.filter((one) => distinct.includes(one))]).toEqual([label, []]);
      }
      expect((await client.get(path({ view: tabs[0]![1].toLowerCase() }))).status).toBe(200);
      expect((await client.get(path({ view: 'nothing' }))).status).toBe(404);
    },
  );

  test('the addresses of earlier versions lead to where their content is now', async () => {
    const to = async (address: string): Promise<[number, string | null]> => {
      const { status, headers } = await client.get(address);
      return [status, headers.get('location')];
    };
    const fund = subjects.get('a fund')!.path();
    const activity = `${fund}?view=activity`;
    expect(await to(`${fund}?view=calls&date=2026-06-30`)).toEqual([302, `${activity}&date=2026-06-30`]);
    expect(await to(`${fund}?view=distributions`)).toEqual([302, `${activity}#distributions`]);
    expect(await to(`${fund}?view=writeOffs`)).toEqual([302, `${fund}?view=navs#write-offs`]);
    expect(await to(`${fund}?view=timeline`)).toEqual([302, `${fund}?view=terms#timeline`]);
    const facility = subjects.get('a facility')!.path();
    expect(await to(`${facility}?findMapping=a`)).toEqual([302, `${facility}?findMapping=a&view=contract`]);
    const investor = subjects.get('an investor')!.path();
    expect(await to(`${investor}/activity`)).toEqual([302, `${investor}?view=activity`]);
    const base = subjects.get('a borrowing base')!.path();
    const other = base.split('/').at(-1);
    expect(await to(`${base}?against=${other}`)).toEqual([302, `${base}?view=audit&against=${other}`]);
  });

  test('the note of a facility is kept from tab to tab', async () => {
    const { path } = subjects.get('a facility')!;
    const { text } = await client.get(path());
    const mezzanine = /href="([^"]*\?note=[^"]*)"[^>]*>(?:<span[^>]*>)?Mezzanine/
      .exec(text)?.[1]
      ?.replaceAll('&amp;', '&');
    const note = new URL(mezzanine ?? '', 'http://localhost').searchParams.get('note') ?? '';
    const terms = await client.get(path({ note, view: 'terms' }));
    expect(terms.text).toContain(`note=${note}&amp;view=draws`);
    expect(read(terms)).toContain('Terms of Mezzanine and its tranches');
  });

  test('the manager’s page of an investor says what is called, and who is told', async () => {
    const text = read(await client.get(subjects.get('an investor')!.path()));
    expect(text).toMatch(/Fund Committed Called Unfunded Distributed NAV TVPI \(x\) Net IRR \(%\)/);
    expect(text).toMatch(
      /Class A Committed 18,000,000\.00 Called [\d,.]+ Unfunded [\d,.]+ Distributed [\d,.]+ NAV [\d,.]+ TVPI \(x\) [\d.]+ Net IRR/,
    );
    expect(text).toMatch(/Who is told .*investor@tapeline\.test As User/);
  });
});

describe('a reader without some permissions', () => {
  let reader: ScreenClient;
  let all: ScreenClient;

  beforeAll(async () => {
    const roleId = newId();
    await (await productStore()).as(FIXTURE, async ({ em }) => {
      const { managerId } = await em.findOneOrFail(User, { email: tenant.emails.manager });
      em.create(Role, {
        id: roleId,
        managerId,
        title: 'Reader of funds',
        level: 18,
        permissions: ['funds/read', 'LPs/read', 'companies/read', 'transactions/read'],
      });
    });
    const { email } = await inviteUser(tenant.emails.manager, {
      status: 'Active',
      roleId,
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
    });
    [reader, all] = [await screensOf(email), await screensOf(tenant.emails.manager)];
  });

  test.each([
    ['transactions', '/crud/transactions', paths.transaction, ['bases', 'draws', 'history']],
    ['funds', '/crud/funds', paths.fund, ['investors', 'activity', 'history']],
    ['investors', '/crud/LPs', paths.investor, ['activity', 'history']],
    ['companies', '/crud/companies', paths.company, ['history']],
  ] as const)(
    'finds no tab of %s that it may not read, and its address answers like a missing one',
    async (_, list, page, hidden) => {
      const found = (await all.api.get(list)).json as { id: string }[];
      expect(found.length).toBeGreaterThan(0);
      for (const { id } of found) {
        const missing = await reader.get(page(id, { view: 'nothing' }));
        expect(missing.status).toBe(404);
        const shown = await reader.get(page(id));
        expect(shown.status).toBe(200);
        for (const view of hidden) {
          expect(shown.text).not.toContain(`view=${view}"`);
          const answer = await reader.get(page(id, { view }));
          expect([view, answer.status, withoutTrace(answer)]).toEqual([view, 404, withoutTrace(missing)]);
        }
      }
      // They are there for whoever may read them.
      const { text } = await all.get(page(found.at(-1)!.id));
      expect(hidden.filter((view) => !text.includes(`view=${view}"`))).toEqual([]);
    },
  );

  test('finds among the documents of a facility no file of a tape, draw or borrowing base', async () => {
    const tapes = await northwindTapes(tenant.manager);
    await tapes.finished(await tapes.begin([northwindLoan({})], { cutOffDate: '2026-10-31' }));
    const facilities = (await all.api.get('/crud/transactions', { filter: { company: tapes.company } })).json as {
      id: string;
    }[];
    expect(facilities.length).toBeGreaterThan(0);
    for (const { id } of facilities) {
      const address = paths.transaction(id, { view: 'documents' });
      expect(read(await all.get(address))).toMatch(/\bLoan tape\b/);
      const answer = await reader.get(address);
      expect(answer.status).toBe(200);
      expect(read(answer)).not.toMatch(/\b(Loan tape|Draw request|Borrowing base certificate)\b/);
    }
  });

  test('sees no amounts of investors on the page of a fund', async () => {
    const [fund] = (await all.api.get('/crud/funds')).json as { id: string }[];
    const text = read(await reader.get(paths.fund(fund!.id)));
    expect(text).not.toContain('Latest activity');
    expect(text).not.toContain('Fees');
    expect(text).not.toContain('Calder Valley Pension Scheme');
  });
});

describe('an investor', () => {
  test('reads on the page of a call what to pay, to where, by when and with which reference', async () => {
    const investor = await screensOf(tenant.emails.investor);
    const [fund] = (await tenant.manager.get('/crud/funds')).json as { id: string }[];
    const terms = { fund: fund!.id, callNumber: '77', cutOffDate: '2030-01-02', dueDate: '2030-01-31' };
    const created = await tenant.manager.post('/crud/contributions', {
      ...terms,
      amount: { sum: 1000, currency: 'USD' },
      callPurposes: [{ title: 'Investments', kind: 'investments', amount: 1000 }],
      status: 'Active',
    });
    expect(created.status, created.text).toBe(201);
    const [own] = (await investor.api.get('/crud/contributions', { filter: { callNumber: '77' } })).json as {
      amount: { sum: number };
      metadata: { bundleId: string };
    }[];
    const text = read(await investor.get(paths.capitalCall(own!.metadata.bundleId)));
    const amount = own!.amount.sum.toLocaleString('en', { minimumFractionDigits: 2 });
    expect(text).toMatch(
      new RegExp(`To pay ${amount} USD Due 31 Jan 2030 Payment reference \\S+ Pay to .* Your share`),
    );
    expect(text).not.toContain('Notices ready');
    const manager = await screensOf(tenant.emails.manager);
    expect(read(await manager.get(paths.capitalCall(own!.metadata.bundleId)))).not.toContain('Pay to');
  });
});
