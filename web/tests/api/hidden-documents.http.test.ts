import { matchRoutes } from '@remix-run/react';
import type { RouteConfigEntry } from '@remix-run/route-config';
import { Announcement } from '@tapeline/db/entities/announcements.ts';
import { Notification } from '@tapeline/db/entities/notification.ts';
import { LP, LPGroup, Role, User } from '@tapeline/db/entities/people.ts';
import { LegalEntity } from '@tapeline/db/entities/register.ts';
import { newId } from '@tapeline/db/ids.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { HISTORY_COLLECTIONS } from '@tapeline/domain/history/collections.ts';
import { DOCUMENT_COLLECTIONS, type DocumentCollection } from '@tapeline/domain/people/access.ts';
import { PERMISSION_KEYS } from '@tapeline/domain/people/actor.ts';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { endpoints } from '../../app/api/api.server.ts';
import { EXPORTED_GRIDS, type ExportedGrid } from '../../app/components/grid/grid-export.ts';
import addresses from '../../app/routes.ts';
import { signedIn } from '../api-client.ts';
import { plantDocuments } from '../planted-documents.ts';
import { productStore } from '../product-store.ts';
import { type ScreenClient, screensOf } from '../screen-client.ts';
import { ownTenant } from '../tenant.ts';

/**
 * One document of each collection has a word in its texts and digits in its amounts that occur nowhere else. Whatever
 * answers somebody for whom the document is blocked, or who may not read its collection, is searched for them.
 */
const tenant = ownTenant();

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
interface Planted {
  readonly row: Row;
  readonly marks: readonly string[];
}
const planted = new Map<DocumentCollection, Planted>();
const idOf = (collection: DocumentCollection): string => planted.get(collection)!.row.id;
const word = (collection: DocumentCollection): string => `Zq${collection.toLowerCase()}zq`;

/** The title of an announcement to those who have a document: it is hidden with the document. */
const newsOf = (collection: DocumentCollection): string => `News${collection.toLowerCase()}zq`;

/** Amounts whose digits occur nowhere else. A return is below what was called, and that below what is committed. */
const AMOUNTS: Partial<Record<DocumentCollection, number>> = {
  funds: 904_173_591,
  mainFunds: 914_173_592,
  LPCommitments: 98_173_593,
  contributions: 5_173_594,
  distributions: 1_273_595,
  navs: 1_373_596,
  writeOffs: 1_473_597,
  borrowingBases: 7_573_598,
  draws: 1_673_599,
  repayments: 1_773_581,
};

interface Kind {
  readonly table: string;
  /** SQL that marks the document: `$1` is its id, `$2` the word and `$3` the amount. */
  readonly mark: string;
  /** The columns by which it belongs to other documents, and is hidden with them. */
  readonly of?: Readonly<Record<string, DocumentCollection>>;
}

const OF_COMMITMENT = { commitment_id: 'LPCommitments', fund_id: 'funds', investor_lp_id: 'LPs' } as const;
const OF_COMPANY = { company_id: 'companies' } as const;
const OF_FACILITY = { ...OF_COMPANY, transaction_id: 'transactions' } as const;
const money = (sum: string) => `jsonb_build_object('sum', ${sum}, 'currency', 'USD')`;

/** SQL of a header with the word as its number, for the marked line alone. */
const HEADED = (headers: string, lines: string, days = '') => `
  with header as (
    insert into ${headers} (id, manager_id, fund_id, currency, number, cut_off_date${days})
    select left(md5($1), 24), manager_id, fund_id, currency, $2, cut_off_date${days} from ${lines} where id = $1 returning id)`;

const KINDS: Readonly<Record<DocumentCollection, Kind>> = {
  companies: {
    table: 'companies',
    mark: `update entities set name = $2 where id = (select entity_id from companies where id = $1)`,
  },
  funds: {
    table: 'funds',
    mark: `update funds set title = $2, target_size = $3::text::numeric, hard_cap = $3::text::numeric where id = $1`,
  },
  mainFunds: {
    table: 'main_funds',
    mark: `update main_funds set title = $2, target_size = $3::text::numeric, hard_cap = $3::text::numeric where id = $1`,
  },
  LPs: {
    table: 'lps',
    mark: 'update lps set title = $2 where id = $1',
  },
  LPCommitments: {
    table: 'lp_commitments',
    mark: `update lp_commitments set max_commitment = $3::text::numeric, active_commitment = $3::text::numeric where id = $1 and $2 <> ''`,
    of: { fund_id: 'funds', investor_lp_id: 'LPs' },
  },
  contributions: {
    table: 'contributions',
    mark: `${HEADED('capital_calls', 'contributions', ', due_date')}
      update contributions set call_number = $2, trailing_description = $2, activity_id = (select id from header),
      purposes = jsonb_build_array(jsonb_build_object('title', $2::text, 'kind', 'investments', 'amount', $3::text)) where id = $1`,
    of: OF_COMMITMENT,
  },
  distributions: {
    table: 'distributions',
    mark: `${HEADED('distribution_events', 'distributions')}
      update distributions set call_number = $2, trailing_description = $2, activity_id = (select id from header),
      principal = $3::text::numeric where id = $1`,
    of: OF_COMMITMENT,
  },
  navs: {
    table: 'navs',
    mark: `update navs set gross = $3::text::numeric, net = $3::text::numeric where id = $1 and $2 <> ''`,
    of: OF_COMMITMENT,
  },
  writeOffs: {
    table: 'write_offs',
    mark: `update write_offs set amount = $3::text::numeric where id = $1 and $2 <> ''`,
    of: OF_COMMITMENT,
  },
  capitalAccounts: {
    table: 'capital_accounts',
    mark: `update capital_accounts set removal_reason = $2 where id = $1`,
    of: { fund_id: 'funds', investor_lp_id: 'LPs' },
  },
  reports: {
    table: 'reports',
    mark: `update files set name = $2 where id = (select file_id from reports where id = $1)`,
    of: { fund_id: 'funds' },
  },
  transactions: { table: 'transactions', mark: 'update transactions set title = $2 where id = $1', of: OF_COMPANY },
  contracts: {
    table: 'contracts',
    mark: `update contracts set body = jsonb_set(body, '{eligibilityRules,0,title}', to_jsonb($2::text)) where id = $1`,
    of: OF_FACILITY,
  },
  assetsETLs: {
    table: 'mappings',
    mark: 'update mappings set loan_tape_sheet_name = $2 where id = $1',
    of: OF_COMPANY,
  },
  loanTapes: {
    table: 'loan_tapes',
    // The sheet is then named by the tape, not by the mapping, whose sheet is marked.
    mark: `update loan_tapes set attachment = jsonb_set(attachment, '{name}', to_jsonb($2::text)), sheet_name = 'Loan Tape' where id = $1`,
    of: OF_COMPANY,
  },
  borrowingBases: {
    table: 'borrowing_bases',
    mark: `update borrowing_bases set net_bb = $3::text::numeric, first_bb = $3::text::numeric where id = $1 and $2 <> ''`,
    of: { ...OF_FACILITY, contract_id: 'contracts', tape_id: 'loanTapes' },
  },
  draws: {
    table: 'draws',
    mark: `update draws set description = $2, value_in_usd = $3::text::numeric, amount_in_main_currency = ${money('$3::text')},
      draws = jsonb_build_array(jsonb_build_object('type', 'Regular', 'valueInUSD', $3::text,
        'amounts', jsonb_build_array(${money('$3::text')}), 'amountInMainCurrency', ${money('$3::text')})) where id = $1`,
    of: OF_FACILITY,
  },
  repayments: {
    table: 'repayments',
    mark: `update repayments set repayments = jsonb_build_array(jsonb_build_object('kind', 'interest',
      'amount', ${money('$3::text')})) where id = $1 and $2 <> ''`,
    of: OF_FACILITY,
  },
  serviceProviders: { table: 'service_providers', mark: 'update service_providers set title = $2 where id = $1' },
};

/** What is blocked for one person each: every document once, while what it belongs to is shown. */
const BLOCKED: Readonly<Record<string, readonly DocumentCollection[]>> = {
  'one document of a commitment, a fund, a company and a facility each': [
    'contributions',
    'distributions',
    'navs',
    'writeOffs',
    'capitalAccounts',
    'reports',
    'assetsETLs',
    'borrowingBases',
    'draws',
    'repayments',
    'serviceProviders',
  ],
  'a commitment, a main fund, a contract and a tape': ['LPCommitments', 'mainFunds', 'contracts', 'loanTapes'],
  'an investor and a facility': ['LPs', 'transactions'],
  'a fund and a company': ['funds', 'companies'],
};

/** The collections whose planted document is hidden with these. */
function hiddenWith(blocked: readonly DocumentCollection[]): DocumentCollection[] {
  const hidden = new Set(blocked);
  for (let size = 0; size < hidden.size; ) {
    size = hidden.size;
    for (const collection of DOCUMENT_COLLECTIONS) {
      const owners = Object.entries(KINDS[collection].of ?? {});
      const isOf = ([column, owner]: [string, DocumentCollection]) =>
        hidden.has(owner) && planted.get(collection)!.row[column] === idOf(owner);
      if (owners.some(isOf)) hidden.add(collection);
    }
  }
  return [...hidden];
}

const READS = PERMISSION_KEYS.filter((key) => key.endsWith('/read'));
const WRITES = PERMISSION_KEYS.filter((key) => key.endsWith('/write'));
const emails = new Map<string, string>();
const clients = new Map<string, Promise<ScreenClient>>();
const clientOf = (name: string): Promise<ScreenClient> => {
  const client = clients.get(name) ?? screensOf(emails.get(name)!);
  clients.set(name, client);
  return client;
};

/** What was told to each person, before and after a document was blocked: the title of a notification. */
const told = (name: string, collection: DocumentCollection) => `News of ${word(collection)} for ${name}`;

beforeAll(async () => {
  const borrower = await signedIn(tenant.emails.borrower);
  const tape = await plantDocuments(tenant, borrower);
  const store = await productStore();
  const agent = await store.as(SYSTEM, async ({ em, now, query }) => {
    const { managerId } = (await em.findOneOrFail(User, { email: tenant.emails.manager })) as { managerId: string };
    /** The document of a table that belongs to others which are marked, by these columns. */
    const plant = async (collection: DocumentCollection, condition = 'true') => {
      const { table, mark } = KINDS[collection];
      const [row] = await query<{ row: Row }>(
        `select to_jsonb(t) as row from ${table} t where manager_id = $1 and ${condition} order by code desc limit 1`,
        [managerId],
      );
      expect(row, `a document of ${collection}`).toBeDefined();
      const { id } = row!.row;
      const amount = AMOUNTS[collection];
      await query(mark, [id, word(collection), ...(amount === undefined ? [] : [String(amount)])]);
      const digits = amount === undefined ? [] : [String(amount), amount.toLocaleString('en-US')];
      planted.set(collection, { row: row!.row, marks: [word(collection), ...digits] });
    };
    await plant('navs');
    const of = (collection: DocumentCollection, column: string) => `'${planted.get(collection)!.row[column]}'`;
    const investor = `investor_lp_id = ${of('navs', 'investor_lp_id')} and fund_id = ${of('navs', 'fund_id')}`;
    await plant('funds', `id = ${of('navs', 'fund_id')}`);
    await plant('LPs', `id = ${of('navs', 'investor_lp_id')}`);
    for (const one of ['LPCommitments', 'contributions', 'distributions', 'writeOffs', 'capitalAccounts'] as const)
      await plant(one, investor);
    await plant('reports');
    await plant('mainFunds');
    await plant(
      'borrowingBases',
      `tape_id = '${tape}' and contract_id in (select id from contracts
      where jsonb_array_length(body -> 'eligibilityRules') > 0)`,
    );
    await plant('contracts', `id = ${of('borrowingBases', 'contract_id')}`);
    await plant('loanTapes', `id = '${tape}'`);
    await plant('companies', `id = ${of('borrowingBases', 'company_id')}`);
    await plant(
      'assetsETLs',
      `id = (select mapping_id from contracts where id = ${of('borrowingBases', 'contract_id')})`,
    );
    await plant('draws');
    await plant('repayments');
    await plant('transactions', `id = ${of('draws', 'transaction_id')}`);
    await plant('serviceProviders');
    const entity = em.create(LegalEntity, {
      id: newId(now),
      managerId,
      name: 'Paying agent',
      formalId: '1',
      nationality: { country: 'US' },
    });
    await em.flush();
    for (const [collection, column] of [
      ['funds', 'entity_id = $2'],
      ['LPs', 'entity_id = $2'],
      ['serviceProviders', 'entity_ids = array[$2::object_id]'],
    ] as const) {
      await query(`update ${KINDS[collection].table} set ${column} where id = $1`, [idOf(collection), entity.id]);
    }
    const group = em.create(LPGroup, { id: newId(now), managerId, title: 'Pension schemes' });
    (await em.findOneOrFail(LP, { id: idOf('LPs') })).groupId = group.id;
    const news = { managerId, disableEmail: true, fileIds: [], description: 'Some' };
    em.create(Announcement, { id: newId(now), ...news, kind: 'funds', fundId: idOf('funds'), title: newsOf('funds') });
    em.create(Announcement, { id: newId(now), ...news, kind: 'LPs', lpId: idOf('LPs'), title: newsOf('LPs') });
    const companyId = idOf('companies');
    em.create(Announcement, { id: newId(now), ...news, kind: 'companies', companyId, title: newsOf('companies') });

    const role = await em.findOneOrFail(Role, { title: 'Fund manager', managerId: null });
    const add = async (name: string, exclusiveResources: string[]) => {
      const user = em.create(User, {
        id: newId(now),
        email: `hidden-${newId(now)}@tapeline.test`,
        firstName: 'Hedda',
        lastName: 'Stone',
        type: 'manager',
        assoc: { manager: { id: managerId } },
        managerId,
        roleId: role.id,
        exclusiveResources,
        isReadPrivacyAndTerms: true,
        isConfirmedUserDetails: true,
      });
      emails.set(name, user.email);
      await em.flush();
      for (const [collection, { row }] of planted) {
        em.create(Notification, {
          id: newId(now),
          userId: user.id,
          key: `planted/${collection}`,
          kind: 'callIssued',
          resource: collection,
          documentId: row.id,
          title: told(name, collection),
          description: '',
          page: '/funds',
          pageTitle: 'Open it',
          level: 'info',
          actionRequired: false,
          createdAt: now,
        });
      }
    };
    await add('everything', []);
    for (const [name, blocked] of Object.entries(BLOCKED))
      await add(
        name,
        blocked.map((collection) => `${collection}/${idOf(collection)}`),
      );
    // A company is called what its entity is called.
    for (const key of READS) await add(key, key === 'companies/read' ? [key, 'entities/read'] : [key]);
    await add('no permission to write', WRITES);
    return entity.id;
  });
  await changeAccounts(agent);
});

/** The bank details of the entity change that several parties share. */
async function changeAccounts(entity: string): Promise<void> {
  const { json: document } = await tenant.manager.get(`/crud/entities/${entity}`);
  const banks = [{ title: 'Main account', accountNumber: '0012345678', address: '1 High Street', type: 'Business' }];
  const changed = await tenant.manager.call('PUT', `/crud/entities/${entity}`, { body: { ...document, banks } });
  expect(changed.status, changed.text).toBe(200);
}

/** The addresses of all screens, and of what they load and offer to download, by the file that serves them. */
function screenPaths(entries: readonly RouteConfigEntry[], parent = ''): { path: string; file: string }[] {
  return entries.flatMap(({ path = '', file, children = [] }) => {
    const whole = path === '' ? parent : `${parent}/${path}`;
    return [{ path: whole || '/', file }, ...screenPaths(children, whole)];
  });
}

/** Calls have a screen of their own, a stream stays open, the design shows no document, a sign-in is not one. */
const NOT_OPENED = /routes\/(rest|sign-in)\/|stream|shell\/|image|preferences|account/;

/** What the parameters of an address stand for: the planted document, or another one of the tenant. */
const idsAt = new Map<string, string>();
const PARAMETERS: Readonly<Record<string, DocumentCollection>> = {
  'monitoring/tapes': 'loanTapes',
  'monitoring/mappings': 'assetsETLs',
  'monitoring/transactions': 'transactions',
  'monitoring/contracts': 'contracts',
  'monitoring/companies': 'companies',
  'monitoring/repayments': 'repayments',
  'monitoring/draws': 'draws',
  'monitoring/borrowing-bases': 'borrowingBases',
  funds: 'funds',
  'main-funds': 'mainFunds',
  investors: 'LPs',
  'capital/calls': 'contributions',
  'capital/distributions': 'distributions',
  'capital/notices': 'contributions',
  'capital/statements': 'capitalAccounts',
  'admin/service-providers': 'serviceProviders',
};
/** Documents that cannot be blocked, and are found by their table. */
const OTHERS: Readonly<Record<string, string>> = {
  'admin/users': 'users',
  'admin/roles': 'roles',
  'admin/permissions': 'permissions',
  'admin/managers': 'managers',
  'admin/entities': 'entities',
  'investors/groups': 'lp_groups',
  announcements: 'announcements',
  chats: 'chats',
  filters: 'group_filters',
  history: 'history',
  importer: 'imports',
  'importer/drafts': 'import_drafts',
  views: 'grid_views',
  tables: 'option_lists',
  proposals: 'correction_proposals',
};
const WORDS: Readonly<Record<string, readonly string[]>> = {
  ':grid': EXPORTED_GRIDS,
  ':kind': ['LPs'],
  ':format': ['xlsx'],
  ':code': ['USD'],
  ':place': ['0'],
  ':sequence': ['1'],
};
const GRID_OF: Partial<Record<ExportedGrid, DocumentCollection>> = {
  funds: 'funds',
  'main-funds': 'mainFunds',
  investors: 'LPs',
  'capital-calls': 'contributions',
  distributions: 'distributions',
  transactions: 'transactions',
  companies: 'companies',
  draws: 'draws',
  repayments: 'repayments',
  'service-providers': 'serviceProviders',
};

/** The addresses of one route, with its parameters filled in. */
function addressesOf(path: string): string[] {
  if (path === '/history/documents/:resource/:id')
    return [...planted.keys()].map((collection) => `/history/documents/${collection}/${idOf(collection)}`);
  if (path === '/search/results') return [...planted.keys()].map((collection) => `${path}?q=${word(collection)}`);
  const [, prefix = '', parameters = ''] = /^\/(.*?)(\/:.*)?$/.exec(path) ?? [];
  if (parameters === '') return [path];
  const [note] = planted.get('transactions')!.row.notes as { id: string }[];
  const filled = parameters
    .split('/')
    .slice(1)
    .reduce<string[]>(
      (made, part) => {
        const collection = PARAMETERS[prefix];
        const values =
          part === ':commitment'
            ? [idOf('LPCommitments')]
            : part === ':note'
              ? [note!.id]
              : part === ':proposal'
                ? [idsAt.get('proposals')]
                : part === ':id' || part === ':change'
                  ? [collection ? idOf(collection) : idsAt.get(prefix)]
                  : (WORDS[part] ?? [part]);
        return made.flatMap((start) =>
          values.map((value) => {
            expect(value, `a document for ${part} of ${path}`).toBeDefined();
            return `${start}/${value}`;
          }),
        );
      },
      [`/${prefix}`],
    );
  if (path !== '/views/export/:grid') return filled;
  return filled.map((address, place) => {
    const collection = GRID_OF[EXPORTED_GRIDS[place]!];
    const id = collection ? idOf(collection) : idsAt.get(`admin/${EXPORTED_GRIDS[place]}`);
    return `${address}?format=csv&id=${id}`;
  });
}

interface Shown {
  readonly what: string;
  readonly status: number;
  readonly text: string;
}
/** One thing that a person can read or send. */
interface Asked {
  readonly what: string;
  readonly ask: (client: ScreenClient) => Promise<{ readonly status: number; readonly text: string }>;
}

/** Enough to keep the product busy. */
const AT_ONCE = 4;

async function askAll(client: ScreenClient, asked: readonly Asked[]): Promise<Shown[]> {
  const shown: Shown[] = [];
  const left = [...asked];
  const work = async () => {
    for (let one = left.shift(); one; one = left.shift()) {
      const { status, text } = await one.ask(client);
      shown.push({ what: one.what, status, text });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return shown;
}

const screen = (what: string): Asked => ({
  what,
  ask: async (client) => {
    const { status, text } = await client.get(what);
    // What was searched for is not what was found.
    return { status, text: what.startsWith('/search/results') ? JSON.stringify(JSON.parse(text).groups ?? '') : text };
  },
});

const routeAt = ({ pathname, searchParams }: URL): string | null => {
  const file = (matchRoutes(addresses as never, pathname)?.at(-1)?.route as Partial<RouteConfigEntry> | undefined)
    ?.file;
  if (!file || NOT_OPENED.test(file)) return null;
  return `${file} ${searchParams.get('view') ?? ''} ${searchParams.get('tab') ?? ''} ${searchParams.has('fund') ? 'fund' : ''}`;
};

/** The screens of all routes, and those that their links lead to: one of each kind and part. */
async function allScreens(client: ScreenClient): Promise<Asked[]> {
  const routes = screenPaths(addresses as readonly RouteConfigEntry[]).filter(({ file }) => !NOT_OPENED.test(file));
  let next = [...new Set(routes.flatMap(({ path }) => addressesOf(path)))];
  const all: Asked[] = [];
  const known = new Set(next.map((address) => routeAt(new URL(address, 'http://product'))));
  while (next.length > 0) {
    const asked = next.map(screen);
    all.push(...asked);
    const found = (await askAll(client, asked)).flatMap(({ text }) =>
      [...text.matchAll(/href="(\/[^"]*)"/g)].map(
        ([, href = '']) => new URL(href.replaceAll('&amp;', '&'), 'http://product'),
      ),
    );
    next = found.flatMap((url) => {
      const route = routeAt(url);
      if (route === null || known.has(route)) return [];
      known.add(route);
      return [url.pathname + url.search];
    });
  }
  return all;
}

const COLLECTION_AT: Readonly<Record<string, DocumentCollection>> = {
  transactionDraws: 'draws',
  loanTape: 'loanTapes',
  borrowingBase: 'borrowingBases',
};

/** Every call that reads: lists, counts and figures, also as files, and the planted documents by their ids. */
function allReads(): Asked[] {
  return endpoints.flatMap(({ method, path, access, files = [] }): Asked[] => {
    if (method !== 'GET' || access === 'public' || access === 'refresh cookie') return [];
    const [, name = ''] = /^\/crud\/(\w+)/.exec(path) ?? [];
    const collection = COLLECTION_AT[name] ?? (DOCUMENT_COLLECTIONS.find((one) => one === name) as DocumentCollection);
    const id = collection ? idOf(collection) : (idsAt.get(name) ?? '0'.repeat(24));
    const { key } = planted.get('loanTapes')!.row.attachment as { key: string };
    const values: Record<string, string> = { kind: 'all', fileId: key, sheetName: 'Loan Tape', id, loanTapeId: id };
    const address = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(values[parameter]!));
    const query: Record<string, string> = path.startsWith('/LTP/analytics/') ? { loanTapeId: idOf('loanTapes') } : {};
    if (path.endsWith('/stratification')) query.field = 'creditScores.grade';
    const calls: Record<string, string>[] = [{}, ...(files.includes('text/csv') ? [{ accept: 'text/csv' }] : [])];
    return calls.map((headers) => ({
      what: `GET ${path} ${Object.values(headers).join('')}`.trim(),
      ask: ({ api }) => api.call('GET', address, { query, headers }),
    }));
  });
}

/** Writes that are refused or only checked, because they name what stands against them; and questions. */
function allWrites(): Asked[] {
  const post = (what: string, path: string, body: unknown): Asked => ({
    what,
    ask: ({ api }) => api.post(path, body),
  });
  const far = 900_000_000_000;
  const ofFund = { fund: idOf('funds'), cutOffDate: '2026-06-20' };
  const usd = (sum: number) => ({ sum, currency: 'USD' });
  const [note] = planted.get('transactions')!.row.notes as { title: string }[];
  const ofNote = { transaction: idOf('transactions'), noteTitle: note!.title, cutOffDate: '2026-10-31' };
  const draws = [{ type: 'Regular', amounts: [usd(1000)] }];
  const questions = [
    'List the funds',
    'List the investors',
    'List the companies',
    'List the commitments',
    'List the capital calls',
    'List the distributions',
    'List the draws',
    'List the transactions',
  ];
  return [
    post('a call beyond what is unfunded', '/crud/contributions', {
      ...ofFund,
      dueDate: '2026-07-15',
      callNumber: 'Far',
      amount: usd(far),
      callPurposes: [{ title: 'Far', kind: 'investments', amount: far }],
      status: 'Active',
    }),
    post('a distribution beyond what was called', '/crud/distributions', {
      ...ofFund,
      callNumber: 'Far',
      distributionKind: 'Principal Only',
      principal: usd(far),
      status: 'Active',
    }),
    post('a write-off beyond what was called', '/crud/writeOffs', [{ ...ofFund, amount: usd(far) }]),
    post('statements of investors without a NAV', '/crud/capitalAccounts', [
      { ...ofFund, cutOffDate: '2020-01-31', investor: { id: idOf('LPs'), kind: 'LP' }, status: 'Draft' },
    ]),
    post('a draw that is due after maturity', '/crud/transactionDraws', { ...ofNote, dueDate: '2149-01-01', draws }),
    post('a repayment of more than is owed', '/crud/repayments', [
      { ...ofNote, repayments: [{ kind: 'principal', amount: usd(far) }] },
    ]),
    ...questions.map(
      (text): Asked => ({
        what: `the question "${text}"`,
        ask: async ({ api }) => {
          const chat = await api.post('/crud/chats', { task: 'blank', title: 'Asked' });
          const answer = await api.call('PUT', `/crud/chats/${chat.json.id}/message`, { body: { text } });
          const page = await fetch(new URL(`/chats/${chat.json.id}`, inject('productUrl')), {
            headers: { cookie: [...api.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
          });
          return { status: answer.status, text: answer.text + (await page.text()) };
        },
      }),
    ),
  ];
}

/** Which of the marks are shown, and where. */
const foundIn = (shown: readonly Shown[], marks: readonly string[]): string[] =>
  shown.flatMap(({ what, text }) =>
    marks
      .filter((mark) => text.includes(mark))
      .map(
        (mark) => `${mark} in ${what}: ${text.slice(Math.max(0, text.indexOf(mark) - 80), text.indexOf(mark) + 40)}`,
      ),
  );
const marksOf = (collections: Iterable<DocumentCollection>): string[] =>
  [...new Set(collections)].flatMap((collection) => planted.get(collection)!.marks);

/** What a person from whom nothing is hidden can ask and is shown. */
let everything: { readonly asked: readonly Asked[]; readonly shown: readonly Shown[] };

beforeAll(async () => {
  const store = await productStore();
  await store.as(SYSTEM, async ({ query }) => {
    for (const [prefix, table] of Object.entries(OTHERS)) {
      const owner = table === 'managers' ? 'id' : table === 'permissions' ? "''" : 'manager_id';
      const [row] = await query<{ id: string }>(
        `select id from ${table} where ${owner} = $1 or $1 = '' order by id desc limit 1`,
        [table === 'permissions' ? '' : planted.get('funds')!.row.manager_id],
      );
      if (row) idsAt.set(prefix, row.id);
    }
    const { key } = planted.get('loanTapes')!.row.attachment as { key: string };
    const [file] = await query<{ id: string }>('select id from files where key = $1', [key]);
    for (const prefix of ['documents', 'download']) idsAt.set(prefix, file!.id);
  });
  const client = await clientOf('everything');
  const asked = [...allReads(), ...(await allScreens(client)), ...allWrites()];
  everything = { asked, shown: await askAll(client, asked) };
});

/** What was asked where these marks are shown to whom nothing is hidden: where they could be seen by mistake. */
const whereShown = (marks: readonly string[]): Asked[] => {
  const places = new Set(
    everything.shown.filter(({ text }) => marks.some((mark) => text.includes(mark))).map(({ what }) => what),
  );
  return everything.asked.filter(({ what }) => places.has(what));
};

const failures = (shown: readonly Shown[]): string[] =>
  shown.filter(({ status }) => status >= 500).map(({ what, status, text }) => `${what}: ${status} ${text}`);

it('a person from whom nothing is hidden is shown every planted document, and no answer fails', () => {
  expect(failures(everything.shown)).toEqual([]);
  expect(foundIn(everything.shown, [PARTIAL])).toEqual([]);
  const rarely = DOCUMENT_COLLECTIONS.filter((one) => foundIn(everything.shown, marksOf([one])).length < 3);
  expect(rarely).toEqual([]);
  expect(foundIn(everything.shown, (['funds', 'LPs', 'companies'] as const).map(newsOf)).length).toBeGreaterThan(5);
});

const PARTIAL = 'Figures cover the documents that you can see';

describe('a blocked document, and what belongs to it, is shown nowhere', () => {
  it.each(Object.entries(BLOCKED))('%s', async (name, blocked) => {
    const marks = [...marksOf(hiddenWith(blocked)), ...blocked.map(newsOf)];
    const shown = await askAll(await clientOf(name), whereShown(marks));
    expect(shown.length).toBeGreaterThan(50);
    // A total of less than everything says so.
    const partial = shown.filter(({ text }) => text.includes(PARTIAL));
    expect(partial.length).toBeGreaterThan(20);
    expect(failures(shown)).toEqual([]);
    expect(foundIn(shown, marks)).toEqual([]);
  });
});

/**
 * A call names its fund and its investor, a base its tape: whoever reads one is shown these names. They are looked for
 * where documents are listed as documents, and at their own addresses.
 */
const NAMED: readonly DocumentCollection[] = [
  'companies',
  'funds',
  'mainFunds',
  'LPs',
  'LPCommitments',
  'transactions',
  'assetsETLs',
  'loanTapes',
];
const LISTING =
  /^(\/admin\/entities|\/notifications|\/filters|\/chats|the question|GET \/crud\/(notifications|groupFilters|history))/;
/** The form of a call or a commitment names its fund. */
const FORM_OF_PART = /\/commitments\/new$|^\/capital\/(calls|distributions)\/new/;
/** What a fund or a facility comes to is a figure of its own, although it may follow from one document. */
const FIGURES =
  /^(\/|\/monitoring|\/monitoring\/transactions\/\w+|GET \/crud\/transactions\/notes\/utilization|a (distribution|write-off) beyond .*)$/;

describe('without the permission to read a collection', () => {
  it.each(READS)('%s: its calls are refused, and its documents are shown nowhere', async (key) => {
    const client = await clientOf(key);
    for (const { method, path } of endpoints.filter(({ access }) => access === key)) {
      const address = path.replaceAll(/\{\w+\}/g, '0'.repeat(24));
      const { status } = await client.api.call(method, address, method === 'GET' ? {} : { body: {} });
      expect([method, path, status]).toEqual([method, path, 403]);
    }
    const hidden = DOCUMENT_COLLECTIONS.filter((collection) => HISTORY_COLLECTIONS[collection]!.read === key);
    const named = hidden.filter((collection) => NAMED.includes(collection));
    const own = hidden.filter((collection) => !NAMED.includes(collection));
    const isOwn = (what: string) =>
      named.some((collection) => idOf(collection) === what.match(/[0-9a-f]{24}/g)?.at(-1)) && !FORM_OF_PART.test(what);
    const lists = whereShown(marksOf(named)).filter(({ what }) => LISTING.test(what) || isOwn(what));
    const shown = await askAll(client, lists);
    const all = await askAll(client, whereShown(marksOf(own)));
    expect(failures([...shown, ...all])).toEqual([]);
    expect(foundIn(shown, marksOf(named))).toEqual([]);
    expect(foundIn(all, own.map(word))).toEqual([]);
    expect(
      foundIn(
        all.filter(({ what }) => !FIGURES.test(what)),
        marksOf(own),
      ),
    ).toEqual([]);
  });
});

it('without the permission to write a collection, its calls are refused', async () => {
  const client = await clientOf('no permission to write');
  for (const { method, path, access } of endpoints) {
    if (!access.endsWith('/write')) continue;
    const address = path.replaceAll(/\{\w+\}/g, '0'.repeat(24));
    const { status } = await client.api.call(method, address, method === 'GET' ? {} : { body: {} });
    expect([method, path, status]).toEqual([method, path, 403]);
  }
});

it('an email or a notification names nothing that is hidden from its reader', async () => {
  const store = await productStore();
  const messages = await store.as(SYSTEM, ({ query }) =>
    query<{ email: string; text: string }>(
      `select u.email, o.subject || o.text as text from outbox o join users u on u.id = o.user_id where u.email = any ($1)`,
      [[...emails.values()]],
    ),
  );
  const sentTo = (name: string): Shown[] =>
    messages
      .filter(({ email }) => email === emails.get(name))
      .map(({ text }) => ({ what: 'an email', status: 200, text }));
  const parties = (['LPs', 'funds', 'serviceProviders'] as const).map(word);
  expect(foundIn(sentTo('everything'), parties)).toHaveLength(parties.length);
  for (const [name, blocked] of Object.entries(BLOCKED))
    expect(foundIn(sentTo(name), marksOf(hiddenWith(blocked))), name).toEqual([]);
  for (const key of READS) {
    const hidden = DOCUMENT_COLLECTIONS.filter((collection) => HISTORY_COLLECTIONS[collection]!.read === key);
    expect(foundIn(sentTo(key), marksOf(hidden)), key).toEqual([]);
  }
});
