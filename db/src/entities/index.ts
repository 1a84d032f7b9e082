import { STORED } from '../collections/collections.ts';
import { AccountRequest } from './account-requests.ts';
import { Activity } from './announcements.ts';
import { BankStatementLine } from './bank-statements.ts';
import { CapitalCall, Closing, DistributionEvent, Preparation, Transfer, TransferredLine } from './capital.ts';
import { AccountClosing, Allocation, ObligationDifference } from './cash.ts';
import { Certification } from './certifications.ts';
import { Chat, GridView, GroupFilter } from './chats.ts';
import { CovenantResult, CovenantWaiver } from './covenants.ts';
import { DeliverableItem } from './deliverables.ts';
import { DuplicateSearch } from './duplicates.ts';
import {
  AddressChange,
  LimitedCall,
  MagicLink,
  OwnershipToken,
  RefreshToken,
  SignInCode,
  UsedIdToken,
} from './identity.ts';
import { ImportDraft } from './import-drafts.ts';
import { ImportName } from './import-names.ts';
import { BaseAdjustment } from './lending.ts';
import { QueuedMail, SecretMail } from './mail.ts';
import { CalendarFeed, Notification, NotificationSetting } from './notification.ts';
import { PaymentRunLine } from './payment-runs.ts';
import { Permission } from './people.ts';
import { DocumentCode, DocumentCount, History, RateRefresh, StoredFile } from './records.ts';
import { SearchWord } from './search.ts';
import { DroppedObject, Instance } from './storage.ts';
import { Departure, TapeGeneration } from './tapes.ts';
import {
  BackupRun,
  Hold,
  JobFailure,
  ObjectComparison,
  ObjectFinding,
  SentRequest,
  WorkerHeartbeat,
} from './workers.ts';

/** Every entity of the ORM: those of the collections, and what is stored beside them. */
export const ENTITIES = [
  ...Object.values(STORED).map(({ entity }) => entity),
  Permission,
  SignInCode,
  OwnershipToken,
  MagicLink,
  UsedIdToken,
  AddressChange,
  RefreshToken,
  LimitedCall,
  CapitalCall,
  Closing,
  Preparation,
  Transfer,
  TransferredLine,
  Allocation,
  AccountClosing,
  ObligationDifference,
  PaymentRunLine,
  BankStatementLine,
  DistributionEvent,
  DuplicateSearch,
  CovenantResult,
  CovenantWaiver,
  DeliverableItem,
  Departure,
  TapeGeneration,
  History,
  StoredFile,
  RateRefresh,
  DocumentCode,
  DocumentCount,
  Instance,
  DroppedObject,
  QueuedMail,
  SecretMail,
  Notification,
  NotificationSetting,
  CalendarFeed,
  Activity,
  WorkerHeartbeat,
  BackupRun,
  ObjectFinding,
  ObjectComparison,
  Hold,
  JobFailure,
  SentRequest,
  Chat,
  GroupFilter,
  ImportDraft,
  ImportName,
  GridView,
  SearchWord,
  AccountRequest,
  BaseAdjustment,
  Certification,
];
