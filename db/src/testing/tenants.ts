import { NORTHWIND_MAPPING, northwindFacility } from '@tapeline/demonstration/facilities.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { emptyDraft } from '@tapeline/domain/importer/draft.ts';
import { principalLine } from '@tapeline/domain/invoices/invoice-lines.ts';
import { DEFAULT_WATERFALL } from '@tapeline/domain/invoices/labels.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { Activity, Announcement } from '../entities/announcements.ts';
import { CapitalAccount, Contribution, Distribution, Nav, Report, WriteOff } from '../entities/capital.ts';
import { Chat, GridView, GroupFilter } from '../entities/chats.ts';
import { Draw, Repayment } from '../entities/draws.ts';
import { Fund, LPCommitment, MainFund } from '../entities/funds.ts';
import { ImportDraft } from '../entities/import-drafts.ts';
import { ImportName } from '../entities/import-names.ts';
import { Import } from '../entities/imports.ts';
import { Invoice } from '../entities/invoices.ts';
import { OptionList } from '../entities/lists.ts';
import { Notification, NotificationSetting } from '../entities/notification.ts';
import { Company, LP, LPGroup, Manager, Role, User } from '../entities/people.ts';
import { StoredFile } from '../entities/records.ts';
import { ServiceProvider } from '../entities/service-providers.ts';
import { CorrectionProposal } from '../entities/tapes.ts';
import { newId } from '../ids.ts';
import { createMapping } from '../operations/mappings/mappings.ts';
import { addAssetIds } from '../operations/search/asset-ids.ts';
import { createTransaction } from '../operations/transactions/transactions.ts';
import type { Session } from '../store.ts';
import { addCalculatedTape } from './calculated-tape.ts';
import { addEntity } from './entities.ts';

/** The ids of a tenant with its companies and investors, two of each unless asked otherwise, and a row in every table that belongs to a tenant. */
export interface TestTenant {
  managerId: string;
  companies: { id: string; userId: string; tapeId: string }[];
  lpIds: string[];
  fundId: string;
}

/** Ends the sign-ins and accounts of a tenant, so that nobody meets it any more. */
export async function endTenant({ query }: Session, managerId: string): Promise<void> {
  await query('delete from refresh_tokens where user_id in (select id from users where manager_id = $1)', [managerId]);
  await query(`update users set status = 'Removed' where manager_id = $1`, [managerId]);
  await query(`update managers set status = 'Removed' where id = $1`, [managerId]);
}

async function makeCompany(session: Session, managerId: string, fundId: string) {
  const { em, now } = session;
  const company = em.create(Company, { id: newId(now), managerId, entityId: addEntity(em, managerId, 'A company') });
  const assoc = { company: { id: company.id } };
  const person = { firstName: 'Bea', lastName: 'Lind', email: `${company.id}@example.test` };
  const userId = newId(now);
  em.create(User, { id: userId, ...person, type: 'company', assoc, managerId, companyId: company.id });
  em.create(Chat, { id: newId(now), managerId, userId, title: 'Late loans', tasks: [{ type: 'blank', messages: [] }] });
  const readAt = { firstReadAt: now, lastReadAt: now };
  em.create(Activity, {
    id: newId(now),
    managerId,
    userId,
    resource: 'announcements',
    documentId: newId(now),
    ...readAt,
  });
  em.create(GroupFilter, { id: newId(now), managerId, userId, title: 'One fund', fundIds: [fundId], investorIds: [] });
  em.create(Import, {
    id: newId(now),
    managerId,
    userId,
    kind: 'LPs',
    recordStatus: 'Active',
    attachments: [
      { bucket: 'importerFiles', key: 'x/lps.csv', name: 'lps.csv', size: 1, type: 'text/csv', checksum: null },
    ],
    rows: [],
    totalCount: 0,
    failure: null,
    finishedAt: null,
  });
  em.create(ImportDraft, {
    id: newId(now),
    managerId,
    userId,
    content: emptyDraft('funds', 'Active'),
    importId: null,
    version: 1,
    createdAt: now,
    changedAt: now,
  });
  const view = { managerId, userId, grid: 'draws', search: '', isShared: false, isDefault: false } as const;
  em.create(GridView, { id: newId(now), ...view, title: 'Late draws' });
  await em.flush();
  const mapping = await createMapping(session, { companyId: company.id, body: parseMapping(NORTHWIND_MAPPING) });
  const facility = northwindFacility({ company: company.id, mapping: mapping.id, fund: fundId });
  const transaction = await createTransaction(session, transactionSchema.parse(facility));
  const { tape, generationId } = await addCalculatedTape(session, {
    managerId,
    companyId: company.id,
    contractId: transaction.notes[0]!.contracts[0]!.id!,
  });
  await addAssetIds(session, { tapeId: tape.id, ids: ['L-1'] });
  em.create(NotificationSetting, { userId, channels: { tapeLate: 'digest' }, digestHour: 7, changedAt: now });
  em.create(Notification, {
    id: newId(now),
    userId,
    key: `tape-late/${tape.id}`,
    kind: 'tapeLate',
    resource: 'loanTapes',
    documentId: tape.id,
    title: 'A tape is late',
    description: '',
    page: '/monitoring/tapes',
    pageTitle: 'Open the tapes',
    level: 'warning',
    actionRequired: true,
    createdAt: now,
  });
  em.create(CorrectionProposal, {
    id: newId(now),
    managerId,
    companyId: company.id,
    tapeId: tape.id,
    generationId,
    rowNumbers: [2],
    correctedRows: [{ row: 2, cells: { Balance: { before: 'x', after: 1 } }, reasons: 'Balance: "x" is not a number' }],
  });
  const ofNote = {
    managerId,
    companyId: company.id,
    transactionId: transaction.id,
    noteId: transaction.notes[0]!.id,
    cutOffDate: '2026-10-31',
    valueInUsd: '10',
    amountInMainCurrency: { sum: '10', currency: 'USD' },
  };
  const amount = { sum: '10', currency: 'USD' };
  em.create(Draw, {
    id: newId(now),
    ...ofNote,
    dueDate: '2026-11-05',
    draws: [{ type: 'Regular', amounts: [amount], valueInUSD: '10', amountInMainCurrency: amount }],
  });
  em.create(Repayment, { id: newId(now), ...ofNote, repayments: [{ kind: 'principal', amount }] });
  em.create(Invoice, {
    id: newId(now),
    managerId,
    companyId: company.id,
    transactionId: transaction.id,
    noteId: ofNote.noteId,
    currency: 'USD',
    periodFrom: '2026-10-01',
    periodTo: '2026-11-01',
    dueDate: '2026-12-01',
    lines: [principalLine('10')],
    waterfall: [...DEFAULT_WATERFALL],
  });
  return { id: company.id, userId, tapeId: tape.id };
}

/** Creates a manager that has nothing but its entity. @returns its id */
export async function makeManager({ em, now }: Session): Promise<string> {
  const id = newId(now);
  em.create(Manager, { id, entityId: addEntity(em, id, 'A manager') });
  await em.flush();
  return id;
}

/**
 * Creates a tenant whose rows can be told from those of another.
 * @param options.each how many companies and investors it has, with what belongs to each
 */
export async function makeTenant(session: Session, { each = 2 } = {}): Promise<TestTenant> {
  const { em, now } = session;
  const managerId = await makeManager(session);
  em.create(ServiceProvider, { id: newId(now), managerId, title: 'Auditors', type: 'Auditor', entityIds: [] });
  em.create(OptionList, { id: newId(now), managerId, name: 'Base rates', values: [] });
  em.create(Role, { id: newId(now), managerId, title: 'Their own', level: 9, permissions: [] });
  const mainFund = em.create(MainFund, {
    id: newId(now),
    managerId,
    title: 'A main fund',
    type: 'SMA',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: '1',
    hardCap: '1',
  });
  const fund = em.create(Fund, {
    id: newId(now),
    managerId,
    title: 'A fund',
    type: 'SMA',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: '1',
    hardCap: '1',
    mainFundId: mainFund.id,
  });
  em.create(ImportName, { id: newId(now), managerId, name: 'the fund', fundId: fund.id });
  const lpIds: string[] = [];
  const file = em.create(StoredFile, {
    id: newId(now),
    bucket: 'fundReports',
    key: newId(now),
    name: 'Report.pdf',
    size: 1,
    type: 'application/pdf',
    checksum: 'none',
    status: 'Active',
    managerId,
    createdAt: now,
  });
  em.create(Report, {
    id: newId(now),
    managerId,
    fundId: fund.id,
    status: 'Active',
    cutOffDate: '2026-03-31',
    fileId: file.id,
  });
  for (const [table, days] of [
    ['capital_calls (cut_off_date, due_date, ', `'2026-03-31', '2026-04-15'`],
    ['distribution_events (cut_off_date, ', `'2026-04-15'`],
  ]) {
    await session.query(
      `insert into ${table} id, manager_id, fund_id, currency, number) values (${days}, $1, $2, $1, 'USD', '1')`,
      [fund.id, managerId],
    );
  }
  const group = em.create(LPGroup, { id: newId(now), managerId, title: 'A group' });
  for (const title of ['Investor one', 'Investor two'].slice(0, each)) {
    const lp = em.create(LP, {
      id: newId(now),
      managerId,
      title,
      groupId: group.id,
      entityId: addEntity(em, managerId, title),
    });
    const ofInvestor = {
      managerId,
      fundId: fund.id,
      investorKind: 'LP',
      investorLPId: lp.id,
      currency: 'USD',
    } as const;
    const commitment = em.create(LPCommitment, {
      id: newId(now),
      ...ofInvestor,
      closingDate: '2026-01-31',
      maxCommitment: '10',
      activeCommitment: '10',
    });
    const ofCommitment = { ...ofInvestor, commitmentId: commitment.id, cutOffDate: '2026-03-31' };
    const issued = {
      status: 'Active',
      callNumber: '1',
      // The tests find the call and the distribution by the id of the fund.
      activityId: fund.id,
    } as const;
    em.create(Contribution, {
      id: newId(now),
      ...ofCommitment,
      ...issued,
      dueDate: '2026-04-15',
      purposes: [{ title: 'Investments', kind: 'investments', amount: '2' }],
      pdfOptions: { fundLevel: false },
    });
    em.create(Distribution, {
      id: newId(now),
      ...ofCommitment,
      ...issued,
      // Once the call is due.
      cutOffDate: '2026-04-15',
      distributionKind: 'Principal Only',
      principal: '1',
      pdfOptions: { operationalExpenses: false, fundLevel: false, capitalGains: false, recallableDistribution: false },
    });
    em.create(Nav, { id: newId(now), ...ofCommitment, gross: '2', net: '1' });
    em.create(WriteOff, { id: newId(now), ...ofCommitment, cutOffDate: '2026-04-15', amount: '1' });
    em.create(CapitalAccount, {
      id: newId(now),
      ...ofInvestor,
      status: 'Active',
      cutOffDate: '2026-03-31',
      fileId: file.id,
    });
    lpIds.push(lp.id);
  }
  await em.flush();
  const nothing = { capital: '0', interest: '0' };
  const figures = { lines: [], positions: [], paidIn: nothing, returned: nothing, toManager: nothing, difference: '0' };
  await session.query(
    `insert into closings (id, manager_id, fund_id, currency, title, closing_date, due_date, commitment_ids, terms, figures, created)
     select f.id, f.manager_id, f.id, 'USD', 'A closing', '2026-01-31', '2026-01-31',
       array(select c.id from lp_commitments c where c.fund_id = f.id), $2, $3, '{}' from funds f where f.id = $1`,
    [
      fund.id,
      JSON.stringify({
        ratePercent: 8,
        dayCount: 'ACT/365F',
        compounding: 'simple',
        feeInterestTo: 'manager',
        feesFromFirstClosing: true,
        recallable: true,
      }),
      JSON.stringify({ ...figures, isEqualized: true, isRecallable: true, commitments: { before: '20', after: '20' } }),
    ],
  );
  const companies: TestTenant['companies'] = [];
  while (companies.length < each) companies.push(await makeCompany(session, managerId, fund.id));
  const told = { managerId, title: 'News', description: 'Some', disableEmail: true, fileIds: [] };
  em.create(Announcement, { id: newId(now), ...told, kind: 'all' });
  em.create(Announcement, { id: newId(now), ...told, kind: 'funds', fundId: fund.id });
  em.create(Announcement, { id: newId(now), ...told, kind: 'LPs', lpId: lpIds.at(-1)! });
  em.create(Announcement, { id: newId(now), ...told, kind: 'companies', companyId: companies.at(-1)!.id });
  await em.flush();
  return { managerId, companies, lpIds, fundId: fund.id };
}
