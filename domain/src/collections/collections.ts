import { amendmentCollection } from '../amendments/amendment.collection.ts';
import { borrowingBaseCollection } from '../borrowing-base/borrowing-base.collection.ts';
import { contributionCollection } from '../capital/contribution.collection.ts';
import { distributionCollection } from '../capital/distribution.collection.ts';
import { navCollection } from '../capital/nav.collection.ts';
import { capitalAccountCollection, reportCollection } from '../capital/statement.collection.ts';
import { writeOffCollection } from '../capital/write-off.collection.ts';
import { bankStatementCollection } from '../cash/bank-statement.collection.ts';
import { bankAccountCollection, paymentCollection } from '../cash/cash.collection.ts';
import { paymentRunCollection } from '../cash/payment-runs/payment-run.collection.ts';
import { statementFileCollection } from '../cash/statement-file.collection.ts';
import { commitmentCollection } from '../commitments/commitment.collection.ts';
import { announcementCollection } from '../communication/announcement.collection.ts';
import { companyCollection } from '../companies/company.collection.ts';
import { covenantCollection } from '../covenants/covenant.collection.ts';
import { deliverableCollection } from '../deliverables/deliverable.collection.ts';
import { fieldLabel } from '../documents/field-labels.ts';
import { drawCollection } from '../draws/draw.collection.ts';
import { duplicateCollection } from '../duplicates/duplicate.collection.ts';
import { entityCollection } from '../entities/entity.collection.ts';
import { contractCollection } from '../facilities/contract.collection.ts';
import { transactionCollection } from '../facilities/transaction.collection.ts';
import { facilityFigureCollection } from '../facility-figures/facility-figure.collection.ts';
import { fundCollection, mainFundCollection } from '../funds/fund.collection.ts';
import { importCollection } from '../importer/import.collection.ts';
import { lpCollection, lpGroupCollection } from '../investors/lp.collection.ts';
import { invoiceCollection } from '../invoices/invoice.collection.ts';
import { managerCollection } from '../managers/manager.collection.ts';
import { rateCollection } from '../money/rate.collection.ts';
import { type Actor, can } from '../people/actor.ts';
import { roleCollection } from '../people/role.collection.ts';
import { userCollection } from '../people/user.collection.ts';
import { repaymentCollection } from '../repayments/repayment.collection.ts';
import { scenarioCollection } from '../scenarios/scenario.collection.ts';
import { serviceProviderCollection } from '../service-providers/service-provider.collection.ts';
import { tableCollection } from '../tables/table.collection.ts';
import { mappingCollection } from '../tapes/mapping.collection.ts';
import { proposalCollection } from '../tapes/proposal.collection.ts';
import { assetCollection, tapeCollection } from '../tapes/tape.collection.ts';
import { type Collection, type Column, DOCUMENT_FIELDS, describeField, type FieldOfList } from './collection.ts';

/** Every collection, by its name in calls, in the order in which people who give rights read them. */
export const COLLECTIONS = {
  companies: companyCollection,
  funds: fundCollection,
  mainFunds: mainFundCollection,
  LPs: lpCollection,
  LPGroups: lpGroupCollection,
  LPCommitments: commitmentCollection,
  contributions: contributionCollection,
  distributions: distributionCollection,
  navs: navCollection,
  writeOffs: writeOffCollection,
  paymentRuns: paymentRunCollection,
  capitalAccounts: capitalAccountCollection,
  reports: reportCollection,
  bankAccounts: bankAccountCollection,
  payments: paymentCollection,
  bankStatements: bankStatementCollection,
  statementFiles: statementFileCollection,
  transactions: transactionCollection,
  contracts: contractCollection,
  assetsETLs: mappingCollection,
  loanTapes: tapeCollection,
  assets: assetCollection,
  correctionProposals: proposalCollection,
  duplicates: duplicateCollection,
  borrowingBases: borrowingBaseCollection,
  amendments: amendmentCollection,
  covenants: covenantCollection,
  facilityFigures: facilityFigureCollection,
  deliverables: deliverableCollection,
  scenarios: scenarioCollection,
  draws: drawCollection,
  repayments: repaymentCollection,
  invoices: invoiceCollection,
  serviceProviders: serviceProviderCollection,
  managers: managerCollection,
  entities: entityCollection,
  users: userCollection,
  roles: roleCollection,
  currencies: rateCollection,
  announcements: announcementCollection,
  importer: importCollection,
  tables: tableCollection,
} as const satisfies Readonly<Record<string, Collection>>;

type Collections = typeof COLLECTIONS;
export type CollectionName = keyof Collections;

/** The names of the collections whose descriptor has these properties. */
export type NameWith<Properties> = {
  [Name in CollectionName]: Collections[Name] extends Properties ? Name : never;
}[CollectionName];

/** The values of a property of all collections that have it. */
export type ValueOf<Key extends string> = {
  [Name in CollectionName]: Collections[Name] extends Readonly<Record<Key, infer Value>> ? Value : never;
}[CollectionName];

export const EVERY_COLLECTION = Object.entries(COLLECTIONS) as readonly (readonly [CollectionName, Collection])[];

export type RecordedName = Exclude<CollectionName, NameWith<{ hasHistory: false }>>;
export const RECORDED = EVERY_COLLECTION.filter(([, { hasHistory }]) => hasHistory !== false) as readonly (readonly [
  RecordedName,
  Collection,
])[];

export const isRecorded = (name: string): name is RecordedName => RECORDED.some(([recorded]) => recorded === name);

export const collectionOf = (name: string): Collection | undefined =>
  Object.hasOwn(COLLECTIONS, name) ? COLLECTIONS[name as CollectionName] : undefined;

/** What lists, menus and search results call a collection: "Capital calls". */
export const titleOfCollection = ({ title, many }: Collection): string => title ?? many;

/** The columns of a collection's grid. */
export function columnsOf(name: NameWith<{ columns: readonly Column[] }>): (Column & { readonly label: string })[] {
  const { columns = [], fields = {} }: Collection = COLLECTIONS[name];
  const listed: Readonly<Record<string, FieldOfList>> = { ...DOCUMENT_FIELDS, ...fields };
  const labelOf = (path: string) => (listed[path] ? describeField(path, listed[path]).label : fieldLabel(path));
  return columns.map((column) => ({ ...column, label: column.label ?? labelOf(column.path) }));
}

/** The address of the REST calls of a collection: "/crud/companies". */
export const callsOf = (name: CollectionName): string => collectionOf(name)?.calls ?? `/crud/${name}`;

/** The page of a document, by its collection and id; null if the documents of the collection have none. */
export function pageOf(collection: string, id: string): string | null {
  const page = collectionOf(collection)?.page;
  return page ? `${page}/${id}` : null;
}

/** The collections whose documents the actor has the permission to read. */
export const readableCollections = (actor: Actor): RecordedName[] =>
  RECORDED.flatMap(([name, { read }]) => (can(actor, read) ? [name] : []));

/** The collections whose history the actor can read: none without history/read. */
export const readableHistory = (actor: Actor): RecordedName[] =>
  can(actor, 'history/read') ? readableCollections(actor) : [];
