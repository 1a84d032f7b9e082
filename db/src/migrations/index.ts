import { Foundations } from './01-foundations.ts';
import { History } from './02-history.ts';
import { Entities } from './03-entities.ts';
import { People } from './04-people.ts';
import { Identity } from './05-identity.ts';
import { Storage } from './06-storage.ts';
import { Currencies } from './07-currencies.ts';
import { Funds } from './08-funds.ts';
import { Mappings } from './09-mappings.ts';
import { Transactions } from './10-transactions.ts';
import { Tapes } from './11-tapes.ts';
import { BorrowingBases } from './12-borrowing-bases.ts';
import { Workers } from './13-workers.ts';
import { ServiceProviders } from './14-service-providers.ts';
import { SignIn } from './15-sign-in.ts';
import { Organizations } from './16-organizations.ts';
import { Draws } from './17-draws.ts';
import { Register } from './18-register.ts';
import { OptionLists } from './19-option-lists.ts';
import { Outbox } from './20-outbox.ts';
import { LimitOverlap } from './21-limit-overlap.ts';
import { TransactionRules } from './22-transaction-rules.ts';

/** One migration per noun, in the order they run. The database stores the names, so they must never change. */
export const MIGRATIONS = [
  { name: '01-foundations', class: Foundations },
  { name: '02-history', class: History },
  { name: '03-entities', class: Entities },
  { name: '04-people', class: People },
  { name: '05-identity', class: Identity },
  { name: '06-storage', class: Storage },
  { name: '07-currencies', class: Currencies },
  { name: '08-funds', class: Funds },
  { name: '09-mappings', class: Mappings },
  { name: '10-transactions', class: Transactions },
  { name: '11-tapes', class: Tapes },
  { name: '12-borrowing-bases', class: BorrowingBases },
  { name: '13-workers', class: Workers },
  { name: '14-service-providers', class: ServiceProviders },
  { name: '15-sign-in', class: SignIn },
  { name: '16-organizations', class: Organizations },
  { name: '17-draws', class: Draws },
  { name: '18-register', class: Register },
  { name: '19-option-lists', class: OptionLists },
  { name: '20-outbox', class: Outbox },
  { name: '21-limit-overlap', class: LimitOverlap },
  { name: '22-transaction-rules', class: TransactionRules },
];
