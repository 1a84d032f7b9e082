import { EXAMPLES } from '@tapeline/domain/specification/example-bodies.ts';

/** The characters of a text, the items of a list, or a number: the least and the most that are accepted. */
export interface SpecifiedLimit {
  readonly path: string;
  readonly kind: 'text' | 'list' | 'number';
  readonly least: number | null;
  readonly most: number | null;
  /** An item of a list, by its position. */
  readonly item?: (index: number) => unknown;
  /** How far beyond the limit of a number the nearest refused value is. */
  readonly step?: number;
}

interface LimitsOfCall {
  readonly example: unknown;
  readonly limits: readonly SpecifiedLimit[];
}

const text = (path: string, least: number | null, most: number | null = null): SpecifiedLimit => ({
  path,
  kind: 'text',
  least,
  most,
});
const number = (path: string, least: number | null, most: number | null, step = 1): SpecifiedLimit => ({
  path,
  kind: 'number',
  least,
  most,
  step,
});
const list = (
  path: string,
  least: number | null,
  most: number | null,
  item: SpecifiedLimit['item'] = (index) => index.toString(16).padStart(24, '0'),
): SpecifiedLimit => ({ path, kind: 'list', least, most, item });
const always = (item: unknown) => () => item;

/** The whole body is a list. */
const body = (least: number, most: number, item: unknown): SpecifiedLimit => list('', least, most, always(item));

const E = EXAMPLES;
const address = { country: 'US' };
const business = { type: 'LLC', formalName: 'Northwind Loans LLC' };
const file = { key: 'x' };
const component = { title: 'Interest', actionType: 'INTEREST', amount: { sum: 1, currency: 'USD' } };
const rule = { targetCol: 'sector', originCol: 'Sector', serializations: [{ type: 'text' }] };
const [idRule] = E.mapping.rules;
const [firstFee] = E.terms.fees;
const [note] = E.transaction.notes;
const NOTE = 'notes.0';
const TERMS = `${NOTE}.tranches.0.terms`;

const entityLimits = (path: string): SpecifiedLimit[] => [
  text(`${path}name`, 2, 250),
  text(`${path}formalId`, 1, 100),
  text(`${path}description`, null, 300),
  text(`${path}nationality.country`, 2, 30),
  text(`${path}nationality.description`, null, 200),
  list(`${path}contacts`, null, 5, always({ name: 'Bea' })),
  list(`${path}banks`, null, 10, always(E.entity.banks[0])),
  list(`${path}domains`, null, 10, (index) => `d${index}.example`),
  text(`${path}contacts.0.name`, 2, 40),
  text(`${path}banks.0.title`, 2, 250),
  text(`${path}banks.0.accountNumber`, 2, 150),
  text(`${path}banks.0.address`, 2, 250),
];

const fundLimits = (parties: number): SpecifiedLimit[] => [
  text('title', 2, 150),
  text('description', null, 100),
  list('classes', null, 10, (index) => ({ name: `Class ${index}` })),
  list('GPs', null, parties),
  list('serviceProviders', null, parties),
  text('timeline.0.title', 2, 150),
];

/** Every limit of the specification, at a call that enforces it, with a body that the call accepts. */
export const SPECIFIED_LIMITS: Readonly<Record<string, LimitsOfCall>> = {
  'POST /crud/entities': {
    example: { ...E.entity, business: { ...business, headQuarters: [address], shares: [{ type: 'Common' }] } },
    limits: [
      ...entityLimits(''),
      text('business.formalName', 2, 250),
      list('business.headQuarters', null, 10, always(address)),
      list('business.shares', null, 50, always({ type: 'Common' })),
      number('business.shares.0.amount', 0, null),
      number('business.shares.0.faceValue', 0, null, 0.01),
      number('business.shares.0.preference', 0, null),
      number('business.shares.0.participation', 0, null),
      number('business.shares.0.priority', 0, null),
    ],
  },
  'POST /crud/companies': { example: E.company, limits: entityLimits('entity.') },
  'POST /crud/managers': { example: E.company, limits: [text('entity.name', 2, 250)] },
  'POST /crud/LPs': { example: E.lp, limits: [text('entity.name', 2, 250)] },
  'POST /crud/serviceProviders': {
    example: { title: 'Granite Administration', type: 'Administrator', entities: ['65f0c2a1b3d4e5f601234568'] },
    limits: [text('title', 2, 40), list('entities', null, 10)],
  },
  'POST /crud/users': {
    example: E.user,
    limits: [text('firstName', 2, 30), text('lastName', 2, 30), list('LPs', 1, 100)],
  },
  'PUT /crud/users/{id}': { example: { version: 1, LPs: E.user.LPs }, limits: [list('LPs', 1, 100)] },
  'POST /crud/roles': { example: E.role, limits: [text('title', 2, 30), number('level', 1, 30)] },
  'POST /crud/permissions': { example: E.permission, limits: [text('title', 2, 20)] },
  'POST /crud/funds': { example: E.fund, limits: fundLimits(20) },
  'PUT /crud/funds/{id}': { example: { ...E.fund, version: 1 }, limits: fundLimits(10) },
  'POST /crud/mainFunds': { example: E.mainFund, limits: [text('title', 2, 150), text('description', null, 100)] },
  'POST /crud/announcements': { example: E.announcement, limits: [list('files', null, 20, always(file))] },
  'POST /crud/contributions': { example: E.contribution, limits: [text('callNumber', 1)] },
  'POST /crud/distributions': {
    example: [E.distribution],
    limits: [body(1, 500, E.distribution), list('0.components', null, 60, always(component))],
  },
  'POST /crud/capitalAccounts': { example: [E.capitalAccount], limits: [body(1, 150, E.capitalAccount)] },
  'POST /crud/mainFunds/capitalAccounts/{id}': {
    example: [E.capitalAccount],
    limits: [body(1, 150, E.capitalAccount)],
  },
  'POST /crud/reports': { example: [E.report], limits: [body(1, 300, E.report)] },
  'POST /crud/mainFunds/reports/{id}': { example: [E.report], limits: [body(1, 300, E.report)] },
  'POST /crud/navs': { example: [E.nav], limits: [body(1, 10, E.nav)] },
  'POST /crud/writeOffs': { example: [E.writeOff], limits: [body(1, 500, E.writeOff)] },
  'POST /crud/groupFilters': { example: E.groupFilter, limits: [text('title', 2)] },
  'POST /files/importer': { example: E.import, limits: [list('attachments', 1, null, always(file))] },
  'POST /files/signedUrls/{bucket}': {
    example: E.signedUrls,
    limits: [list('filesInfo', 1, 50, always(E.signedUrls.filesInfo[0]))],
  },
  'POST /files/loanTapeScheduler': { example: E.tapeUpload, limits: [list('attachments', 1, null, always(file))] },
  'POST /crud/transactions': {
    example: E.transaction,
    limits: [
      text('title', 1),
      list('industries', 1, null, (index) => `Industry ${index}`),
      list('notes', 1, null, (index) => ({ ...note, title: `Note ${index}` })),
      text(`${NOTE}.title`, 1),
      number(`${NOTE}.priority.attachmentPoint`, 0, null, 0.1),
      number(`${NOTE}.priority.detachmentPoint`, null, 100, 0.1),
      text(`${NOTE}.tranches.0.title`, 1),
      text(`${NOTE}.tranches.0.type`, 1),
      list(`${TERMS}.commitments`, 1, null, always(E.terms.commitments[0])),
      list(`${TERMS}.fees`, null, 50, always(firstFee)),
      text(`${TERMS}.fees.0.title`, 1),
      text(`${TERMS}.fees.0.kind`, 1),
      list(`${NOTE}.contracts`, null, 200, always(E.contract)),
      list(`${NOTE}.contracts.0.scopes`, null, 100, (index) => ({ title: `Scope ${index}` })),
    ],
  },
  'POST /crud/transactionDraws': {
    example: E.drawRequest,
    limits: [list('draws', 1, null, always(E.drawRequest.draws[0]))],
  },
  'POST /crud/assetsETLs': {
    example: E.mapping,
    limits: [
      list('rules', 1, 300, (index) => (index === 0 ? idRule : { ...rule, targetCol: `field${index}` })),
      text('rules.1.targetCol', 2),
      list('rules.0.serializations', 1, null, always({ type: 'trim' })),
      // The specification asks for 2 characters, but Excel has sheets whose name is one letter.
      text('loanTapeSheetName', 1),
    ],
  },
};

/** A value that a call refuses, and its message. */
interface SpecifiedMessage {
  readonly call: string;
  readonly example: unknown;
  /** The field that is changed, and its value. */
  readonly path: string;
  readonly value: unknown;
  readonly message: string;
  /** The field with the error, if it is another one. */
  readonly at?: string;
}

const ofTransaction = { call: 'POST /crud/transactions', example: E.transaction };

export const SPECIFIED_MESSAGES: readonly SpecifiedMessage[] = [
  {
    call: 'POST /crud/users',
    example: E.user,
    path: 'phoneNumber',
    value: '+4712345678',
    message: 'Invalid phone number',
  },
  {
    call: 'POST /crud/users',
    example: E.user,
    path: 'phoneNumber',
    value: '1'.repeat(17),
    message: 'Invalid phone number',
  },
  {
    call: 'POST /crud/entities',
    example: E.entity,
    path: 'contacts.0.phone',
    value: '1'.repeat(17),
    message: 'Invalid phone number',
  },
  {
    ...ofTransaction,
    path: `${TERMS}.drawLimits.draw.amountRange.max`,
    value: E.terms.drawLimits.draw.amountRange.min,
    at: `${TERMS}.drawLimits.draw.amountRange.min`,
    message: 'min should be less then max ',
  },
  {
    ...ofTransaction,
    path: `${TERMS}.interest.numberRange`,
    value: { min: 5, max: 5 },
    at: `${TERMS}.interest.numberRange.min`,
    message: 'min should be less then max ',
  },
  {
    ...ofTransaction,
    path: `${TERMS}.drawLimits.draw.dueDateLimit`,
    value: { min: 5, max: 5 },
    at: `${TERMS}.drawLimits.draw.dueDateLimit.min`,
    message: 'min should be less then max ',
  },
  {
    ...ofTransaction,
    path: `${TERMS}.fees.0.dateRange`,
    value: { start: '2026-10-31', end: '2026-10-31' },
    at: `${TERMS}.fees.0.dateRange.start`,
    message: 'Start date must be before end date',
  },
  {
    ...ofTransaction,
    path: `${NOTE}.contracts.0.eligibilityRules.0`,
    value: { title: 'Late', startDate: '2026-10-31', expirationDate: '2026-10-31' },
    at: `${NOTE}.contracts.0.eligibilityRules.0.startDate`,
    message: 'Start date must be before end date',
  },
  {
    ...ofTransaction,
    path: `${NOTE}.priority.attachmentPoint`,
    value: 80,
    message: 'Attachment Point should be less then Detachment Point',
  },
  {
    ...ofTransaction,
    path: `${NOTE}.contracts.0.values.0.title`,
    value: 'Total Relevant Pool',
    message: "'Total Relevant Pool' is a default value and can not be used",
  },
  {
    ...ofTransaction,
    path: `${NOTE}.contracts.0.values.0.title`,
    value: 'Total Eligible & Performing Pool',
    message: "'Total Eligible & Performing Pool' is a default value and can not be used",
  },
  {
    call: 'POST /crud/transactionDraws',
    example: E.drawRequest,
    path: 'draws',
    value: [],
    message: 'At least 1 draw type should be filled',
  },
  {
    call: 'POST /crud/transactionDraws',
    example: E.drawRequest,
    path: 'draws',
    value: [{ type: 'Regular', amounts: [] }],
    message: 'At least 1 draw type should be filled',
  },
  {
    call: 'POST /crud/groupFilters',
    example: E.groupFilter,
    path: 'filters',
    value: { funds: [], investors: [] },
    message: 'One of the fields must be defined and should contain at least one',
  },
  { call: 'POST /crud/funds', example: E.fund, path: 'title', value: undefined, message: 'is required' },
  {
    call: 'POST /crud/funds',
    example: E.fund,
    path: 'timeline.0.planned',
    value: undefined,
    message: 'is required',
  },
  {
    ...ofTransaction,
    path: `${NOTE}.contracts.0.cutOffDate`,
    value: null,
    message: 'Contract cutOffDate cannot be null',
  },
  {
    call: 'POST /crud/navs',
    example: [E.nav],
    path: '0.fund',
    value: '65f0c2a1b3d4e5f60123456',
    message: 'Ids are exactly 24 characters',
  },
  {
    call: 'POST /auth/code',
    example: { email: 'ann@example.com' },
    path: 'email',
    value: 'ann',
    message: 'Enter an email address, for example ann@example.com',
  },
];
