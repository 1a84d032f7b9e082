import { Actors } from './01-actors.ts';
import { Documents } from './02-documents.ts';
import { History } from './03-history.ts';
import { Entities } from './04-entities.ts';
import { Companies } from './05-companies.ts';
import { Investors } from './06-investors.ts';
import { Users } from './07-users.ts';
import { SignIn } from './08-sign-in.ts';
import { Files } from './09-files.ts';
import { Currencies } from './10-currencies.ts';
import { Funds } from './11-funds.ts';
import { Commitments } from './12-commitments.ts';
import { ServiceProviders } from './13-service-providers.ts';
import { CapitalActivities } from './14-capital-activities.ts';
import { NetAssetValues } from './15-net-asset-values.ts';
import { Statements } from './16-statements.ts';
import { Mappings } from './17-mappings.ts';
import { Transactions } from './18-transactions.ts';
import { Contracts } from './19-contracts.ts';
import { Tapes } from './20-tapes.ts';
import { BorrowingBases } from './21-borrowing-bases.ts';
import { Draws } from './22-draws.ts';
import { OptionLists } from './23-option-lists.ts';
import { Emails } from './24-emails.ts';
import { Notifications } from './25-notifications.ts';
import { Announcements } from './26-announcements.ts';
import { Imports } from './27-imports.ts';
import { Chats } from './28-chats.ts';
import { GridViews } from './29-grid-views.ts';
import { Search } from './30-search.ts';
import { System } from './31-system.ts';
import { ImportWorkflows } from './125-import-workflows.ts';
import { NamesOfNewEntities } from './126-names-of-new-entities.ts';
import { ExternalCodes } from './127-external-codes.ts';
import { SheetNames } from './128-sheet-names.ts';
import { TapesOnDoubt } from './129-tapes-on-doubt.ts';
import { KeptGenerations } from './133-kept-generations.ts';
import { NotificationSettings } from './134-notification-settings.ts';
import { CalendarFeeds } from './135-calendar-feeds.ts';
import { OwnAmounts } from './136-own-amounts.ts';
import { InvestorRecords } from './138-investor-records.ts';
import { SecondPerson } from './139-second-person.ts';
import { FeeTerms } from './140-fee-terms.ts';
import { Closings } from './141-closings.ts';
import { Transfers } from './142-transfers.ts';
import { Cash } from './143-cash.ts';
import { BankStatements } from './144-bank-statements.ts';
import { PaymentRuns } from './145-payment-runs.ts';
import { Duplicates } from './146-duplicates.ts';

/** The tables, one migration for each noun, as they were when the migrations until then were folded. */
export const BASELINE = [
  { name: '01-actors', class: Actors },
  { name: '02-documents', class: Documents },
  { name: '03-history', class: History },
  { name: '04-entities', class: Entities },
  { name: '05-companies', class: Companies },
  { name: '06-investors', class: Investors },
  { name: '07-users', class: Users },
  { name: '08-sign-in', class: SignIn },
  { name: '09-files', class: Files },
  { name: '10-currencies', class: Currencies },
  { name: '11-funds', class: Funds },
  { name: '12-commitments', class: Commitments },
  { name: '13-service-providers', class: ServiceProviders },
  { name: '14-capital-activities', class: CapitalActivities },
  { name: '15-net-asset-values', class: NetAssetValues },
  { name: '16-statements', class: Statements },
  { name: '17-mappings', class: Mappings },
  { name: '18-transactions', class: Transactions },
  { name: '19-contracts', class: Contracts },
  { name: '20-tapes', class: Tapes },
  { name: '21-borrowing-bases', class: BorrowingBases },
  { name: '22-draws', class: Draws },
  { name: '23-option-lists', class: OptionLists },
  { name: '24-emails', class: Emails },
  { name: '25-notifications', class: Notifications },
  { name: '26-announcements', class: Announcements },
  { name: '27-imports', class: Imports },
  { name: '28-chats', class: Chats },
  { name: '29-grid-views', class: GridViews },
  { name: '30-search', class: Search },
  { name: '31-system', class: System },
];

/** All migrations, in the order they run. The database stores the names, so they must never change. */
export const MIGRATIONS = [
  ...BASELINE,
  // Those of later versions. Their numbers follow 124, the last that was folded.
  { name: '125-import-workflows', class: ImportWorkflows },
  { name: '126-names-of-new-entities', class: NamesOfNewEntities },
  { name: '127-external-codes', class: ExternalCodes },
  { name: '128-sheet-names', class: SheetNames },
  { name: '129-tapes-on-doubt', class: TapesOnDoubt },
  { name: '133-kept-generations', class: KeptGenerations },
  { name: '134-notification-settings', class: NotificationSettings },
  { name: '135-calendar-feeds', class: CalendarFeeds },
  { name: '136-own-amounts', class: OwnAmounts },
  { name: '138-investor-records', class: InvestorRecords },
  { name: '139-second-person', class: SecondPerson },
  { name: '140-fee-terms', class: FeeTerms },
  { name: '141-closings', class: Closings },
  { name: '142-transfers', class: Transfers },
  { name: '143-cash', class: Cash },
  { name: '144-bank-statements', class: BankStatements },
  { name: '145-payment-runs', class: PaymentRuns },
  { name: '146-duplicates', class: Duplicates },
];
