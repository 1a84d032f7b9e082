import { type CollectionName, RECORDED } from '@tapeline/domain/collections/collections.ts';
import { storedAmendments } from '../operations/amendments/amendment.collection.ts';
import { storedAnnouncements } from '../operations/announcements/announcement.collection.ts';
import { storedBorrowingBases } from '../operations/borrowing-bases/borrowing-base.collection.ts';
import {
  storedCapitalAccounts,
  storedContributions,
  storedDistributions,
  storedNavs,
  storedReports,
  storedWriteOffs,
} from '../operations/capital/capital.collections.ts';
import { storedBankStatements } from '../operations/cash/bank-statement.collection.ts';
import { storedBankAccounts, storedPayments } from '../operations/cash/cash.collection.ts';
import { storedPaymentRuns } from '../operations/cash/payment-run.collection.ts';
import { storedStatementFiles } from '../operations/cash/statement-file.collection.ts';
import { storedCommitments } from '../operations/commitments/commitment.collection.ts';
import { storedCompanies } from '../operations/companies/company.collection.ts';
import { storedCovenants } from '../operations/covenants/covenant.collection.ts';
import { storedFacilityFigures } from '../operations/covenants/facility-figure.collection.ts';
import { storedRates } from '../operations/currencies/rate.collection.ts';
import { storedDeliverables } from '../operations/deliverables/deliverable.collection.ts';
import { storedDraws } from '../operations/draws/draw.collection.ts';
import { storedDuplicates } from '../operations/duplicates/duplicate.collection.ts';
import { storedEntities } from '../operations/entities/entity.collection.ts';
import { storedFunds, storedMainFunds } from '../operations/funds/fund.collection.ts';
import { storedImports } from '../operations/importer/import.collection.ts';
import { storedLPGroups, storedLPs } from '../operations/investors/lp.collection.ts';
import { storedInvoices } from '../operations/invoices/invoice.collection.ts';
import { storedManagers } from '../operations/managers/manager.collection.ts';
import { storedMappings } from '../operations/mappings/mapping.collection.ts';
import { storedRepayments } from '../operations/repayments/repayment.collection.ts';
import { storedRoles } from '../operations/roles/role.collection.ts';
import { storedScenarios } from '../operations/scenarios/scenario.collection.ts';
import { storedServiceProviders } from '../operations/service-providers/service-provider.collection.ts';
import { storedTables } from '../operations/tables/table.collection.ts';
import { storedAssets, storedProposals, storedTapes } from '../operations/tapes/tape.collection.ts';
import { storedContracts, storedTransactions } from '../operations/transactions/transaction.collection.ts';
import { storedUsers } from '../operations/users/user.collection.ts';
import type { StoredCollection } from './stored-collection.ts';

/** How every collection is stored, by its name in calls. */
export const STORED = {
  companies: storedCompanies,
  funds: storedFunds,
  mainFunds: storedMainFunds,
  LPs: storedLPs,
  LPGroups: storedLPGroups,
  LPCommitments: storedCommitments,
  contributions: storedContributions,
  distributions: storedDistributions,
  navs: storedNavs,
  writeOffs: storedWriteOffs,
  paymentRuns: storedPaymentRuns,
  capitalAccounts: storedCapitalAccounts,
  reports: storedReports,
  bankAccounts: storedBankAccounts,
  payments: storedPayments,
  bankStatements: storedBankStatements,
  statementFiles: storedStatementFiles,
  transactions: storedTransactions,
  contracts: storedContracts,
  assetsETLs: storedMappings,
  loanTapes: storedTapes,
  assets: storedAssets,
  correctionProposals: storedProposals,
  duplicates: storedDuplicates,
  borrowingBases: storedBorrowingBases,
  amendments: storedAmendments,
  covenants: storedCovenants,
  facilityFigures: storedFacilityFigures,
  deliverables: storedDeliverables,
  scenarios: storedScenarios,
  draws: storedDraws,
  repayments: storedRepayments,
  invoices: storedInvoices,
  serviceProviders: storedServiceProviders,
  managers: storedManagers,
  entities: storedEntities,
  users: storedUsers,
  roles: storedRoles,
  currencies: storedRates,
  announcements: storedAnnouncements,
  importer: storedImports,
  tables: storedTables,
} as const satisfies Readonly<Record<CollectionName, StoredCollection>>;

const BY_NAME = new Map<string, StoredCollection>(RECORDED.map(([name]) => [name, STORED[name]]));

/** How a collection with a history is stored. Undefined for the name of none. */
export const storedOf = (name: string): StoredCollection | undefined => BY_NAME.get(name);

export const tableOf = ({ entity }: StoredCollection): string => entity.meta.tableName;

/** The collections whose documents are an entity in some role. `title` and `isEntity` are SQL. */
export const PARTIES = RECORDED.flatMap(([name, { read }]) => {
  const stored: StoredCollection = STORED[name];
  const { party } = stored;
  return party ? [{ name, read, table: tableOf(stored), title: party.name, isEntity: party.isEntity }] : [];
});
