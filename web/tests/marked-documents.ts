import { STORED, tableOf as tableOfStored } from '@tapeline/db/collections/collections.ts';
import { Announcement } from '@tapeline/db/entities/announcements.ts';
import { LP, LPGroup, User } from '@tapeline/db/entities/people.ts';
import { LegalEntity } from '@tapeline/db/entities/register.ts';
import { newId } from '@tapeline/db/ids.ts';
import { recheckDraw } from '@tapeline/db/operations/draws/recheck-draws.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { DOCUMENT_COLLECTIONS, type DocumentCollection } from '@tapeline/domain/people/access.ts';
import { expect } from 'vitest';
import { signedIn } from './api-client.ts';
import { plantDocuments } from './planted-documents.ts';
import { productStore } from './product-store.ts';
import type { Tenant } from './tenant.ts';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
interface Planted {
  readonly row: Row;
  readonly marks: readonly string[];
}

/**
 * One document of each collection with a word in its texts and digits in its amounts that occur nowhere else: where they
 * are shown, the document is.
 */
export class MarkedDocuments {
  readonly planted = new Map<DocumentCollection, Planted>();
  /** The ids of documents that cannot be blocked, by the address of their page. */
  readonly others = new Map<string, string>();
  /** The entity that the marked fund, investor and service provider share. */
  entity = '';

  rowOf = (collection: DocumentCollection): Row => this.planted.get(collection)!.row;
  idOf = (collection: DocumentCollection): string => this.rowOf(collection).id;
  /** The id in the addresses of its pages: those of a call or distribution are of its header, with all its lines. */
  pageIdOf = (collection: DocumentCollection): string =>
    (this.rowOf(collection).activity_id as string | undefined) ?? this.idOf(collection);
  get managerId(): string {
    return this.rowOf('funds').manager_id as string;
  }
  /** The note that the marked facility, draw and repayment are about. */
  get note(): { readonly id: string; readonly title: string } {
    return (this.rowOf('transactions').notes as { id: string; title: string }[])[0]!;
  }
  get tapeFile(): { readonly key: string } {
    return this.rowOf('loanTapes').attachment as { key: string };
  }

  marksOf = (collections: Iterable<DocumentCollection>): string[] =>
    [...new Set(collections)].flatMap((collection) => this.planted.get(collection)!.marks);

  /** The collections whose marked document is hidden with these. */
  hiddenWith(blocked: readonly DocumentCollection[]): DocumentCollection[] {
    const hidden = new Set(blocked);
    for (let size = 0; size < hidden.size; ) {
      size = hidden.size;
      for (const collection of DOCUMENT_COLLECTIONS) {
        const owners = Object.entries(KINDS[collection]?.of ?? {});
        const isOf = ([column, owner]: [string, DocumentCollection]) =>
          hidden.has(owner) && this.rowOf(collection)[column] === this.idOf(owner);
        if (owners.some(isOf)) hidden.add(collection);
      }
    }
    return [...hidden];
  }
}

export const word = (collection: DocumentCollection): string => `Zq${collection.toLowerCase()}zq`;

/** The title of an announcement to those who have a document: it is hidden with the document. */
export const newsOf = (collection: DocumentCollection): string => `News${collection.toLowerCase()}zq`;

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
  invoices: 1_873_582,
};

interface Kind {
  /** SQL that marks the document, if not its title: `$1` is its id, `$2` the word and `$3` the amount. */
  readonly mark?: string;
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

const KINDS: Readonly<Partial<Record<DocumentCollection, Kind>>> = {
  companies: {
    mark: `update entities set name = $2 where id = (select entity_id from companies where id = $1)`,
  },
  funds: {
    mark: `update funds set title = $2, target_size = $3::text::numeric, hard_cap = $3::text::numeric where id = $1`,
  },
  mainFunds: {
    mark: `update main_funds set title = $2, target_size = $3::text::numeric, hard_cap = $3::text::numeric where id = $1`,
  },
  LPCommitments: {
    mark: `update lp_commitments set max_commitment = $3::text::numeric, active_commitment = $3::text::numeric where id = $1 and $2 <> ''`,
    of: { fund_id: 'funds', investor_lp_id: 'LPs' },
  },
  contributions: {
    mark: `${HEADED('capital_calls', 'contributions', ', due_date')}
      update contributions set call_number = $2, trailing_description = $2, activity_id = (select id from header),
      purposes = jsonb_build_array(jsonb_build_object('title', $2::text, 'kind', 'investments', 'amount', $3::text)) where id = $1`,
    of: OF_COMMITMENT,
  },
  distributions: {
    mark: `${HEADED('distribution_events', 'distributions')}
      update distributions set call_number = $2, trailing_description = $2, activity_id = (select id from header),
      principal = $3::text::numeric where id = $1`,
    of: OF_COMMITMENT,
  },
  navs: {
    mark: `update navs set gross = $3::text::numeric, net = $3::text::numeric where id = $1 and $2 <> ''`,
    of: OF_COMMITMENT,
  },
  writeOffs: {
    mark: `update write_offs set amount = $3::text::numeric where id = $1 and $2 <> ''`,
    of: OF_COMMITMENT,
  },
  capitalAccounts: {
    mark: `update capital_accounts set removal_reason = $2 where id = $1`,
    of: { fund_id: 'funds', investor_lp_id: 'LPs' },
  },
  reports: {
    mark: `update files set name = $2 where id = (select file_id from reports where id = $1)`,
    of: { fund_id: 'funds' },
  },
  transactions: { of: OF_COMPANY },
  contracts: {
    mark: `update contracts set body = jsonb_set(body, '{eligibilityRules,0,title}', to_jsonb($2::text)) where id = $1`,
    of: OF_FACILITY,
  },
  assetsETLs: {
    mark: 'update mappings set loan_tape_sheet_name = $2 where id = $1',
    of: OF_COMPANY,
  },
  loanTapes: {
    // The sheet is then named by the tape, not by the mapping, whose sheet is marked.
    // With what was said of a loan that left it.
    mark: `with said as (
        insert into departures (id, manager_id, company_id, tape_id, kind, asset_ids, reason, entered_by, entered_at)
        select left(md5('departure' || $1), 24), manager_id, company_id, id, 'sold', array[$2::text], $2,
          '{"id": "nobody", "name": "Ada King"}', now() from loan_tapes where id = $1)
      update loan_tapes set attachment = jsonb_set(attachment, '{name}', to_jsonb($2::text)), sheet_name = 'Loan Tape' where id = $1`,
    of: OF_COMPANY,
  },
  borrowingBases: {
    // With an adjustment that waits and a draft of the borrower's certificate, whose texts and amounts are marked.
    mark: `with adjusted as (
        insert into base_adjustments (id, manager_id, company_id, tape_id, contract_id, transaction_id, amount, currency, reason, entered_by, entered_at)
        select left(md5($1), 24), manager_id, company_id, tape_id, contract_id, transaction_id, $3::text::numeric, currency, $2,
          '{"id": "nobody", "name": "Ada King"}', now() from borrowing_bases where id = $1),
        certified as (
        insert into certifications (id, manager_id, company_id, tape_id, contract_id, transaction_id, note_id, base_id, number, lines)
        select left(md5('certificate' || $1), 24), manager_id, company_id, tape_id, contract_id, transaction_id, note_id, id, 50,
          jsonb_build_array(jsonb_build_object('label', $2::text, 'amount', $3::text, 'line', null)) from borrowing_bases where id = $1)
      update borrowing_bases set net_bb = $3::text::numeric, first_bb = $3::text::numeric where id = $1`,
    of: { ...OF_FACILITY, contract_id: 'contracts', tape_id: 'loanTapes' },
  },
  draws: {
    mark: `update draws set description = $2, value_in_usd = $3::text::numeric, amount_in_main_currency = ${money('$3::text')},
      draws = jsonb_build_array(jsonb_build_object('type', 'Regular', 'valueInUSD', $3::text,
        'amounts', jsonb_build_array(${money('$3::text')}), 'amountInMainCurrency', ${money('$3::text')})) where id = $1`,
    of: OF_FACILITY,
  },
  repayments: {
    mark: `update repayments set repayments = jsonb_build_array(jsonb_build_object('kind', 'interest',
      'amount', ${money('$3::text')})) where id = $1 and $2 <> ''`,
    of: OF_FACILITY,
  },
  // An issued invoice does not change any more.
  invoices: {
    mark: `update invoices set description = $2, status = 'Active', issued_on = period_to,
      lines = jsonb_set(lines, '{0,amount}', to_jsonb($3::text)) where id = $1`,
    of: OF_FACILITY,
  },
};

const tableOf = (collection: DocumentCollection): string => tableOfStored(STORED[collection]);

/** SQL that marks a document: its title, if nothing else is said. */
function markOf(collection: DocumentCollection): string {
  const title = STORED[collection].title.replace(/^t\./, '');
  return KINDS[collection]?.mark ?? `update ${tableOf(collection)} set ${title} = $2 where id = $1`;
}

/** Plants and marks the documents in the tenant. */
export async function markDocuments(tenant: Tenant): Promise<MarkedDocuments> {
  const marked = new MarkedDocuments();
  const { planted, idOf } = marked;
  const borrower = await signedIn(tenant.emails.borrower);
  const tape = await plantDocuments(tenant, borrower);
  const store = await productStore();
  await store.as(SYSTEM, async (session) => {
    const { em, now, query } = session;
    const { managerId } = (await em.findOneOrFail(User, { email: tenant.emails.manager })) as { managerId: string };
    /** The document of a table that belongs to others which are marked, by these columns. */
    const plant = async (collection: DocumentCollection, condition = 'true') => {
      const [row] = await query<{ row: Row }>(
        `select to_jsonb(t) as row from ${tableOf(collection)} t where manager_id = $1 and ${condition} order by code desc limit 1`,
        [managerId],
      );
      expect(row, `a document of ${collection}`).toBeDefined();
      const { id } = row!.row;
      const amount = AMOUNTS[collection];
      await query(markOf(collection), [id, word(collection), ...(amount === undefined ? [] : [String(amount)])]);
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
    await plant('transactions', `id = ${of('draws', 'transaction_id')}`);
    for (const collection of DOCUMENT_COLLECTIONS) if (!planted.has(collection)) await plant(collection);
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
      await query(`update ${tableOf(collection)} set ${column} where id = $1`, [idOf(collection), entity.id]);
    }
    const group = em.create(LPGroup, { id: newId(now), managerId, title: 'Pension schemes' });
    (await em.findOneOrFail(LP, { id: idOf('LPs') })).groupId = group.id;
    const news = { managerId, disableEmail: true, fileIds: [], description: 'Some' };
    em.create(Announcement, { id: newId(now), ...news, kind: 'funds', fundId: idOf('funds'), title: newsOf('funds') });
    em.create(Announcement, { id: newId(now), ...news, kind: 'LPs', lpId: idOf('LPs'), title: newsOf('LPs') });
    const companyId = idOf('companies');
    em.create(Announcement, { id: newId(now), ...news, kind: 'companies', companyId, title: newsOf('companies') });
    await em.flush();
    // As its job would check it once it is sent again: what a test reads stays the latest version.
    em.clear();
    await recheckDraw(session, {
      drawId: idOf('draws'),
      version: Number(marked.rowOf('draws').version),
      stage: 'change',
    });
    for (const [collection, { row, marks }] of planted) {
      const [stored] = await query<{ row: Row }>(
        `select to_jsonb(t) as row from ${tableOf(collection)} t where id = $1`,
        [row.id],
      );
      planted.set(collection, { row: stored!.row, marks });
    }
    for (const [address, table] of Object.entries(OTHERS)) {
      const owner = table === 'managers' ? 'id' : table === 'permissions' ? "''" : 'manager_id';
      const [row] = await query<{ id: string }>(
        `select id from ${table} where ${owner} = $1 or $1 = '' order by id desc limit 1`,
        [table === 'permissions' ? '' : managerId],
      );
      if (row) marked.others.set(address, row.id);
    }
    const [file] = await query<{ id: string }>('select id from files where key = $1', [marked.tapeFile.key]);
    for (const address of ['documents', 'download']) marked.others.set(address, file!.id);
    marked.entity = entity.id;
  });
  return marked;
}

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
  'monitoring/duplicates': 'duplicate_pairs',
  'monitoring/amendments': 'amendments',
  'monitoring/scenarios': 'scenarios',
  'monitoring/covenants': 'covenants',
  'monitoring/facility-figures': 'facility_figures',
  'monitoring/deliverables': 'deliverables',
  'cash/match': 'payments',
  'cash/payments': 'payments',
  'cash/accounts': 'bank_accounts',
  'cash/statements': 'bank_statements',
  'cash/runs': 'payment_runs',
};
