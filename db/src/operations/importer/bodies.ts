import { CALL_PURPOSE_KINDS, contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import {
  DISTRIBUTION_ACTION_TYPES,
  type DISTRIBUTION_KINDS,
  distributionCreateSchema,
} from '@tapeline/domain/capital/distribution.schema.ts';
import { CALL_PURPOSE_LABELS, DISTRIBUTION_ACTION_LABELS } from '@tapeline/domain/capital/kinds.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import { excuseSchema } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { capitalAccountCreateSchema, reportCreateSchema } from '@tapeline/domain/capital/statement.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { stateCode } from '@tapeline/domain/entities/country-states.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import type { ImportKind, ImportRecordStatus } from '@tapeline/domain/importer/kinds.ts';
import type { RowPayloads, TimeSeries, TimeSeriesRow } from '@tapeline/domain/importer/read-rows.ts';
import { lpCreateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import { amountOf, notNegativeSchema } from '@tapeline/domain/money/amount.schema.ts';
import { add, compare, type DecimalText, isZero } from '@tapeline/domain/money/decimal.ts';
import { userCreateSchema } from '@tapeline/domain/people/user.schema.ts';
import { CHANGE_SCHEMAS } from './changes.ts';
import type { RowReferences } from './references.ts';

/** A nationality with the state's code, where the file has its name. */
const placeOf = (country: string, state: string | null | undefined) => ({
  country,
  state: state ? stateCode(country, state) : state,
});

/** Stands for a document that a row names in vain, so that the rest of its body is checked as well. */
const UNKNOWN_ID = '0'.repeat(24);

/** The columns of a flag's path in a body. */
export type ColumnOf = (path: string) => { column: string | null; item?: number };

/** What a row or a commitment's rows become: the body of the call that creates it, before it is checked. */
export interface DraftBody {
  readonly body: unknown;
  readonly columnOf: ColumnOf;
}

type Status = ImportRecordStatus;

const COMMON: Readonly<Record<string, string>> = {
  fund: 'fundCode',
  Class: 'fundClassCode',
  'investor.id': 'investorCode',
  cutOffDate: 'date',
  dueDate: 'dueDate',
  callNumber: 'callName',
  currency: 'currency',
  'fileMetadata.key': 'fileName',
};

/** The column of an item of a list: `callPurposes.1.amount` is the second of these columns. */
const keyAt = (columns: readonly string[], path: string): string | null => {
  const index = /^(?:callPurposes|components)\.(\d+)/.exec(path)?.[1];
  return index === undefined ? null : (columns[Number(index)] ?? null);
};

const named =
  (names: Readonly<Record<string, string>>, keyColumns: readonly string[] = []): ColumnOf =>
  (path) => ({ column: names[path] ?? COMMON[path] ?? keyAt(keyColumns, path) });

const ofInvestor = (payload: TimeSeriesRow, { fund, investor }: RowReferences) => ({
  fund: fund?.id ?? UNKNOWN_ID,
  investor: investor ?? { id: UNKNOWN_ID, kind: payload.investorType },
  Class: payload.fundClassCode ?? null,
});

const keyColumn = (key: string) => `keyValues.${key}`;

type Purpose = (typeof CALL_PURPOSE_KINDS)[number];

/** What a row calls for. Without purposes, it is Other. */
function calledFor({ keyValues = [] }: TimeSeriesRow): Purpose[] {
  const values = new Map(keyValues.map(({ key, value }) => [key, value]));
  const kinds = CALL_PURPOSE_KINDS.filter((kind) => !isZero(values.get(kind) ?? '0'));
  return kinds.length > 0 ? kinds : ['other'];
}

/** The purposes of the call that a row is of: those of all its rows, so that each line of a call has the same ones. */
export function purposesOfCalls(rows: readonly (TimeSeriesRow | null)[]): (row: TimeSeriesRow) => readonly Purpose[] {
  const callOf = ({ fundCode, callName }: TimeSeriesRow) => JSON.stringify([fundCode, callName]);
  const purposes = new Map<string, Set<Purpose>>();
  for (const row of rows) {
    if (!row || (row.excuse && isZero(row.defaultValue))) continue;
    const call = callOf(row);
    purposes.set(call, new Set([...(purposes.get(call) ?? []), ...calledFor(row)]));
  }
  return (row) => {
    const called = purposes.get(callOf(row)) ?? new Set(calledFor(row));
    return CALL_PURPOSE_KINDS.filter((kind) => called.has(kind));
  };
}

function contributionBody(
  payload: TimeSeriesRow,
  references: RowReferences,
  { status, purposesOf }: BodyContext,
): DraftBody {
  const { date, dueDate, callName, currency, defaultValue, keyValues = [] } = payload;
  const values = new Map(keyValues.map(({ key, value }) => [key, value]));
  const own = calledFor(payload);
  const isWhole = own.every((kind) => values.get(kind) === undefined);
  const purposes = purposesOf(payload);
  const amountOf = (kind: Purpose) => (isWhole && kind === own[0] ? defaultValue : (values.get(kind) ?? '0'));
  return {
    body: {
      ...ofInvestor(payload, references),
      cutOffDate: date,
      dueDate: dueDate ?? date,
      callNumber: callName,
      amount: { sum: defaultValue, currency },
      excuse: payload.excuse ? { reason: payload.excuse } : null,
      callPurposes: purposes.map((kind) => ({
        title: labelOf(CALL_PURPOSE_LABELS, kind),
        kind,
        amount: amountOf(kind),
      })),
      status,
    },
    columnOf: named(
      { amount: 'defaultValue', 'amount.sum': 'defaultValue', callPurposes: 'defaultValue', 'excuse.reason': 'excuse' },
      purposes.map((kind) => (values.has(kind) ? keyColumn(kind) : 'defaultValue')),
    ),
  };
}

/** The kind of a distribution with these parts. */
function distributionKindOf(principal: DecimalText, types: readonly string[]): (typeof DISTRIBUTION_KINDS)[number] {
  if (types.length === 0) return 'Principal Only';
  if (types.some((type) => type.startsWith('CG'))) return 'SPV';
  return isZero(principal) ? 'Interest' : 'Interest and Principal';
}

function distributionBody(payload: TimeSeriesRow, references: RowReferences, status: Status): DraftBody {
  const { date, callName, currency, defaultValue, keyValues = [] } = payload;
  const values = new Map(keyValues.map(({ key, value }) => [key, value]));
  const types = DISTRIBUTION_ACTION_TYPES.filter((type) => !isZero(values.get(type) ?? '0'));
  const principal = keyValues.length === 0 ? defaultValue : (values.get('principal') ?? '0');
  return {
    body: {
      ...ofInvestor(payload, references),
      cutOffDate: date,
      callNumber: callName,
      distributionKind: distributionKindOf(principal, types),
      principal: { sum: principal, currency },
      components: types.map((actionType) => ({
        title: DISTRIBUTION_ACTION_LABELS[actionType],
        actionType,
        amount: { sum: values.get(actionType), currency },
      })),
      ...(payload.recallable ? { pdfOptions: { recallableDistribution: true } } : {}),
      status,
    },
    columnOf: named(
      {
        principal: values.has('principal') ? keyColumn('principal') : 'defaultValue',
        'principal.sum': values.has('principal') ? keyColumn('principal') : 'defaultValue',
        components: 'defaultValue',
      },
      types.map(keyColumn),
    ),
  };
}

function navBody(payload: TimeSeriesRow, references: RowReferences, status: Status): DraftBody {
  const { date, currency, defaultValue, keyValues = [] } = payload;
  const gross = keyValues.find(({ key }) => key === 'gross')?.value;
  return {
    body: {
      ...ofInvestor(payload, references),
      cutOffDate: date,
      gross: gross ?? defaultValue,
      net: defaultValue,
      currency,
      status,
    },
    columnOf: named({ gross: gross === undefined ? 'defaultValue' : keyColumn('gross'), net: 'defaultValue' }),
  };
}

const highest = (first: DecimalText, changes: readonly DecimalText[]): DecimalText => {
  let committed = first;
  let most = first;
  for (const change of changes) {
    committed = add(committed, change);
    if (compare(committed, most) > 0) most = committed;
  }
  return most;
};

/** The commitment of a time series: its first item is the closing, later items are changes. */
export function commitmentBody({ payload }: TimeSeries, references: RowReferences, status: Status): DraftBody {
  const [closing, ...changes] = payload.timeSeriesItems;
  const most = closing?.keyValues?.find(({ key }) => key === 'maxCommitment')?.value;
  const { currency } = payload;
  return {
    body: {
      fund: references.fund?.id ?? UNKNOWN_ID,
      investor: references.investor ?? { id: UNKNOWN_ID, kind: payload.investorType },
      Class: payload.fundClassCode ?? null,
      closingDate: closing?.date,
      maxCommitment: {
        sum:
          most ??
          highest(
            closing?.defaultValue ?? '0',
            changes.map(({ defaultValue }) => defaultValue),
          ),
        currency,
      },
      activeCommitment: { sum: closing?.defaultValue, currency },
      deltas: changes.map(({ date, defaultValue, callName }) => ({ date, amount: defaultValue, title: callName })),
      status,
    },
    columnOf: (path) => {
      const [, index, field] = /^deltas\.(\d+)(?:\.(\w+))?/.exec(path) ?? [];
      if (index !== undefined) {
        return { column: { date: 'date', title: 'callName' }[field ?? ''] ?? 'defaultValue', item: Number(index) + 1 };
      }
      const names: Record<string, string> = {
        closingDate: 'date',
        activeCommitment: 'defaultValue',
        'activeCommitment.sum': 'defaultValue',
        maxCommitment: most === undefined ? 'defaultValue' : keyColumn('maxCommitment'),
        'maxCommitment.sum': most === undefined ? 'defaultValue' : keyColumn('maxCommitment'),
        deltas: 'defaultValue',
      };
      return { column: names[path] ?? COMMON[path] ?? null };
    },
  };
}

/** A path in an entity's body: `entity.banks.0.IBAN` is the column `bank.IBAN`. */
const entityColumn =
  (business: string, names: Readonly<Record<string, string>>): ColumnOf =>
  (path) => {
    const bank = /^entity\.banks\.0\.(\w+)/.exec(path)?.[1];
    if (bank !== undefined) return { column: `bank.${bank}` };
    const contact = /^entity\.contacts\.0\.(\w+)/.exec(path)?.[1];
    if (contact !== undefined) return { column: `contact.${contact}` };
    const ofBusiness = /^entity\.business\.(\w+)/.exec(path)?.[1];
    if (ofBusiness !== undefined) return { column: `${business}.${ofBusiness}` };
    return { column: names[path] ?? (path.startsWith('classes') ? 'classes' : path) };
  };

/** A term whose column is empty has its default. */
const equalizationOf = ({ equalization }: RowPayloads['funds']) =>
  equalization && Object.fromEntries(Object.entries(equalization).filter(([, term]) => term != null));

function fundBody(payload: RowPayloads['funds'], { entity, mainFund }: RowReferences): DraftBody {
  const { currency } = payload;
  return {
    body: {
      title: payload.title,
      type: payload.type,
      strategy: payload.strategy,
      currency,
      externalCode: payload.externalCode,
      targetSize: { sum: payload.targetSize, currency },
      hardCap: { sum: payload.hardCap, currency },
      classes: payload.classes,
      description: payload.description,
      ...pick(payload, 'excuseCap', 'investmentPeriodEnd'),
      equalization: equalizationOf(payload),
      mainFund: mainFund?.id ?? null,
      entity: entity?.id ?? {
        name: payload.title,
        formalId: payload.entityFormalId,
        nationality: placeOf(payload.nationalityCountryCode, payload.stateCode),
        banks: payload.bank ? [payload.bank] : [],
        business: payload.businessEntity,
      },
    },
    columnOf: entityColumn('businessEntity', {
      entity: 'entityFormalId',
      'entity.name': 'title',
      'entity.formalId': 'entityFormalId',
      'entity.nationality.country': 'nationalityCountryCode',
    }),
  };
}

function lpBody(payload: RowPayloads['LPs'], { entity }: RowReferences): DraftBody {
  return {
    body: {
      title: payload.entityName,
      externalCode: payload.externalCode,
      ...pick(payload, 'type', 'taxId', 'taxResidence', 'lei', 'kycStatus', 'kycDate', 'kycExpiresOn'),
      entity: entity?.id ?? {
        name: payload.entityName,
        formalId: payload.formalId,
        nationality: placeOf(payload.country, payload.state),
        contacts: payload.contact ? [payload.contact] : [],
        banks: payload.bank ? [payload.bank] : [],
        business: payload.business,
      },
    },
    columnOf: entityColumn('business', {
      title: 'entityName',
      entity: 'formalId',
      'entity.name': 'entityName',
      'entity.formalId': 'formalId',
      'entity.nationality.country': 'country',
    }),
  };
}

function userBody(payload: RowPayloads['users'], { investor, roleId }: RowReferences, role: string | null): DraftBody {
  const id = investor?.id ?? UNKNOWN_ID;
  const { firstName, lastName, email } = payload;
  return {
    body: { firstName, lastName, email, type: 'LP', assoc: { LP: { id } }, LPs: [id], role: roleId ?? role },
    columnOf: (path) => ({
      column: /^(LPs|assoc)/.test(path) ? 'LPCode' : path === 'role' && roleId === null ? null : path,
    }),
  };
}

const fileOf = (payload: { fileName: string }, { file }: RowReferences) => ({
  fileMetadata: { key: file?.key ?? payload.fileName },
});

function accountBody(payload: RowPayloads['capitalAccounts'], references: RowReferences, status: Status): DraftBody {
  const { fund, investor } = references;
  return {
    body: {
      fund: fund?.id ?? UNKNOWN_ID,
      investor: investor ?? { id: UNKNOWN_ID, kind: payload.investorType },
      Class: payload.fundClassCode ?? null,
      cutOffDate: payload.date,
      ...fileOf(payload, references),
      status,
    },
    columnOf: named({}),
  };
}

function reportBody(payload: RowPayloads['reports'], references: RowReferences, status: Status): DraftBody {
  return {
    body: {
      fund: references.fund?.id ?? UNKNOWN_ID,
      Class: payload.fundClassCode ?? null,
      cutOffDate: payload.date,
      ...fileOf(payload, references),
      status,
    },
    columnOf: named({}),
  };
}

const FEE_GROUPS = ['management', 'success', 'transaction', 'overallCap', 'defaultInterest'] as const;

/** The terms of a row. A group whose columns are empty is agreed elsewhere. */
function feesOf(payload: RowPayloads['feeTerms']) {
  const { stepDown, management } = payload;
  const groups = { ...pick(payload, ...FEE_GROUPS), management: stepDown ? { ...management, stepDown } : management };
  return Object.fromEntries(Object.entries(groups).filter(([, group]) => group != null));
}

/** `terms.management.stepDown.from` is the column `stepDown.from`. */
const feeColumn: ColumnOf = (path) => {
  const [first, ...rest] = path.split('.').filter((part) => !/^(terms|feeTerms|sideLetters|\d+)$/.test(part));
  const parts = rest[0] === 'stepDown' ? rest : [first ?? '', ...rest];
  return {
    column:
      { from: 'date', document: null }[path] ?? COMMON[path] ?? (parts.join('.') === 'from' ? 'date' : parts.join('.')),
  };
};

function feeTermsBody(payload: RowPayloads['feeTerms'], { fund }: RowReferences): DraftBody {
  const { fundClassCode, date } = payload;
  return {
    body: { fund: fund?.id ?? UNKNOWN_ID, Class: fundClassCode ?? null, from: date, terms: feesOf(payload) },
    columnOf: feeColumn,
  };
}

function sideLetterBody(payload: RowPayloads['sideLetters'], references: RowReferences): DraftBody {
  const { fund, investor } = references;
  return {
    body: {
      fund: fund?.id ?? UNKNOWN_ID,
      investor: investor ?? { id: UNKNOWN_ID, kind: payload.investorType },
      Class: payload.fundClassCode ?? null,
      from: payload.date,
      title: payload.title,
      terms: feesOf(payload),
    },
    columnOf: feeColumn,
  };
}

function transferBody(payload: RowPayloads['transfers'], { fund, investor, to }: RowReferences): DraftBody {
  const { date, sharePercent, defaultValue, price } = payload;
  return {
    body: {
      fund: fund?.id ?? UNKNOWN_ID,
      investor: investor ?? { id: UNKNOWN_ID, kind: payload.investorType },
      Class: payload.fundClassCode ?? null,
      to: to ?? { id: UNKNOWN_ID, kind: payload.toType },
      date,
      sharePercent,
      amount: defaultValue,
      price,
    },
    columnOf: named({
      'to.id': 'toCode',
      date: 'date',
      sharePercent: 'sharePercent',
      amount: 'defaultValue',
      price: 'price',
    }),
  };
}

/** The investors of a later closing, one for each row. */
export function closingBody(
  rows: readonly { readonly payload: RowPayloads['closings']; readonly references: RowReferences }[],
  status: Status,
): DraftBody {
  const [first] = rows;
  const { title, date, dueDate, callName, distributionName } = first!.payload;
  return {
    body: {
      fund: first!.references.fund?.id ?? UNKNOWN_ID,
      title,
      closingDate: date,
      dueDate,
      callNumber: callName,
      distributionNumber: distributionName,
      status,
      investors: rows.map(({ payload, references: { investor } }) => ({
        investor: investor ?? { id: UNKNOWN_ID, kind: payload.investorType },
        Class: payload.fundClassCode ?? null,
        amount: payload.defaultValue,
      })),
      expected: rows.map(({ payload: { paidIn, interest } }) => ({
        capital: paidIn ?? null,
        interest: interest ?? null,
      })),
    },
    columnOf: (path) => {
      const [, item, field] = /^(?:investors|expected)\.(\d+)\.(.+)$/.exec(path) ?? [];
      const names: Record<string, string> = {
        'investor.id': 'investorCode',
        amount: 'defaultValue',
        Class: 'fundClassCode',
        capital: 'paidIn',
        interest: 'interest',
        closingDate: 'date',
        distributionNumber: 'distributionName',
        title: 'title',
      };
      if (item !== undefined) return { column: names[field ?? ''] ?? null, item: Number(item) };
      return { column: names[path] ?? COMMON[path] ?? null };
    },
  };
}

/** What a body of a kind depends on besides its row. */
export interface BodyContext {
  readonly status: Status;
  /** The role of imported users. */
  readonly role: string | null;
  /** The purposes of the call that a contribution is of. */
  readonly purposesOf: (row: TimeSeriesRow) => readonly Purpose[];
}

/** The rows of a commitment, and those of a closing, are one body. */
export type RowKind = Exclude<ImportKind, 'LPCommitments' | 'closings'>;

/** The body of one row. */
export const ROW_BODIES: {
  readonly [Kind in RowKind]: (
    payload: RowPayloads[Kind],
    references: RowReferences,
    context: BodyContext,
  ) => DraftBody;
} = {
  funds: fundBody,
  LPs: lpBody,
  users: (payload, references, { role }) => userBody(payload, references, role),
  contributions: contributionBody,
  distributions: (payload, references, { status }) => distributionBody(payload, references, status),
  navs: (payload, references, { status }) => navBody(payload, references, status),
  capitalAccounts: (payload, references, { status }) => accountBody(payload, references, status),
  reports: (payload, references, { status }) => reportBody(payload, references, status),
  feeTerms: feeTermsBody,
  sideLetters: sideLetterBody,
  transfers: transferBody,
};

/** The schemas of the calls that create each kind: the importer has no rules of its own. */
export const BODY_SCHEMAS = {
  funds: fundCreateSchema,
  LPs: lpCreateSchema,
  users: userCreateSchema,
  LPCommitments: commitmentCreateSchema,
  // An investor that is excused from all of a call pays nothing.
  contributions: contributionCreateSchema
    .safeExtend({ amount: amountOf(notNegativeSchema).nullish(), excuse: excuseSchema.nullish() })
    .refine(({ amount, excuse }) => Boolean(excuse) || !amount || !isZero(amount.sum), {
      path: ['amount', 'sum'],
      message: 'must be above zero',
    }),
  distributions: distributionCreateSchema,
  navs: navCreateSchema,
  capitalAccounts: capitalAccountCreateSchema,
  reports: reportCreateSchema,
  ...CHANGE_SCHEMAS,
} as const;
