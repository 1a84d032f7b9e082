import { Activity, Announcement } from './announcements.ts';
import {
  CapitalAccount,
  CapitalCall,
  Contribution,
  Distribution,
  DistributionEvent,
  Nav,
  Report,
  WriteOff,
} from './capital.ts';
import { Chat, GridView, GroupFilter } from './chats.ts';
import { Draw, Repayment } from './draws.ts';
import { Fund, LPCommitment, MainFund } from './funds.ts';
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
import { Import } from './imports.ts';
import { BorrowingBase, Contract, Mapping, Transaction } from './lending.ts';
import { OptionList } from './lists.ts';
import { QueuedMail, SecretMail } from './mail.ts';
import { Notification } from './notification.ts';
import { Company, LP, LPGroup, Manager, Permission, Role, User } from './people.ts';
import { CurrencyRate, DocumentCode, DocumentCount, History, RateRefresh, StoredFile } from './records.ts';
import { LegalEntity, ServiceProvider } from './register.ts';
import { AssetId, SearchWord } from './search.ts';
import { DroppedObject, Instance } from './storage.ts';
import { CorrectionProposal, LoanTape, TapeGeneration } from './tapes.ts';
import {
  BackupRun,
  Hold,
  JobFailure,
  ObjectComparison,
  ObjectFinding,
  SentRequest,
  WorkerHeartbeat,
} from './workers.ts';

/** Every entity of the ORM. */
export const ENTITIES = [
  LegalEntity,
  ServiceProvider,
  OptionList,
  Manager,
  Company,
  LP,
  LPGroup,
  Role,
  Permission,
  User,
  SignInCode,
  OwnershipToken,
  MagicLink,
  UsedIdToken,
  AddressChange,
  RefreshToken,
  LimitedCall,
  MainFund,
  Fund,
  LPCommitment,
  CapitalCall,
  DistributionEvent,
  Contribution,
  Distribution,
  Nav,
  WriteOff,
  CapitalAccount,
  Report,
  Mapping,
  Transaction,
  Contract,
  BorrowingBase,
  Draw,
  Repayment,
  LoanTape,
  TapeGeneration,
  CorrectionProposal,
  History,
  StoredFile,
  CurrencyRate,
  RateRefresh,
  DocumentCode,
  DocumentCount,
  Instance,
  DroppedObject,
  QueuedMail,
  SecretMail,
  Notification,
  Announcement,
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
  GridView,
  SearchWord,
  AssetId,
  Import,
] as const;
