import { LP, LPGroup, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { PERMISSION_KEYS, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../app/api/api.server.ts';
import type { Endpoint } from '../../app/api/endpoint.ts';
import { type ApiAnswer, type ApiClient, anonymous, signedIn } from '../api-client.ts';
import { plantDocuments } from '../planted-documents.ts';
import { productStore } from '../product-store.ts';
import { ownTenant, ownTenantWithoutMappings } from '../tenant.ts';

const ACTORS = [
  'anonymous',
  'admin',
  'manager',
  'analyst',
  'manager of another tenant',
  'LP',
  'LP of another tenant',
  'LP group',
  'company',
  'company of another tenant',
] as const;
type ActorName = (typeof ACTORS)[number];
type SignedInName = Exclude<ActorName, 'anonymous'>;

const NO_ID = '0'.repeat(24);
const one = ownTenant();
const two = ownTenantWithoutMappings();
const clients = new Map<ActorName, ApiClient>();

const READS = PERMISSION_KEYS.filter((key) => key.endsWith('/read'));
const INVESTOR: PermissionKey[] = [
  'funds/read',
  'LPs/read',
  'LPs/commitments/read',
  'contributions/read',
  'distributions/read',
  'announcements/read',
];
const BORROWER: PermissionKey[] = [
  'transactions/read',
  'assets/read',
  'borrowingBase/read',
  'preview/read',
  'transactionDraw/read',
  'repayments/read',
  'companies/read',
  'announcements/read',
  'transactionDraw/write',
  'assets/write',
];
const FUND_MANAGER = PERMISSION_KEYS.filter((key) => key !== 'managers/write');

/** What each role is meant to allow, stated independently of the seeded roles. */
const PERMISSIONS: Readonly<Record<SignedInName, readonly PermissionKey[]>> = {
  admin: PERMISSION_KEYS,
  manager: FUND_MANAGER,
  analyst: [...READS, 'assets/write', 'assets/ETL/write', 'transactionDraw/write'],
  'manager of another tenant': FUND_MANAGER,
  LP: INVESTOR,
  'LP of another tenant': INVESTOR,
  'LP group': INVESTOR,
  company: BORROWER,
  'company of another tenant': BORROWER,
};
const isForeign = (actor: ActorName): boolean => actor.endsWith('of another tenant');

/** Parameters of a path, and the query of a call that needs one, made of documents of the first tenant. */
interface Sample {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The document as GET returns it; the body of an update. */
  readonly document: unknown;
}
const NO_SAMPLE: Sample = { params: {}, query: {}, document: undefined };
const samples = new Map<string, Sample>();
/** The ids of the first tenant's rows, by table. */
const canaries = new Map<string, string[]>();
let tape: string;

async function createGroupUser(): Promise<string> {
  const store = await productStore();
  const email = one.emails.investor.replace('investor', 'group');
  await store.as(SYSTEM, async (session) => {
    const { em, now } = session;
    const investor = await em.findOneOrFail(User, { email: one.emails.investor });
    const managerId = investor.managerId as string;
    const groupId = newId(now);
    em.create(LPGroup, { id: groupId, managerId, title: 'Pension schemes' });
    const lp = await em.findOneOrFail(LP, { id: investor.LPs[0] as string });
    lp.groupId = groupId;
    em.create(User, {
      id: newId(now),
      email,
      firstName: 'Greta',
      lastName: 'Lund',
      type: 'LPGroup',
      assoc: { LPGroup: { id: groupId } },
      managerId,
      roleId: investor.roleId ?? null,
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
    });
  });
  return email;
}

async function collectCanaries(): Promise<void> {
  const store = await productStore();
  await store.as(SYSTEM, async ({ query }) => {
    const [own] = await query<{ id: string }>('select manager_id as id from users where email = $1', [
      one.emails.manager,
    ]);
    const tables = await query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'manager_id'
       join pg_attribute i on i.attrelid = c.oid and i.attname = 'id' and i.atttypid <> 'bigint'::regtype
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
    );
    for (const { name } of tables) {
      const rows = await query<{ id: string }>(`select id from ${name} where manager_id = $1 limit 1000`, [own?.id]);
      canaries.set(
        name,
        rows.map(({ id }) => id),
      );
    }
    canaries.set('managers', [own?.id as string]);
  });
}

/** Finds a document of the first tenant for every path with an id, by listing its collection. */
async function collectSamples(): Promise<void> {
  const attachment = (await one.manager.get('/crud/loanTape', { filter: { id: tape } })).json[0].metadata.attachment;
  for (const { path } of endpoints) {
    const sample = await sampleOf(path, attachment.key);
    if (sample) samples.set(path, sample);
  }
}

async function sampleOf(path: string, fileKey: string): Promise<Sample | null> {
  const query: Record<string, string> = path.startsWith('/LTP/analytics/') ? { loanTapeId: tape } : {};
  if (path.endsWith('/stratification')) query.field = 'creditScores.grade';
  if (path.endsWith('/changes/assets')) query.kind = 'grew';
  if (path.includes('/comparison')) {
    // Those of the two notes of one facility.
    const [, other] = (await one.manager.get('/crud/borrowingBase', { limit: 2 })).json;
    query.against = other.id;
    if (path.endsWith('/assets')) query.cause = 'amount';
  }
  if (path === '/crud/amendments/terms') {
    const [facility] = (await one.manager.get('/crud/transactions', { limit: 1 })).json;
    Object.assign(query, { transaction: facility.id, note: facility.notes[0].id, day: '2026-10-31' });
  }
  if (path === '/crud/invoices/proposal' || path === '/crud/transactions/notes/forecast') {
    const [facility] = (await one.manager.get('/crud/transactions', { limit: 1 })).json;
    Object.assign(query, { transaction: facility.id, note: facility.notes[0].id });
  }
  if (/^\/crud\/(closings|transfers)/.test(path))
    query.fund = (await one.manager.get('/crud/funds', { limit: 1 })).json[0].id;
  const isDictionary = path.startsWith('/LTP/dictionary/');
  const collection = isDictionary ? '/crud/companies' : path.slice(0, path.indexOf('/{'));
  if (path.includes('{bucket}')) return { ...NO_SAMPLE, params: { bucket: 'loanTapes' } };
  if (path.includes('{fileId}')) return { ...NO_SAMPLE, params: { fileId: fileKey, sheetName: 'Loan Tape' } };
  if (path.includes('{kind}')) {
    const [announcement] = (await one.manager.get('/crud/announcements/all', { limit: 1 })).json;
    return { ...NO_SAMPLE, params: { kind: 'all', id: announcement.id } };
  }
  if (!path.includes('{id}')) return { ...NO_SAMPLE, query };
  if (isForAdministrators(path)) return { ...NO_SAMPLE, params: { id: NO_ID } };
  const list = endpoints.find((call) => call.method === 'GET' && call.path === collection);
  if (!list) return { ...NO_SAMPLE, params: { id: NO_ID } };
  // These lists are of one fund or tape.
  const isNarrowed = /^\/(crud\/(closings|transfers)$|LTP\/analytics\/)/.test(collection);
  const [document] = (await one.manager.get(collection, isNarrowed ? query : { limit: 1 })).json;
  expect(document, `a document of the first tenant in ${collection}`).toBeDefined();
  // A deliverable has an item for the end of each period.
  const periodEnd: Record<string, string> = path.includes('{periodEnd}') ? { periodEnd: document.firstPeriodEnd } : {};
  return { params: { id: document.id, ...periodEnd }, query, document };
}

beforeAll(async () => {
  const emails: Record<SignedInName, string> = {
    admin: 'admin@tapeline.test',
    manager: one.emails.manager,
    analyst: one.emails.analyst,
    'manager of another tenant': two.emails.manager,
    LP: one.emails.investor,
    'LP of another tenant': two.emails.investor,
    'LP group': await createGroupUser(),
    company: one.emails.borrower,
    'company of another tenant': two.emails.borrower,
  };
  clients.set('anonymous', await anonymous());
  for (const [name, email] of Object.entries(emails)) clients.set(name as SignedInName, await signedIn(email));
  tape = await plantDocuments(one, clients.get('company') as ApiClient);
  await collectCanaries();
  await collectSamples();
});

/** A call's address with the parameters of a document of the first tenant, or with ids that do not exist. */
const addressOf = ({ path }: Endpoint, known: boolean): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = samples.get(path)?.params[name] ?? NO_ID;
    return encodeURIComponent(known || ['bucket', 'kind', 'periodEnd'].includes(name) ? value : NO_ID);
  });

/** Calls that succeed with an empty body and change only the caller's own session or account. */
const OF_THE_CALLER = new Set([
  'POST /auth/signOut',
  'PUT /auth/privacyAndTerms',
  'PUT /auth/confirmUserDetails',
  'PUT /crud/notifications/setReadAll',
]);

/** What concerns all tenants: an administrator sees it whatever permissions others have. */
const isForAdministrators = (path: string): boolean => /^\/crud\/(holds|heldItems)\b/.test(path);

/** Documents that only their own user sees: those planted are the manager's. */
const isPrivate = (path: string): boolean => /^\/crud\/(chats|groupFilters|notifications)\//.test(path);

/** The statuses that are right for the actor. Calls are made in a way that changes nothing of the tenant. */
function allowed(definition: Endpoint, actor: ActorName): readonly number[] {
  const { method, path, access } = definition;
  const name = `${method} ${path}`;
  if (access === 'public') return [400, 401, 404];
  // The refresh cookie of a client that has signed in works for every actor.
  if (access === 'refresh cookie') return actor === 'anonymous' ? [401] : [200];
  if (actor === 'anonymous') return [401];
  if (access !== 'signed-in' && !PERMISSIONS[actor].includes(access)) return [403];
  if (isForAdministrators(path) && actor !== 'admin') return method === 'GET' ? [403] : [400, 403];
  // Uploading into a bucket needs the permission of the bucket.
  if (path.includes('{bucket}')) return PERMISSIONS[actor].includes('assets/write') ? [400] : [400, 403];
  if (OF_THE_CALLER.has(name)) return [200, 400];
  if (path.endsWith('/review') && !path.startsWith('/LTP/remap/') && actor.startsWith('company'))
    return isForeign(actor) ? [404] : [403];
  if (path.includes('{') && isPrivate(path)) return actor === 'manager' ? [200, 400, 404] : [400, 404];
  if (path.endsWith('{kind}')) return [200];
  // The planted run is not released.
  // Nothing is proposed.
  if (path.endsWith('/terms/proposal')) return [404];
  if (path === '/crud/paymentRuns/{id}/file') return [404];
  if (method === 'GET')
    return /\{|^\/LTP\/analytics|\/proposal$|^\/crud\/amendments\/terms$|\/notes\/forecast$/.test(path)
      ? ofDocument(actor)
      : [200];
  // Operations refuse what a user of a company may not do to a tape, whatever the role allows.
  const isTape = path.startsWith('/LTP/') && actor.startsWith('company');
  if (isForeign(actor))
    return path.includes('{id}') || method === 'DELETE' ? [404, 400, ...(isTape ? [403] : [])] : [400];
  return isTape ? [400, 403, 404] : [400, 404];
}

/** Reading a document of the first tenant: investors and borrowers see some of them. */
function ofDocument(actor: ActorName): readonly number[] {
  if (isForeign(actor)) return [404];
  return actor === 'LP' || actor === 'LP group' || actor === 'company' ? [200, 404] : [200];
}

async function call(definition: Endpoint, actor: ActorName): Promise<ApiAnswer> {
  const { method, path } = definition;
  const client = path === '/auth/signOut' ? await fresh(actor) : (clients.get(actor) as ApiClient);
  const sample = samples.get(path) ?? NO_SAMPLE;
  if (method === 'GET') {
    // An administrator sees the tapes of all tenants, and other tests remove stored parts of theirs.
    const filter = actor === 'admin' && /^\/crud\/assets(\/|$)/.test(path) ? { filter: { loanTape: tape } } : {};
    return client.get(addressOf(definition, true), { ...sample.query, ...filter });
  }
  // Only those who must not reach the tenant's documents are given their ids.
  const isKnown = isForeign(actor);
  const ids = samples.get(`${path}/{id}`)?.params.id;
  return client.call(method, addressOf(definition, isKnown), {
    query: method === 'DELETE' && !path.includes('{') ? { ids: isKnown && ids ? ids : NO_ID } : {},
    // A search of the book needs nothing, so it is asked with what no call knows.
    body:
      path === '/LTP/duplicateSearch'
        ? { unknown: true }
        : isKnown && method === 'PUT' && sample.document
          ? sample.document
          : {},
  });
}

/** A client with a session of its own, for a call that ends the session. */
async function fresh(actor: ActorName): Promise<ApiClient> {
  if (actor === 'anonymous') return anonymous();
  const me = (await (clients.get(actor) as ApiClient).get('/auth/me')).json;
  return signedIn(me.email);
}

const OPEN_TO_INVESTORS = [
  'managers',
  'main_funds',
  'funds',
  'lps',
  'lp_groups',
  'lp_commitments',
  'capital_calls',
  'contributions',
  'distribution_events',
  'distributions',
  'navs',
  'write_offs',
  'capital_accounts',
  'reports',
  'announcements',
  'entities',
  'users',
  'files',
  // What its own amounts were paid with.
  'allocations',
  'obligation_differences',
];

/**
 * The tables whose rows an actor of the first tenant may be shown. Rows of all other tables must not appear in any
 * answer, so a new table is closed to investors and borrowers until it is listed here.
 */
const OPEN_TABLES: Partial<Record<ActorName, readonly string[]>> = {
  LP: OPEN_TO_INVESTORS,
  'LP group': OPEN_TO_INVESTORS,
  company: [
    'managers',
    'announcements',
    'companies',
    'entities',
    'users',
    'files',
    'mappings',
    'transactions',
    'contracts',
    'loan_tapes',
    'tape_generations',
    'borrowing_bases',
    'amendments',
    'certifications',
    'covenants',
    'covenant_results',
    'deliverables',
    'deliverable_items',
    'departures',
    'correction_proposals',
    'draws',
    'repayments',
    'allocations',
    'obligation_differences',
  ],
};

/** The rows of the first tenant that the actor must not be shown. */
function hiddenFrom(actor: ActorName): string[] {
  if (actor === 'admin' || actor === 'manager' || actor === 'analyst') return [];
  const open = OPEN_TABLES[actor] ?? [];
  return [...canaries].flatMap(([table, ids]) => (open.includes(table) ? [] : ids));
}

it('every table that belongs to a tenant has a row that other actors could be shown by mistake', () => {
  const empty = [...canaries].filter(([, ids]) => ids.length === 0).map(([table]) => table);
  expect(empty).toEqual([]);
});

describe.each(ACTORS)('%s', (actor) => {
  it.each(endpoints.map((definition) => [`${definition.method} ${definition.path}`, definition] as const))(
    '%s',
    async (_, definition) => {
      const answer = await call(definition, actor);
      expect(allowed(definition, actor), answer.text.slice(0, 500)).toContain(answer.status);
      const shown = hiddenFrom(actor).filter((id) => answer.text.includes(id));
      expect(shown, answer.text.slice(0, 500)).toEqual([]);
    },
  );
});
