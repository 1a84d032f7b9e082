import type { EntityInput } from '../entity.schema.ts';

/** An entity within its limits. */
export const ENTITY: EntityInput = { name: 'Northwind', formalId: '47-3382916', nationality: { country: 'US' } };

const bank = { title: 'Main account', accountNumber: '12345678', address: '1 High Street', type: 'Business' };
const share = { type: 'Ordinary', amount: 100, percentage: 10 };
const business = { type: 'LLC', formalName: 'Northwind Loans LLC' };
const long = (length: number) => 'x'.repeat(length);
const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);

type Changes = Readonly<Record<string, unknown>>;

/**
 * Every limit of an entity: the path of the error, changes to `ENTITY` within the limit, and changes beyond it. The
 * schema, the API and the form are tested with the same values.
 */
export const ENTITY_LIMITS: readonly (readonly [path: string, within: Changes, beyond: Changes])[] = [
  ['name', { name: long(2) }, { name: long(1) }],
  ['name', { name: long(250) }, { name: long(251) }],
  ['formalId', { formalId: long(1) }, { formalId: '' }],
  ['formalId', { formalId: long(100) }, { formalId: long(101) }],
  ['description', { description: long(300) }, { description: long(301) }],
  ['contacts', { contacts: times(5, { name: 'Bea' }) }, { contacts: times(6, { name: 'Bea' }) }],
  ['contacts.0.name', { contacts: [{ name: long(2) }] }, { contacts: [{ name: long(1) }] }],
  ['contacts.0.name', { contacts: [{ name: long(40) }] }, { contacts: [{ name: long(41) }] }],
  [
    'contacts.0.phone',
    { contacts: [{ name: 'Bea', phone: '1'.repeat(16) }] },
    { contacts: [{ name: 'Bea', phone: '1'.repeat(17) }] },
  ],
  [
    'contacts.0.receives.0',
    { contacts: [{ name: 'Bea', receives: ['calls', 'tax'] }] },
    { contacts: [{ name: 'Bea', receives: ['everything'] }] },
  ],
  ['contacts.0.phone', { contacts: [{ name: 'Bea', phone: '1' }] }, { contacts: [{ name: 'Bea', phone: '+1' }] }],
  ['banks', { banks: times(10, bank) }, { banks: times(11, bank) }],
  ['banks.0.title', { banks: [{ ...bank, title: long(2) }] }, { banks: [{ ...bank, title: long(1) }] }],
  ['banks.0.title', { banks: [{ ...bank, title: long(250) }] }, { banks: [{ ...bank, title: long(251) }] }],
  [
    'banks.0.accountNumber',
    { banks: [{ ...bank, accountNumber: long(150) }] },
    { banks: [{ ...bank, accountNumber: long(151) }] },
  ],
  ['banks.0.address', { banks: [{ ...bank, address: long(250) }] }, { banks: [{ ...bank, address: long(251) }] }],
  ['banks.0.type', { banks: [{ ...bank, type: 'Private' }] }, { banks: [{ ...bank, type: 'Secret' }] }],
  ['domains', { domains: times(10, 'example.com') }, { domains: times(11, 'example.com') }],
  ['domains.0', { domains: ['example.com'] }, { domains: ['not a domain'] }],
  ['nationality.country', { nationality: { country: 'US' } }, { nationality: { country: 'U' } }],
  ['nationality.country', { nationality: { country: long(30) } }, { nationality: { country: long(31) } }],
  [
    'nationality.description',
    { nationality: { country: 'US', description: long(200) } },
    { nationality: { country: 'US', description: long(201) } },
  ],
  [
    'business.formalName',
    { business: { ...business, formalName: long(250) } },
    { business: { ...business, formalName: long(251) } },
  ],
  [
    'business.headQuarters',
    { business: { ...business, headQuarters: times(10, { country: 'US' }) } },
    { business: { ...business, headQuarters: times(11, { country: 'US' }) } },
  ],
  [
    'business.shares',
    { business: { ...business, shares: times(50, share) } },
    { business: { ...business, shares: times(51, share) } },
  ],
  [
    'business.shares.0.amount',
    { business: { ...business, shares: [{ ...share, amount: 0 }] } },
    { business: { ...business, shares: [{ ...share, amount: '-0.01' }] } },
  ],
  [
    'business.shares.0.priority',
    { business: { ...business, shares: [{ ...share, priority: 0 }] } },
    { business: { ...business, shares: [{ ...share, priority: -1 }] } },
  ],
  [
    'business.siteLink',
    { business: { ...business, siteLink: 'https://example.com' } },
    { business: { ...business, siteLink: 'javascript:alert(1)' } },
  ],
  [
    'banks.0.IBAN',
    { banks: [{ ...bank, IBAN: 'GB29 NWBK 6016 1331 9268 19' }] },
    { banks: [{ ...bank, IBAN: 'GB28NWBK60161331926819' }] },
  ],
  [
    'banks.0.swiftCode',
    { banks: [{ ...bank, swiftCode: 'nwbkgb2lxxx' }] },
    { banks: [{ ...bank, swiftCode: 'NWBKGB2' }] },
  ],
  [
    'banks.0.abaOrRouting',
    { banks: [{ ...bank, abaOrRouting: '021000021' }] },
    { banks: [{ ...bank, abaOrRouting: '021000022' }] },
  ],
  [
    'banks.0.accountNumber',
    { banks: [{ ...bank, accountNumber: long(2) }] },
    { banks: [{ ...bank, accountNumber: long(1) }] },
  ],
  ['banks.0.address', { banks: [{ ...bank, address: long(2) }] }, { banks: [{ ...bank, address: long(1) }] }],
  [
    'business.formalName',
    { business: { ...business, formalName: long(2) } },
    { business: { ...business, formalName: long(1) } },
  ],
  [
    'business.shares.0.percentage',
    { business: { ...business, shares: [{ ...share, percentage: 100 }] } },
    { business: { ...business, shares: [{ ...share, percentage: 100.01 }] } },
  ],
  [
    'business.shares.0.faceValue',
    { business: { ...business, shares: [{ ...share, faceValue: 0 }] } },
    { business: { ...business, shares: [{ ...share, faceValue: '-1' }] } },
  ],
  ['business.stage', { business: { ...business, stage: 'Late Growth' } }, { business: { ...business, stage: 'Old' } }],
  ['person.dob', { person: { dob: '1971-02-28' } }, { person: { dob: '1971-02-29' } }],
  [
    'contacts.0.email',
    { contacts: [{ name: 'Bea', email: 'bea@northwind.test' }] },
    { contacts: [{ name: 'Bea', email: 'bea' }] },
  ],
];
