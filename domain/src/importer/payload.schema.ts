import { z } from 'zod';
import { INVESTOR_KINDS } from '../commitments/investor.schema.ts';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { externalCodeSchema } from '../documents/external-code.ts';
import { listSchema, nameSchema, optionalNameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import { bankSchema } from '../entities/bank.schema.ts';
import { countryCode } from '../entities/country-codes.ts';
import { businessSchema, contactSchema, entityCreateSchema } from '../entities/entity.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { classKeySchema, FUND_STRATEGIES, FUND_TYPES } from '../funds/fund.schema.ts';
import { emailSchema } from '../identity/sign-in.schema.ts';
import { investorRecordShape } from '../investors/investor-record.schema.ts';
import { currencySchema, moneySchema, notNegativeSchema } from '../money/amount.schema.ts';
import { personNameSchema } from '../people/user.schema.ts';
import { MAX_TIME_SERIES_ITEMS } from './kinds.ts';

const TIME_SERIES_LIMITS = `must have 1 to ${MAX_TIME_SERIES_ITEMS} items`;
const MAX_KEY_VALUES = 30;
const MAX_CLASSES = 10;

/** The number that a file gives an LP or a fund: the `code` of its document. */
const codeSchema = z.int('must be a whole number').min(1, { message: 'must be at least 1' });
const countrySchema = nameSchema(2, 30).transform(countryCode);
const stateSchema = optionalNameSchema(30);

/**
 * One dated entry of an import. `keyValues` splits `defaultValue` by purpose kind, action type or figure; where both are
 * given, they must add up.
 */
export const timeSeriesItemSchema = z.object({
  date: calendarDateSchema,
  callName: nameSchema(1, 100),
  defaultValue: moneySchema,
  keyValues: listSchema(
    z.object({ key: nameSchema(1, 100), value: moneySchema }),
    MAX_KEY_VALUES,
    'key values',
  ).optional(),
});

/** One investor's contributions, distributions, commitments or NAVs in a fund. */
export const timeSeriesImportSchema = z.object({
  investorType: z.enum(INVESTOR_KINDS),
  investorCode: codeSchema,
  fundCode: codeSchema,
  fundClassCode: classKeySchema.nullish(),
  currency: currencySchema,
  timeSeriesItems: z
    .array(timeSeriesItemSchema, REQUIRED)
    .min(1, { message: TIME_SERIES_LIMITS })
    .max(MAX_TIME_SERIES_ITEMS, { message: TIME_SERIES_LIMITS }),
});

/** A fund of an import, with its legal entity. Without a code it gets the next one. */
export const fundImportSchema = z.object({
  code: codeSchema.nullish(),
  externalCode: externalCodeSchema,
  title: nameSchema(2, 150),
  description: optionalTextSchema(100),
  strategy: z.enum(FUND_STRATEGIES),
  type: z.enum(FUND_TYPES),
  classes: listSchema(z.object({ name: nameSchema(1, 150), uniqueKey: classKeySchema }), MAX_CLASSES, 'classes'),
  currency: currencySchema,
  bank: bankSchema.nullish(),
  businessEntity: businessSchema.nullish(),
  entityFormalId: entityCreateSchema.shape.formalId,
  nationalityCountryCode: countrySchema,
  stateCode: stateSchema,
  hardCap: notNegativeSchema.default('0'),
  targetSize: notNegativeSchema.default('0'),
  mainFund: codeSchema.nullish(),
});

/** An investor of an import. An LP with the same code must not exist; without a code it gets the next one. */
export const lpImportSchema = z.object({
  code: codeSchema.nullish(),
  externalCode: externalCodeSchema,
  entityName: entityCreateSchema.shape.name,
  formalId: entityCreateSchema.shape.formalId,
  country: countrySchema,
  state: stateSchema,
  contact: contactSchema.nullish(),
  bank: bankSchema.nullish(),
  business: businessSchema.nullish(),
  type: investorRecordShape.type,
  taxId: investorRecordShape.taxId,
  taxResidence: countrySchema.nullish(),
  lei: investorRecordShape.lei,
  kycStatus: investorRecordShape.kycStatus,
  kycDate: investorRecordShape.kycDate,
  kycExpiresOn: investorRecordShape.kycExpiresOn,
});

/** A user of an import, who is invited after confirmation. */
export const userImportSchema = z.object({
  firstName: personNameSchema,
  lastName: personNameSchema,
  email: emailSchema,
  LPCode: codeSchema,
  /** The name of a role; that of investors if omitted. */
  role: nameSchema(1, 250).nullish(),
});

/** An investor's statement of an import. The file is one of the uploaded PDFs, by its name. */
export const capitalAccountImportSchema = z.object({
  investorType: z.enum(INVESTOR_KINDS),
  investorCode: codeSchema,
  fundCode: codeSchema,
  fundClassCode: classKeySchema.nullish(),
  date: calendarDateSchema,
  fileName: nameSchema(1, 250),
});

/** A report of an import, on a fund or one of its classes. */
export const reportImportSchema = capitalAccountImportSchema.omit({ investorType: true, investorCode: true });

export type FundImport = z.output<typeof fundImportSchema>;
export type LPImport = z.output<typeof lpImportSchema>;
export type UserImport = z.output<typeof userImportSchema>;
export type TimeSeriesItem = z.output<typeof timeSeriesItemSchema>;
export type TimeSeriesImport = z.output<typeof timeSeriesImportSchema>;
export type CapitalAccountImport = z.output<typeof capitalAccountImportSchema>;
export type ReportImport = z.output<typeof reportImportSchema>;
