import type { RouteConfigEntry } from '@remix-run/route-config';
import { expect, inject, it } from 'vitest';
import { SIGNED_IN_SCREENS } from '../app/routes.ts';
import { matchedRoute } from './matched-route.ts';
import { screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

const SHORT = '<script>alert(7)</script>';
/** Ends an attribute, a text and a script, and runs in each. */
const HOSTILE = `"'></title></script>${SHORT}<img src=x onerror=alert(7)>`;
/** What no page may contain as it stands. */
const RUNS = /<script>alert\(7\)|<img src=x|href="javascript:/;
const PAGES_OF_SCREEN = 2;
const MAX_PAGES = 250;

async function created(path: string, body: object): Promise<{ id: string }> {
  const { status, text, json } = await tenant.manager.post(path, body);
  expect(status, `${path} ${text}`).toBe(201);
  return Array.isArray(json) ? json[0] : json;
}

it('a script in any name is shown as text, on every screen that can be reached', async () => {
  const entity = { name: `Entity ${HOSTILE}`, formalId: HOSTILE.slice(0, 20), nationality: { country: 'US' } };
  const fundTerms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 1000, hardCap: 2000 };
  const title = (what: string) => `${what} ${HOSTILE}`;
  await created('/crud/mainFunds', { title: title('Main fund'), ...fundTerms });
  const fund = await created('/crud/funds', { title: title('Fund'), ...fundTerms });
  const investor = await created('/crud/LPs', { title: title('Investor'), entity });
  await created('/crud/LPCommitments', {
    fund: fund.id,
    investor: { id: investor.id, kind: 'LP' },
    closingDate: '2026-01-15',
    maxCommitment: { sum: 900, currency: 'USD' },
  });
  const company = await created('/crud/companies', { entity: { ...entity, formalId: 'HOSTILE-2' } });
  await created('/crud/transactions', {
    title: title('Facility'),
    type: 'Direct',
    industries: [title('Industry')],
    company: company.id,
    notes: [{ title: title('Senior'), mainCurrency: 'USD', security: [title('Lien')] }],
  });
  await created('/crud/serviceProviders', { title: SHORT, type: 'Auditor' });
  await created('/crud/tables', { name: SHORT, values: [SHORT] });
  await created('/crud/groupFilters', { title: SHORT, filters: { funds: [fund.id] } });
  await created('/crud/chats', { task: 'blank', title: SHORT, text: HOSTILE });
  await created('/crud/announcements', {
    resource: { kind: 'all' },
    title: title('News'),
    description: `${HOSTILE} [x](javascript:alert(7))`,
  });

  const client = await screensOf(tenant.emails.manager);
  const screens = new Set(SIGNED_IN_SCREENS.flatMap(filesOfRoute));
  const visits = new Map<string, number>();
  const showing = new Set<string>();
  const waiting = SIGNED_IN_SCREENS.flatMap(({ path = '' }) => (/[:*]/.test(path) ? [] : [`/${path}`]));
  const seen = new Set(waiting);
  let pages = 0;
  for (let address = waiting.shift(); address !== undefined && pages < MAX_PAGES; address = waiting.shift()) {
    const answer = await client.get(address);
    if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) continue;
    pages += 1;
    expect(RUNS.exec(answer.text)?.[0], address).toBeUndefined();
    const file = fileAt(address, screens);
    if (file && answer.text.includes('&lt;script&gt;alert(7)')) showing.add(file);
    for (const [, link = ''] of answer.text.matchAll(/href="(\/[^"#]*)"/g)) {
      const found = new URL(link.replaceAll('&amp;', '&'), inject('productUrl'));
      const screen = fileAt(found.pathname, screens);
      const isNew = screen && !seen.has(found.pathname) && (visits.get(screen) ?? 0) < PAGES_OF_SCREEN;
      if (!isNew) continue;
      seen.add(found.pathname);
      visits.set(screen, (visits.get(screen) ?? 0) + 1);
      waiting.push(found.pathname);
    }
  }
  expect(pages).toBeLessThan(MAX_PAGES);
  // Each kind of document was shown on a list and on a page of its own.
  expect(showing.size).toBeGreaterThan(20);
});

const filesOfRoute = ({ file, children }: RouteConfigEntry): string[] => [
  file,
  ...(children ?? []).flatMap(filesOfRoute),
];

/** The file of the screen at a path; null for what is not a screen of signed-in users. */
function fileAt(path: string, screens: ReadonlySet<string>): string | null {
  const route = matchedRoute(path);
  return route && screens.has(route.file) ? route.file : null;
}
