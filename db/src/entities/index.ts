import { Fund, LPCommitment } from './funds.ts';
import { LimitedCall, OwnershipToken, RefreshToken, SignInCode } from './identity.ts';
import { BorrowingBase, Contract, Mapping, Transaction } from './lending.ts';
import { Company, LP, Manager, Permission, Role, User } from './people.ts';
import { CurrencyRate, History, StoredFile } from './records.ts';
import { LoanTape, TapeGeneration } from './tapes.ts';

/** Every entity the ORM knows. */
export const ENTITIES = [
  Manager,
  Company,
  LP,
  Role,
  Permission,
  User,
  SignInCode,
  OwnershipToken,
  RefreshToken,
  LimitedCall,
  Fund,
  LPCommitment,
  Mapping,
  Transaction,
  Contract,
  BorrowingBase,
  LoanTape,
  TapeGeneration,
  History,
  StoredFile,
  CurrencyRate,
] as const;
