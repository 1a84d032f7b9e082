import { isDeepStrictEqual } from 'node:util';
import { MAX_LINES } from '@tapeline/domain/capital/capital-document.ts';
import { CALL_PURPOSE_KINDS } from '@tapeline/domain/capital/contribution.schema.ts';
import { DISTRIBUTION_ACTION_TYPES, DISTRIBUTION_KINDS } from '@tapeline/domain/capital/distribution.schema.ts';
import { CAPITAL_TRANSITIONS } from '@tapeline/domain/capital/states.ts';
import { CHAT_LIMITS } from '@tapeline/domain/chats/chat.schema.ts';
import { INVESTOR_KINDS } from '@tapeline/domain/commitments/investor.schema.ts';
import {
  ANNOUNCEMENT_KINDS,
  announcementCreateSchema,
  NOTIFICATION_LEVELS,
} from '@tapeline/domain/communication/announcement.schema.ts';
import { NOT_IN_NAMES } from '@tapeline/domain/documents/text.schema.ts';
import * as draws from '@tapeline/domain/draws/draw.schema.ts';
import { BANK_TYPES } from '@tapeline/domain/entities/bank.schema.ts';
import { BUSINESS_TYPES, ENTITY_STAGES, entityCreateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { LIMIT_OVERLAPS, MAX_SCOPES } from '@tapeline/domain/facilities/contract.schema.ts';
import { CONTRACT_TRANSITIONS, TRANSACTION_TRANSITIONS } from '@tapeline/domain/facilities/states.ts';
import * as terms from '@tapeline/domain/facilities/terms.schema.ts';
import {
  EQUITY_TYPE,
  MAX_INDUSTRIES,
  MAX_NOTES,
  TRANSACTION_TYPES,
} from '@tapeline/domain/facilities/transaction.schema.ts';
import { FILE_TRANSITIONS } from '@tapeline/domain/files/states.ts';
import { FUND_STRATEGIES, FUND_TYPES } from '@tapeline/domain/funds/fund.schema.ts';
import { gridViewCreateSchema, MAX_VIEW_LETTERS } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { groupFilterCreateSchema, MAX_IDS } from '@tapeline/domain/group-filters/group-filter.schema.ts';
import { HISTORY_OPERATIONS } from '@tapeline/domain/history/history.schema.ts';
import { ADDRESS_KINDS } from '@tapeline/domain/identity/address-changes.ts';
import { SESSION_LIMITS } from '@tapeline/domain/identity/session-limits.ts';
import { MAX_IMPORT_ATTACHMENTS } from '@tapeline/domain/importer/import.schema.ts';
import { IMPORT_KINDS, IMPORT_STATUSES, MAX_ROWS } from '@tapeline/domain/importer/kinds.ts';
import { IMPORT_TRANSITIONS } from '@tapeline/domain/importer/states.ts';
import { lpTitleSchema } from '@tapeline/domain/investors/lp.schema.ts';
import { MAIL_KINDS, MAIL_LIMITS, MAIL_STATUSES } from '@tapeline/domain/mail/mail.ts';
import { MONEY_LIMIT } from '@tapeline/domain/money/amount.schema.ts';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { RATE_SOURCES } from '@tapeline/domain/money/rates.ts';
import { MAX_RESOURCES } from '@tapeline/domain/people/access.ts';
import { PERMISSION_KEYS, USER_TYPES } from '@tapeline/domain/people/actor.ts';
import { permissionCreateSchema } from '@tapeline/domain/people/permission.schema.ts';
import { MAX_PERMISSIONS, ROLE_LEVELS, roleCreateSchema } from '@tapeline/domain/people/role.schema.ts';
import { USER_TRANSITIONS } from '@tapeline/domain/people/states.ts';
import { MAX_LPS, MAX_REFRESH_TOKENS, userDetails } from '@tapeline/domain/people/user.schema.ts';
import { REPAYMENT_KINDS, REPAYMENT_STATUSES } from '@tapeline/domain/repayments/repayment.schema.ts';
import { MAX_ENTITIES } from '@tapeline/domain/service-providers/service-provider.collection.ts';
import { serviceProviderCreateSchema } from '@tapeline/domain/service-providers/service-provider.schema.ts';
import {
  LEAST_FIXING_RATE,
  LIST_NAMES,
  MAX_FIXING_RATE,
  MAX_LIST_VALUES,
  tableCreateSchema,
} from '@tapeline/domain/tables/table.schema.ts';
import { MAX_PROPOSED_ROWS } from '@tapeline/domain/tapes/proposal.schema.ts';
import { GENERATION_TRANSITIONS, PROPOSAL_TRANSITIONS, TAPE_TRANSITIONS } from '@tapeline/domain/tapes/states.ts';
import { PROCESS_STATUSES, SCHEDULER_STATUSES } from '@tapeline/domain/tapes/tape.schema.ts';
import { expect, test } from 'vitest';
import { SIGN_OUTS_CHANNEL, TOLD_CHANNEL } from '../change-listener.ts';
import { LEAST_HISTORY_YEARS } from '../settings/limits.ts';
import * as AS_LANDED from './as-landed.ts';
import { MIGRATIONS } from './index.ts';

/** Values that changed after they landed, and the migration that brings the tables up to date. */
const CHANGED: Partial<Record<keyof typeof AS_LANDED, string>> = {
  IMPORT_KINDS: '158-transfers',
  DRAW_EXCEPTION_MESSAGES: '166-covenants',
  MAIL_KINDS: '171-deliverables',
  PERMISSION_KEYS: '143-cash',
};

const lengths = ({ minLength, maxLength }: { minLength?: number | null; maxLength?: number | null }) => ({
  minLength,
  maxLength,
});
const { administratorHours, otherDays, idleMinutes } = SESSION_LIMITS;

const TODAY = {
  HISTORY_OPERATIONS,
  ENTITY_LIMITS: { name: lengths(entityCreateSchema.shape.name), formalId: lengths(entityCreateSchema.shape.formalId) },
  BUSINESS_TYPES,
  ENTITY_STAGES,
  BANK_TYPES,
  MAX_RESOURCES,
  USER_TYPES,
  PERMISSION_KEYS,
  PERMISSION_TITLE: lengths(permissionCreateSchema.shape.title),
  MAX_PERMISSIONS,
  ROLE_LEVELS: { highest: ROLE_LEVELS.highest, lowest: ROLE_LEVELS.lowest },
  ROLE_TITLE: lengths(roleCreateSchema.shape.title),
  USER_STATES: USER_TRANSITIONS.states,
  MAX_LPS,
  USER_LIMITS: { firstName: lengths(userDetails.firstName), lastName: lengths(userDetails.lastName) },
  MAX_REFRESH_TOKENS,
  FILE_STATES: FILE_TRANSITIONS.states,
  CAPITAL_STATES: CAPITAL_TRANSITIONS.states,
  INVESTOR_KINDS,
  FUND_STRATEGIES,
  FUND_TYPES,
  MAX_SCOPES,
  LIMIT_OVERLAPS,
  CONTRACT_STATES: CONTRACT_TRANSITIONS.states,
  TRANSACTION_STATES: TRANSACTION_TRANSITIONS.states,
  MAX_INDUSTRIES,
  MAX_NOTES,
  TRANSACTION_TYPES,
  EQUITY_TYPE,
  BASE_RATES: terms.BASE_RATES,
  DATE_RANGE_TYPES: terms.DATE_RANGE_TYPES,
  DAY_COUNTS: terms.DAY_COUNTS,
  DEBT_ONLY_DATES: terms.DEBT_ONLY_DATES,
  DRAW_FREQUENCIES: terms.DRAW_FREQUENCIES,
  FEE_FREQUENCIES: terms.FEE_FREQUENCIES,
  FEE_TYPES: terms.FEE_TYPES,
  MAX_PROPOSED_ROWS,
  GENERATION_STATES: GENERATION_TRANSITIONS.states,
  PROPOSAL_STATES: PROPOSAL_TRANSITIONS.states,
  TAPE_STATES: TAPE_TRANSITIONS.states,
  PROCESS_STATUSES,
  SCHEDULER_STATUSES,
  MAX_ENTITIES,
  SERVICE_PROVIDER_LIMITS: {
    title: lengths(serviceProviderCreateSchema.shape.title),
    type: lengths(serviceProviderCreateSchema.shape.type),
  },
  ORGANIZATION_TITLE: lengths(lpTitleSchema),
  DRAW_EXCEPTION_MESSAGES: draws.DRAW_EXCEPTION_MESSAGES,
  DRAW_STATUSES: draws.DRAW_STATUSES,
  DRAW_TYPES: draws.DRAW_TYPES,
  EXCEPTION_STATUSES: draws.EXCEPTION_STATUSES,
  MAX_EXCEPTIONS: draws.MAX_EXCEPTIONS,
  MAX_ATTACHMENTS_OF_DRAWS: draws.MAX_DRAW_ATTACHMENTS,
  REPAYMENT_KINDS,
  REPAYMENT_STATUSES,
  BASE_RATES_LIST: LIST_NAMES.baseRates,
  MAX_VALUES: MAX_LIST_VALUES,
  LEAST_FIXING_RATE,
  MAX_FIXING_RATE,
  LIST_NAME: lengths(tableCreateSchema.shape.name),
  MAIL_KINDS,
  MAIL_LIMITS: { key: MAIL_LIMITS.key, subject: MAIL_LIMITS.subject, text: MAIL_LIMITS.text, page: MAIL_LIMITS.page },
  MAIL_STATUSES,
  MAX_LINES,
  CALL_PURPOSE_KINDS,
  DISTRIBUTION_ACTION_TYPES,
  DISTRIBUTION_KINDS,
  RATE_SOURCES,
  CHAT_LIMITS: { title: CHAT_LIMITS.title, messages: CHAT_LIMITS.messages },
  GROUP_FILTER_TITLE: lengths(groupFilterCreateSchema.shape.title),
  MAX_IDS,
  NOTIFICATION_LEVELS,
  ANNOUNCEMENT_KINDS,
  ANNOUNCEMENT_LIMITS: {
    title: lengths(announcementCreateSchema.shape.title),
    description: lengths(announcementCreateSchema.shape.description),
  },
  MAX_FILES_OF_IMPORTS: MAX_IMPORT_ATTACHMENTS,
  IMPORT_KINDS,
  IMPORT_STATUSES: [...new Set(Object.values(IMPORT_STATUSES).flat())],
  MAX_IMPORTED_ROWS: Math.max(...Object.values(MAX_ROWS)),
  IMPORT_STATES: IMPORT_TRANSITIONS.states,
  GRID_VIEW_TITLE: lengths(gridViewCreateSchema.shape.title),
  MAX_VIEW_LETTERS,
  SIGN_OUTS_CHANNEL,
  TOLD_CHANNEL,
  LEAST_HISTORY_YEARS,
  MONEY_LIMIT,
  CURRENCIES_BY_DIGITS: [...Map.groupBy(CURRENCIES, ({ code }) => minorUnitDigits(code))]
    .filter(([digits]) => digits !== 2)
    .map(([digits, own]) => [digits, own.map(({ code }) => code)]),
  ADDRESS_KINDS,
  SESSION_LIMITS: { administratorHours, otherDays, idleMinutes },
  NOT_IN_NAMES,
} satisfies Record<keyof typeof AS_LANDED, unknown>;

test('the tables hold the values of the program of today: a change needs a migration, which is named here', () => {
  const today = new Map<string, unknown>(Object.entries(TODAY));
  const changed = Object.entries(AS_LANDED).filter(([name, value]) => !isDeepStrictEqual(today.get(name), value));
  expect(changed.map(([name]) => name).sort()).toEqual(Object.keys(CHANGED).sort());
  const names = MIGRATIONS.map(({ name }) => name);
  expect(Object.values(CHANGED).filter((name) => !names.includes(name))).toEqual([]);
});
