import {
  dayInWords,
  firstOfEach,
  joined,
  type StoredCollection,
  TITLE_OF,
  TITLE_OF_FUNDS,
} from '../../collections/stored-collection.ts';
import { CapitalAccount, Contribution, Distribution, Nav, Report, WriteOff } from '../../entities/capital.ts';

const { fund, investor } = TITLE_OF;
const cutOffDay = dayInWords('t.cut_off_date');
const ofFunds = 't.fund_id, t.main_fund_id';
/** The search finds lines by the number of their header. */
const ofNumber = { id: 't.activity_id', is: 't.call_number = $1' };

export const storedContributions = {
  entity: Contribution,
  title: joined(fund, `'call ' || t.call_number`, investor),
  header: { id: 't.activity_id', title: `concat_ws(' of ', 'capital call ' || t.call_number, ${fund})` },
  currency: 't.currency',
  found: {
    from: firstOfEach('contributions', 't.activity_id', 't.id'),
    id: 't.shared',
    title: `'Capital call ' || t.call_number`,
    detail: joined(fund, `'due ' || ${dayInWords('t.due_date')}`),
    numbered: /^(capital )?calls?$/,
    ofNumber,
  },
} as const satisfies StoredCollection;

export const storedDistributions = {
  entity: Distribution,
  title: joined(fund, `'distribution ' || t.call_number`, investor),
  header: { id: 't.activity_id', title: `concat_ws(' of ', 'distribution ' || t.call_number, ${fund})` },
  currency: 't.currency',
  found: {
    from: firstOfEach('distributions', 't.activity_id', 't.id'),
    id: 't.shared',
    title: `'Distribution ' || t.call_number`,
    detail: joined(fund, cutOffDay),
    numbered: /^distributions?$/,
    ofNumber,
  },
} as const satisfies StoredCollection;

export const storedNavs = {
  entity: Nav,
  title: joined(fund, `'NAV of ' || ${cutOffDay}`, investor),
  currency: 't.currency',
} as const satisfies StoredCollection;

export const storedWriteOffs = {
  entity: WriteOff,
  title: joined(fund, `'write-off of ' || ${cutOffDay}`, investor),
  currency: 't.currency',
} as const satisfies StoredCollection;

export const storedCapitalAccounts = {
  entity: CapitalAccount,
  title: joined(TITLE_OF_FUNDS, `'capital account of ' || ${cutOffDay}`, investor),
  currency: 't.currency',
  found: {
    title: `coalesce((select l.title from lps l where l.id = t.investor_lp_id), 'Capital account')`,
    detail: joined(TITLE_OF_FUNDS, cutOffDay),
    funds: ofFunds,
  },
} as const satisfies StoredCollection;

export const storedReports = {
  entity: Report,
  title: joined(TITLE_OF_FUNDS, `'report of ' || ${cutOffDay}`),
  found: {
    title: `coalesce((select f.name from files f where f.id = t.file_id), 'Report')`,
    detail: joined(TITLE_OF_FUNDS, cutOffDay),
    funds: ofFunds,
  },
} as const satisfies StoredCollection;
