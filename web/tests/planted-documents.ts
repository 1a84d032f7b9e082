import { AccountRequest } from '@tapeline/db/entities/account-requests.ts';
import { Amendment } from '@tapeline/db/entities/amendments.ts';
import { DeliveredFile } from '@tapeline/db/entities/bank-statements.ts';
import { Closing, Distribution, Transfer } from '@tapeline/db/entities/capital.ts';
import { BankAccount } from '@tapeline/db/entities/cash.ts';
import { Certification } from '@tapeline/db/entities/certifications.ts';
import { GridView } from '@tapeline/db/entities/chats.ts';
import { Covenant, CovenantResult, CovenantWaiver, FacilityFigure } from '@tapeline/db/entities/covenants.ts';
import { Deliverable, DeliverableItem } from '@tapeline/db/entities/deliverables.ts';
import { Draw, Repayment } from '@tapeline/db/entities/draws.ts';
import { DuplicatePair, DuplicateSearch } from '@tapeline/db/entities/duplicates.ts';
import { LPCommitment } from '@tapeline/db/entities/funds.ts';
import { ImportDraft } from '@tapeline/db/entities/import-drafts.ts';
import { ImportName } from '@tapeline/db/entities/import-names.ts';
import { Import } from '@tapeline/db/entities/imports.ts';
import { Invoice } from '@tapeline/db/entities/invoices.ts';
import { BaseAdjustment, BorrowingBase, Transaction } from '@tapeline/db/entities/lending.ts';
import { Notification } from '@tapeline/db/entities/notification.ts';
import { PaymentRun, PaymentRunLine } from '@tapeline/db/entities/payment-runs.ts';
import { LP, Role, User } from '@tapeline/db/entities/people.ts';
import { Scenario } from '@tapeline/db/entities/scenarios.ts';
import { Departure, LoanTape } from '@tapeline/db/entities/tapes.ts';
import { newId } from '@tapeline/db/ids.ts';
import { type Session, SYSTEM } from '@tapeline/db/store.ts';
import { equalizationTermsSchema } from '@tapeline/domain/closings/equalization-terms.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { emptyDraft } from '@tapeline/domain/importer/draft.ts';
import { principalLine } from '@tapeline/domain/invoices/invoice-lines.ts';
import { DEFAULT_WATERFALL } from '@tapeline/domain/invoices/labels.ts';
import { expect, inject, vi } from 'vitest';
import type { ApiClient } from './api-client.ts';
import { productStore } from './product-store.ts';
import type { Tenant } from './tenant.ts';
import { createTwoNotes } from './two-notes.ts';

/**
 * Creates what the seed of a tenant lacks, so that every table that belongs to a tenant has a row of it.
 * @returns the id of the published tape
 */
export async function plantDocuments(tenant: Tenant, borrower: ApiClient): Promise<string> {
  const notes = await createTwoNotes(tenant.manager);
  const { tapes } = notes;
  const wrong = tapes.loan({ 'Loan ID': 'L-9', 'Principal Balance': 'see note' });
  const withErrors = await tapes.publish([tapes.loan({ 'Loan ID': 'L-8' }), wrong], { cutOffDate: '2017-02-28' });
  const proposal = await borrower.post('/LTP/assets/errored', {
    loanTapeId: withErrors,
    assets: [{ rowNumber: 3, originData: { 'Principal Balance': 7 } }],
  });
  expect(proposal.status, proposal.text).toBe(201);
  const provider = await tenant.manager.post('/crud/serviceProviders', { title: 'Auditors', type: 'Auditor' });
  expect(provider.status, provider.text).toBe(201);
  const mainFund = await tenant.manager.post('/crud/mainFunds', {
    title: 'Harbour funds',
    type: 'ComingleFund',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: 1,
    hardCap: 2,
  });
  expect(mainFund.status, mainFund.text).toBe(201);
  await plantCapital(tenant);
  const chat = await tenant.manager.post('/crud/chats', { task: 'blank', title: 'Private' });
  expect(chat.status, chat.text).toBe(201);
  const news = { resource: { kind: 'all' }, title: 'News', description: 'The fund has closed' };
  const announcement = await tenant.manager.post('/crud/announcements', news);
  expect(announcement.status, announcement.text).toBe(201);
  const opened = await tenant.manager.get(`/crud/announcements/details/all/${announcement.json.id}`);
  expect(opened.status, opened.text).toBe(200);
  const [fund] = (await tenant.manager.get('/crud/funds', { limit: 1 })).json;
  const filter = await tenant.manager.post('/crud/groupFilters', { title: 'Private', filters: { funds: [fund.id] } });
  expect(filter.status, filter.text).toBe(201);
  const store = await productStore();
  await bookSearched(tenant);
  await store.as(SYSTEM, async ({ em, now }) => {
    const { id: userId, managerId } = await em.findOneOrFail(User, { email: tenant.emails.manager });
    em.create(Notification, {
      id: newId(now),
      userId,
      key: 'planted',
      kind: 'tapeLate',
      resource: 'companies',
      documentId: newId(now),
      title: 'A tape is late',
      description: '',
      page: '/monitoring/tapes',
      pageTitle: 'Open the tapes',
      level: 'warning',
      actionRequired: true,
      createdAt: now,
    });
    const paid = await em.findOneOrFail(LP, { managerId: managerId as string });
    em.create(AccountRequest, {
      id: newId(now),
      managerId: managerId as string,
      investorLPId: paid.id,
      currency: 'CHF',
      bank: { title: 'Private account', accountNumber: '000123457714', address: '1 High Street', type: 'Business' },
      comment: 'Private',
      requestedBy: { id: newId(now), name: 'Vikram Rao' },
      requestedAt: now,
    });
    const certificate = await em.findOneOrFail(BorrowingBase, { id: notes.bases.Senior ?? '' });
    em.create(BaseAdjustment, {
      id: newId(now),
      ...pick(certificate, 'managerId', 'companyId', 'tapeId', 'contractId', 'transactionId', 'currency'),
      amount: '1',
      reason: 'Private',
      enteredBy: { id: newId(now), name: 'Vikram Rao' },
      enteredAt: now,
    });
    em.create(Departure, {
      id: newId(now),
      ...pick(certificate, 'managerId', 'companyId', 'tapeId'),
      kind: 'sold',
      assetIds: ['Private'],
      reason: 'Private',
      enteredBy: { id: newId(now), name: 'Vikram Rao' },
      enteredAt: now,
    });
    em.create(Scenario, {
      id: newId(now),
      ...pick(certificate, 'managerId', 'companyId', 'tapeId', 'contractId', 'transactionId', 'noteId'),
      title: 'Private scenario',
      changes: [{ kind: 'rate', rule: -1, ratePercent: 70 }],
    });
    const certified = await em.findOneOrFail(BorrowingBase, { id: notes.bases.Mezzanine ?? '' });
    em.create(Certification, {
      id: newId(now),
      ...pick(certified, 'managerId', 'companyId', 'tapeId', 'contractId', 'transactionId', 'noteId'),
      baseId: certified.id,
      number: 1,
      disputed: [],
    });
    em.create(Role, { id: newId(now), managerId: managerId ?? null, title: 'Reviewer', level: 12, permissions: [] });
    await plantDuplicates(em, managerId as string, now);
    const transaction = await em.findOneOrFail(Transaction, { managerId: managerId as string });
    const ofNote = {
      managerId: transaction.managerId,
      companyId: transaction.companyId,
      transactionId: transaction.id,
      noteId: transaction.notes[0]?.id as string,
      cutOffDate: '2026-10-31',
    };
    const amount = { sum: '10', currency: 'USD' };
    const drawn = [{ type: 'Regular' as const, amounts: [amount], valueInUSD: null, amountInMainCurrency: null }];
    em.create(Draw, { id: newId(now), ...ofNote, dueDate: '2026-11-05', draws: drawn });
    em.create(Repayment, { id: newId(now), ...ofNote, repayments: [{ kind: 'principal', amount }] });
    plantCovenant({ em, now }, ofNote);
    await plantDeliverable({ em, now }, ofNote);
    const { cutOffDate: _, ...ofInvoice } = ofNote;
    em.create(Amendment, {
      id: newId(now),
      ...ofInvoice,
      title: 'Private amendment',
      effectiveDate: '2100-01-01',
      terms: { maxBaseAgeDays: 30 },
      changes: [],
    });
    em.create(Invoice, {
      id: newId(now),
      ...ofInvoice,
      currency: 'USD',
      periodFrom: '2026-10-01',
      periodTo: '2026-11-01',
      dueDate: '2026-12-01',
      lines: [principalLine('10')],
      waterfall: [...DEFAULT_WATERFALL],
    });
  });
  return notes.tape;
}

/** A covenant that is breached, with a waiver to decide, and a figure to review. */
function plantCovenant(
  { em, now }: Pick<Session, 'em' | 'now'>,
  {
    cutOffDate: testDate,
    ...of
  }: Record<'managerId' | 'companyId' | 'transactionId' | 'noteId' | 'cutOffDate', string>,
): void {
  const person = { id: newId(now), name: 'Vikram Rao' };
  const { noteId, ...ofFacility } = of;
  const terms = {
    title: 'Private covenant',
    formula: '[Planted cash]',
    unit: 'number' as const,
    bound: 'atLeast' as const,
    steps: [{ from: testDate, limit: '2' }],
    frequency: 'yearly' as const,
    firstTest: testDate,
    periods: 1,
    daysToReport: 45,
    cureDays: 10,
    consequence: 'inform' as const,
  };
  const covenantId = newId(now);
  em.create(Covenant, { id: covenantId, ...ofFacility, noteId, ...terms });
  const resultId = newId(now);
  em.create(CovenantResult, {
    id: resultId,
    ...ofFacility,
    covenantId,
    testDate,
    outcome: 'breached',
    value: '1',
    limitValue: '2',
    headroom: '-1',
    periods: [{ after: '2025-10-31', to: testDate, value: '1', figures: [] }],
    terms,
    testedAt: now,
  });
  em.create(CovenantWaiver, {
    id: newId(now),
    ...ofFacility,
    covenantId,
    resultId,
    waivedUntil: '2027-01-31',
    reason: 'Private',
    enteredBy: person,
    enteredAt: now,
  });
  const { managerId, companyId } = of;
  em.create(FacilityFigure, {
    id: newId(now),
    managerId,
    companyId,
    title: 'Planted sales',
    date: testDate,
    value: '1',
    enteredBy: person,
  });
}

/** A deliverable of which one period was waived. */
async function plantDeliverable(
  { em, now }: Pick<Session, 'em' | 'now'>,
  { cutOffDate, ...of }: Record<'managerId' | 'companyId' | 'transactionId' | 'noteId' | 'cutOffDate', string>,
): Promise<void> {
  const { noteId, ...ofFacility } = of;
  const id = newId(now);
  em.create(Deliverable, {
    id,
    ...ofFacility,
    noteId,
    title: 'Private deliverable',
    kind: 'other',
    frequency: 'monthly',
    firstPeriodEnd: cutOffDate,
    daysAfter: 10,
    daysUnit: 'calendar',
    businessDayRule: 'following',
    calendar: 'weekdays',
    needsReview: true,
    reminders: [],
  });
  // An item looks at the kind of its deliverable.
  await em.flush();
  em.create(DeliverableItem, {
    id: newId(now),
    ...ofFacility,
    status: 'Waived',
    deliverableId: id,
    periodEnd: cutOffDate,
    decidedBy: { id: newId(now), name: 'Vikram Rao' },
    decidedAt: now,
    reason: 'Private',
  });
}

/** Two loans of a tape that may be one, and the search that found them. */
async function plantDuplicates(em: Session['em'], managerId: string, now: Date): Promise<void> {
  const [tape] = await em.find(LoanTape, { managerId, generationId: { $ne: null } }, { limit: 1 });
  if (!tape) throw new Error('the tenant has no published tape');
  const facts = { originalAmount: '100', currency: 'USD', financedOn: '2026-01-31', ratePercent: '9', term: null };
  const unknown = { borrowerId: null, termUnit: null, product: null, state: null, status: null };
  const loan = { obligor: 'Lone Fork Hauling', balance: '90', balanceCurrency: 'USD', ...facts, ...unknown };
  em.create(DuplicatePair, {
    id: newId(now),
    managerId,
    certainty: 'likely',
    obligor: loan.obligor,
    countedTwice: '90',
    currency: 'USD',
    foundAt: now,
    pairKey: 'planted',
    facts: 'planted',
    loans: [
      { row: 2, assetId: 'L-1', ...loan },
      { row: 3, assetId: 'L-2', ...loan },
    ],
    firstTapeId: tape.id,
    firstCompanyId: tape.companyId,
    secondTapeId: tape.id,
    secondCompanyId: tape.companyId,
  });
}

/** Waits for the search that follows a tape: it would take away what is planted before. */
async function bookSearched(tenant: Tenant): Promise<void> {
  const store = await productStore();
  const ended = () =>
    store.as(SYSTEM, async ({ em }) => {
      const { managerId } = await em.findOneOrFail(User, { email: tenant.emails.manager });
      return (await em.findOne(DuplicateSearch, { managerId: managerId as string }))?.endedAt ?? null;
    });
  await vi.waitFor(async () => expect(await ended()).not.toBeNull(), { timeout: 300_000, interval: 500 });
}

/** A document of every kind in the fund of the first tenant. */
async function plantCapital(tenant: Tenant): Promise<void> {
  const [fund] = (await tenant.manager.get('/crud/funds', { limit: 1 })).json;
  const [commitment] = (await tenant.manager.get('/crud/LPCommitments', { filter: { fund: fund.id }, limit: 1 })).json;
  const investor = { id: commitment.investor.id, kind: 'LP' };
  const usd = (sum: number) => ({ sum, currency: 'USD' });
  const of = { fund: fund.id, cutOffDate: '2026-05-29' };
  const bodies: [path: string, body: unknown][] = [
    [
      '/crud/contributions',
      {
        ...of,
        dueDate: '2026-06-15',
        callNumber: 'P1',
        amount: usd(1000),
        callPurposes: [{ title: 'Investments', kind: 'investments', amount: 1000 }],
        status: 'Active',
      },
    ],
    [
      '/crud/distributions',
      {
        ...of,
        cutOffDate: '2026-06-15',
        callNumber: 'P1',
        distributionKind: 'Principal Only',
        principal: usd(100),
        status: 'Active',
      },
    ],
    ['/crud/writeOffs', [{ ...of, cutOffDate: '2026-06-15', amount: usd(10) }]],
    ['/crud/navs', [{ ...of, investor, gross: 500, net: 490, currency: 'USD' }]],
    ['/crud/capitalAccounts', [{ ...of, investor, status: 'Active' }]],
  ];
  for (const [path, body] of bodies) {
    const answer = await tenant.manager.post(path, body);
    expect(answer.status, answer.text).toBe(201);
  }
  await plantPayment(tenant, fund.id);
  await publishReport(tenant, of);
  const store = await productStore();
  await store.as(SYSTEM, async (session) => {
    const { em, now } = session;
    const managerId = fund.assoc.manager.id as string;
    await plantRun(session, managerId, fund.id);
    plantDelivered(session, managerId);
    const user = await em.findOneOrFail(User, { email: tenant.emails.manager });
    const view = { managerId, userId: user.id, title: 'Large funds', search: '', isShared: true, isDefault: false };
    const other = await em.findOneOrFail(LPCommitment, { fundId: fund.id, id: { $ne: commitment.id } });
    em.create(Transfer, {
      id: newId(now),
      managerId,
      fundId: fund.id,
      Class: null,
      currency: 'USD',
      commitmentId: commitment.id,
      toCommitmentId: other.id,
      date: '2026-05-29',
      amount: '1',
      sharePercent: null,
      price: null,
    });
    const nothing = { capital: '0', interest: '0' };
    em.create(Closing, {
      id: newId(now),
      managerId,
      fundId: fund.id,
      currency: 'USD',
      title: 'Second closing',
      closingDate: '2026-06-30',
      dueDate: '2026-06-30',
      firstClosing: null,
      callId: null,
      distributionId: null,
      commitmentIds: [commitment.id],
      terms: equalizationTermsSchema.parse({ ratePercent: 8 }),
      figures: {
        lines: [],
        positions: [],
        paidIn: nothing,
        returned: nothing,
        toManager: nothing,
        difference: '0',
        isEqualized: true,
        isRecallable: true,
        commitments: { before: '0', after: '0' },
      },
      created: {},
    });
    em.create(GridView, { id: newId(now), grid: 'funds', ...view });
    const sheet = { bucket: 'importerFiles' as const, key: 'x/lps.csv', name: 'lps.csv', size: 1, type: 'text/csv' };
    const imported = { attachments: [{ ...sheet, checksum: null }], rows: [], totalCount: 0, failure: null };
    const ofUser = { managerId, userId: user.id, kind: 'LPs' as const, recordStatus: 'Active' as const };
    em.create(Import, { id: newId(now), ...ofUser, ...imported, finishedAt: null });
    em.create(ImportName, { id: newId(now), managerId, name: 'planted fund', fundId: fund.id, lpId: null });
    const content = emptyDraft('LPs', 'Active');
    em.create(ImportDraft, {
      id: newId(now),
      managerId,
      userId: user.id,
      content,
      importId: null,
      createdAt: now,
      changedAt: now,
    });
  });
}

/** A bank account, and a payment of a part of the call, the rest of which is closed with a difference. */
async function plantPayment(tenant: Tenant, fund: string): Promise<void> {
  const account = await tenant.manager.post('/crud/bankAccounts', {
    fund,
    title: 'Pay-in account',
    bankName: 'First Tidewater',
    accountNumber: 'US64 0210 0002 1000 4471',
    currency: 'USD',
    openingDate: '2026-01-01',
  });
  expect(account.status, account.text).toBe(201);
  const [owed] = (await tenant.manager.get('/crud/obligations', { fund, kind: 'contribution', open: 'true' })).json;
  const payment = await tenant.manager.post('/crud/payments', {
    bankAccount: account.json.id,
    direction: 'in',
    amount: 1,
    bookedOn: '2026-06-12',
    allocations: [{ kind: 'contribution', document: owed.document, amount: 1 }],
  });
  expect(payment.status, payment.text).toBe(201);
  const closed = await tenant.manager.post(`/crud/obligations/${owed.document}/differences`, {
    currency: 'USD',
    amount: 1,
    reason: 'waived',
  });
  expect(closed.status, closed.text).toBe(201);
  await importStatement(tenant);
}

/** A statement of the account that is planted, with one line. */
async function importStatement({ manager }: Tenant): Promise<void> {
  const balance = (amount: string) => `260612USD${amount}`;
  const content = [
    ':20:S',
    ':25:US640210000210004471',
    ':28C:1',
    `:60F:C${balance('0,')}`,
    ':61:260612C5,NTRFNONREF//PLANTED',
    ':86:A payment of a stranger',
    `:62F:C${balance('5,')}`,
    '-',
  ].join('\n');
  const filesInfo = [{ name: 'june.sta', size: content.length, type: 'text/plain' }];
  const announced = await manager.post('/files/signedUrls/bankStatements?operation=upload', { filesInfo });
  const { fileMetadata } = announced.json[0];
  const url = new URL(fileMetadata.signedUrl ?? announced.json[0].signedUrl, inject('productUrl'));
  await fetch(url, { method: 'PUT', body: content, headers: { 'content-type': 'text/plain' } });
  const imported = await manager.post('/crud/bankStatements', { attachment: { key: fileMetadata.key } });
  expect(imported.status, imported.text).toBe(201);
}

/** A delivered file that was refused where it was. */
function plantDelivered({ em, now }: Session, managerId: string): void {
  em.create(DeliveredFile, {
    id: newId(now),
    managerId,
    name: 'june (1).sta',
    size: 1,
    writtenAt: now,
    outcome: 'Refused',
    reason: 'Deliver the file under another name',
  });
}

/** A prepared payment run of a part of the distribution, as much as is owed. */
async function plantRun({ em, now, query }: Session, managerId: string, fundId: string): Promise<void> {
  const account = await em.findOneOrFail(BankAccount, { managerId, fundId });
  const paid = await em.findOneOrFail(Distribution, { managerId, fundId, investorLPId: { $ne: null } });
  const [owed] = await query<{ open: string }>('select open::text from obligations where document_id = $1', [paid.id]);
  const numbers = {
    iban: null,
    accountNumber: '1000004471',
    bic: null,
    routingNumber: null,
    city: null,
    country: 'US',
  };
  const runId = newId(now);
  em.create(PaymentRun, {
    id: runId,
    managerId,
    bankAccountId: account.id,
    executeOn: '2026-06-15',
    format: 'CSV',
    currency: 'USD',
    total: owed!.open,
    count: 1,
    payer: { ...numbers, name: 'Payer', bankName: 'First Tidewater', originator: null },
    // A trigger writes who prepared it.
    prepared: {} as never,
  });
  em.create(PaymentRunLine, {
    runId,
    place: 0,
    managerId,
    kind: 'distribution',
    documentId: paid.id,
    fundId,
    investorLPId: paid.investorLPId,
    companyId: null,
    transactionId: null,
    currency: 'USD',
    amount: owed!.open,
    reference: 'PLANTED',
    purpose: 'Distribution',
    payee: { ...numbers, name: 'Payee', isPrivate: false, bankName: null },
    fingerprint: '0'.repeat(64),
  });
}

async function publishReport(
  tenant: Tenant,
  of: { readonly fund: string; readonly cutOffDate: string },
): Promise<void> {
  const content = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
  const type = 'application/pdf';
  const filesInfo = [{ name: 'Report.pdf', size: content.length, type }];
  const announced = await tenant.manager.post('/files/signedUrls/fundReports?operation=upload', { filesInfo });
  const { key, signedUrl } = announced.json[0].fileMetadata;
  const url = new URL(signedUrl, inject('productUrl'));
  const sent = await fetch(url, { method: 'PUT', body: content, headers: { 'content-type': type } });
  expect(sent.status).toBe(200);
  const report = await tenant.manager.post('/crud/reports', [{ ...of, status: 'Active', fileMetadata: { key } }]);
  expect(report.status, report.text).toBe(201);
}
