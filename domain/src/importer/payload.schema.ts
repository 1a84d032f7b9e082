import { z } from 'zod';
import { COMPOUNDING_LABELS, INTEREST_RECIPIENT_LABELS } from '../closings/equalization-terms.ts';
import { INVESTOR_KINDS } from '../commitments/investor.schema.ts';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { externalCodeSchema } from '../documents/external-code.ts';
import { valuesOf } from '../documents/labels.ts';
import { listSchema, nameSchema, optionalNameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import { bankSchema } from '../entities/bank.schema.ts';
import { countryCode } from '../entities/country-codes.ts';
import { businessSchema, contactSchema, entityCreateSchema } from '../entities/entity.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { DAY_COUNTS } from '../facilities/terms-labels.ts';
import { ASSETS_BASES } from '../funds/fees.schema.ts';
import { classKeySchema, FUND_STRATEGIES, FUND_TYPES } from '../funds/fund.schema.ts';
import { emailSchema } from '../identity/sign-in.schema.ts';
import { investorRecordShape } from '../investors/investor-record.schema.ts';
import { currencySchema, decimalSchema, moneySchema, notNegativeSchema } from '../money/amount.schema.ts';
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

const percent = decimalSchema.transform(Number).nullish();
export const yesOrNo = z
  .enum(['yes', 'no'])
  .transform((answer) => answer === 'yes')
  .nullish();
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
  excuseCap: percent,
  investmentPeriodEnd: calendarDateSchema.nullish(),
  equalization: z
    .object({
      ratePercent: decimalSchema.transform(Number),
      dayCount: z.enum(DAY_COUNTS).optional(),
      compounding: z.enum(valuesOf(COMPOUNDING_LABELS)).optional(),
      feeInterestTo: z.enum(valuesOf(INTEREST_RECIPIENT_LABELS)).optional(),
      feesFromFirstClosing: yesOrNo,
      recallable: yesOrNo,
    })
    .nullish(),
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

const managementShape = {
  committed: percent,
  invested: percent,
  interestIncome: percent,
  assets: percent,
  assetsBasis: z.enum(ASSETS_BASES).nullish(),
};

/** What a fund or a side letter agrees on fees: the body of the call limits it. */
const feesImportShape = {
  date: calendarDateSchema,
  management: z
    .object({ ...managementShape, minimum: notNegativeSchema.nullish(), offset: percent, waiver: percent })
    .nullish(),
  stepDown: z.object({ from: calendarDateSchema.nullish(), ...managementShape }).nullish(),
  success: z
    .object({
      hurdle: percent,
      rate: percent,
      catchUp: percent,
      interestShare: percent,
      equityOnly: yesOrNo,
      simple: yesOrNo,
      perTransaction: yesOrNo,
      clawback: yesOrNo,
    })
    .nullish(),
  transaction: z.object({ applied: yesOrNo, cap: percent }).nullish(),
  overallCap: notNegativeSchema.nullish(),
  defaultInterest: z
    .object({
      rate: percent,
      graceDays: z.int('must be a whole number').nullish(),
      dayCount: z.enum(DAY_COUNTS).nullish(),
    })
    .nullish(),
};
const ofFund = { fundCode: codeSchema, fundClassCode: classKeySchema.nullish() };
const ofInvestor = { investorType: z.enum(INVESTOR_KINDS), investorCode: codeSchema, ...ofFund };

/** Fee terms of a fund or of one of its classes, from a day on. */
export const feeTermsImportSchema = z.object({ ...ofFund, ...feesImportShape });

/** What an investor has agreed of its own, from a day on. */
export const sideLetterImportSchema = z.object({ ...ofInvestor, title: optionalNameSchema(150), ...feesImportShape });

/** What one investor commits at a later closing. Rows of one fund with the same title are one closing. */
export const closingImportSchema = z.object({
  ...ofInvestor,
  title: nameSchema(2, 150),
  date: calendarDateSchema,
  dueDate: calendarDateSchema,
  callName: nameSchema(1, 100),
  distributionName: nameSchema(1, 100),
  currency: currencySchema,
  defaultValue: moneySchema,
  /** What it pays for earlier calls, and the interest on it, as another system has them. */
  paidIn: moneySchema.nullish(),
  interest: moneySchema.nullish(),
});

/** A transfer between two investors of a fund. */
export const transferImportSchema = z.object({
  ...ofInvestor,
  toType: z.enum(INVESTOR_KINDS),
  toCode: codeSchema,
  date: calendarDateSchema,
  currency: currencySchema,
  sharePercent: decimalSchema.nullish(),
  defaultValue: moneySchema.nullish(),
  price: moneySchema.nullish(),
});

export type FeeTermsImport = z.output<typeof feeTermsImportSchema>;
export type SideLetterImport = z.output<typeof sideLetterImportSchema>;
export type ClosingImport = z.output<typeof closingImportSchema>;
export type TransferImport = z.output<typeof transferImportSchema>;
export type FundImport = z.output<typeof fundImportSchema>;
export type LPImport = z.output<typeof lpImportSchema>;
export type UserImport = z.output<typeof userImportSchema>;
export type TimeSeriesImport = z.output<typeof timeSeriesImportSchema>;
export type CapitalAccountImport = z.output<typeof capitalAccountImportSchema>;
export type ReportImport = z.output<typeof reportImportSchema>;
