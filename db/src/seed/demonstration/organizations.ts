import { type EntityCreate, type EntityInput, entityCreateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { COMPANY_COUNSEL, FUND_ADMINISTRATOR, KEYSTONE_COMPANY, MANAGER_COUNSEL, SEVERN_COMPANY } from './portfolio.ts';

/** Where an organization has its account. Banks are fictional; their numbers have valid check digits. */
type Account =
  | { readonly aba: string; readonly number: string }
  | { readonly IBAN: string; readonly swiftCode: string; readonly number: string };

interface Listed {
  readonly name: string;
  readonly formalId: string;
  readonly type: NonNullable<EntityInput['business']>['type'];
  readonly industry: string;
  /** Country, city, zip, street, house number, and the state where there are states. */
  readonly at: readonly [
    country: string,
    city: string,
    zip: string,
    street: string,
    houseNumber: string,
    state?: string,
  ];
  readonly established: string;
  readonly contact: readonly [name: string, role: string, phone: string];
  readonly account?: Account;
  readonly category?: readonly string[];
  readonly more?: Partial<NonNullable<EntityInput['business']>>;
  readonly description?: string;
}

const CURRENCIES: Readonly<Record<string, string>> = {
  US: 'USD',
  GB: 'GBP',
  DE: 'EUR',
  IE: 'EUR',
  LU: 'EUR',
  CH: 'CHF',
};

/** "harbour-mills.test" for "Harbour Mills LLC". */
const domainOf = (name: string): string =>
  `${name
    .toLowerCase()
    .replace(/ (llc|lp|ltd|limited|plc|gmbh|inc|sa|ag|llp)$/, '')
    .replaceAll(/[^a-z]+/g, '-')}.test`;

function bankOf(account: Account, city: string): NonNullable<EntityInput['banks']>[number] {
  const { number, ...numbers } = account;
  const codes = 'aba' in numbers ? { abaOrRouting: numbers.aba } : numbers;
  return {
    title: 'Main account',
    accountNumber: number,
    bankName: 'Fictional Bank',
    address: city,
    type: 'Business',
    ...codes,
  };
}

function entityOf(of: Listed): EntityCreate {
  const [country, city, zip, address, houseNumber, state] = of.at;
  const [contact, role, phone] = of.contact;
  const domain = domainOf(of.name);
  const place = { country, city, zip, address, houseNumber, ...(state ? { state } : {}) };
  return entityCreateSchema.parse({
    name: of.name,
    formalId: of.formalId,
    nationality: { isPrimary: true, name: 'Registered office', ...place },
    ...(of.description ? { description: of.description } : {}),
    category: of.category ?? [],
    business: {
      type: of.type,
      formalName: of.name,
      industries: [of.industry],
      currency: CURRENCIES[country] ?? 'USD',
      dateEstablished: of.established,
      siteLink: `https://www.${domain}`,
      headQuarters: [{ name: 'Head office', isPrimary: true, ...place }],
      ...of.more,
    },
    contacts: [{ name: contact, role, phone, email: `${contact.split(' ')[0]?.toLowerCase()}@${domain}` }],
    banks: of.account ? [bankOf(of.account, city)] : [],
  });
}

/** An investor of a demonstration tenant, and its group. */
export interface ListedInvestor {
  readonly entity: EntityCreate;
  readonly domains: string[];
  readonly group?: string;
}
export interface ListedProvider {
  readonly title: string;
  readonly type: string;
  readonly description: string;
  readonly entities: readonly EntityCreate[];
}
/** The organizations of one tenant. */
export interface ListedOrganizations {
  readonly companies: readonly { entity: EntityCreate; domains: string[] }[];
  readonly investors: readonly ListedInvestor[];
  readonly providers: readonly ListedProvider[];
}

const company = (of: Listed) => ({ entity: entityOf(of), domains: [domainOf(of.name)] });
const investor = (of: Listed, group?: string): ListedInvestor => ({
  ...company({ ...of, category: ['Investor'] }),
  ...(group ? { group } : {}),
});
const provider = (type: string, description: string, ...entities: Listed[]): ListedProvider => ({
  title: entities[0]!.name.slice(0, 40),
  type,
  description,
  entities: entities.map((of) => entityOf({ ...of, category: [type] })),
});
const ordinary = (amount: number, faceValue: number) => [
  { type: 'Ordinary', amount, percentage: 80, faceValue, priority: 2 },
  {
    type: 'Preferred A',
    amount: amount / 4,
    percentage: 20,
    faceValue: faceValue * 10,
    preference: 1,
    participation: 1,
    priority: 1,
  },
];

const GRANITE: Listed = {
  name: FUND_ADMINISTRATOR,
  formalId: '83-2201947',
  type: 'LLC',
  industry: 'Financial Services',
  at: ['US', 'Wilmington', '19801', 'North Market Street', '1200', 'DE'],
  established: '2003-02-17',
  contact: ['Priya Nair', 'Head of fund accounting', '13025550114'],
  account: { aba: '066874843', number: '4410027719' },
};
const ASHDOWN: Listed = {
  name: 'Ashdown Audit LLP',
  formalId: '13-7720418',
  type: 'Partnership',
  industry: 'Accounting',
  at: ['US', 'New York', '10017', 'Third Avenue', '711', 'NY'],
  established: '1988-07-01',
  contact: ['Tom Ashdown', 'Audit partner', '12125550187'],
  account: { aba: '063986789', number: '7702214480' },
};

/** More organizations of the demonstration's first manager: investors that are not in its fund yet, and providers. */
export const FIRST_TENANT_ORGANIZATIONS: ListedOrganizations = {
  companies: [
    company({
      name: SEVERN_COMPANY,
      formalId: '09417726',
      type: 'Company',
      industry: 'Auto Finance',
      at: ['GB', 'Bristol', 'BS1 6NP', 'Redcliffe Street', '60'],
      established: '2015-01-30',
      contact: ['Owen Trelawney', 'Finance director', '441175550118'],
      account: { IBAN: 'GB14FICT20718893017254', swiftCode: 'FICTGB2L', number: '93017254' },
      description: 'Originates hire purchase agreements for used cars.',
    }),
    company({
      name: KEYSTONE_COMPANY,
      formalId: '47-5528103',
      type: 'LLC',
      industry: 'Hospital and Health Care',
      at: ['US', 'Pittsburgh', '15222', 'Liberty Avenue', '925', 'PA'],
      established: '2014-08-18',
      contact: ['Renata Cole', 'Chief financial officer', '14125550173'],
      description: 'Owns and runs 38 dental practices in Pennsylvania and Ohio.',
    }),
  ],
  investors: [
    investor(
      {
        name: 'Pennine Teachers Pension Scheme',
        formalId: 'GB-10441872',
        type: 'Trust',
        industry: 'Investment Management',
        at: ['GB', 'Leeds', 'LS1 4AP', 'Park Row', '18'],
        established: '1961-09-01',
        contact: ['Gareth Lowe', 'Chief investment officer', '441135550121'],
        account: { IBAN: 'GB89FICT20469560433195', swiftCode: 'FICTGB2L', number: '60433195' },
      },
      'Northern pension schemes',
    ),
    investor(
      {
        name: 'Tyne and Wear Fire Fund',
        formalId: 'GB-10573120',
        type: 'Trust',
        industry: 'Investment Management',
        at: ['GB', 'Sunderland', 'SR1 3DX', 'Fawcett Street', '52'],
        established: '1979-04-01',
        contact: ['Moira Shand', 'Pensions manager', '441915550166'],
        account: { IBAN: 'GB29FICT20045195888741', swiftCode: 'FICTGB2L', number: '95888741' },
      },
      'Northern pension schemes',
    ),
    investor({
      name: 'Kestrel Insurance plc',
      formalId: 'GB-02417765',
      type: 'Corporation',
      industry: 'Insurance',
      at: ['GB', 'Edinburgh', 'EH2 4JN', 'George Street', '101'],
      established: '1924-11-20',
      contact: ['Fiona Baird', 'Head of private markets', '441315550143'],
      account: { IBAN: 'GB37FICT20198351785190', swiftCode: 'FICTGB2L', number: '51785190' },
    }),
    investor(
      {
        name: 'Rheinblick Versorgungswerk',
        formalId: 'DE-HRA-48211',
        type: 'Provident Fund',
        industry: 'Investment Management',
        at: ['DE', 'Cologne', '50667', 'Hohe Strasse', '41'],
        established: '1957-01-14',
        contact: ['Jonas Weber', 'Portfolio manager', '492215550172'],
        account: { IBAN: 'DE19375596890038766924', swiftCode: 'FICTDEFF', number: '0038766924' },
      },
      'Rheinblick',
    ),
    investor(
      {
        name: 'Rheinblick Stiftung',
        formalId: 'DE-STI-00917',
        type: 'Company/non-profit organization',
        industry: 'Philanthropy',
        at: ['DE', 'Cologne', '50667', 'Hohe Strasse', '41'],
        established: '1994-05-30',
        contact: ['Anke Vogt', 'Treasurer', '492215550175'],
        account: { IBAN: 'DE28375903818818180094', swiftCode: 'FICTDEFF', number: '8818180094' },
      },
      'Rheinblick',
    ),
    investor({
      name: 'Alpenrose Pensionskasse AG',
      formalId: 'CHE-114.202.551',
      type: 'Provident Fund',
      industry: 'Investment Management',
      at: ['CH', 'Zug', '6300', 'Bahnhofstrasse', '9'],
      established: '1982-03-08',
      contact: ['Livia Kessler', 'Investments', '41415550190'],
      account: { IBAN: 'CH0409821199001983147', swiftCode: 'FICTCHZZ', number: '1199001983147' },
    }),
  ],
  providers: [
    provider(
      'Administrator',
      'Keeps the books of the funds and calculates their net asset value each quarter.',
      GRANITE,
    ),
    provider('Auditor', 'Audits the annual accounts of the funds.', ASHDOWN),
    provider('Custodian', 'Holds the cash accounts and the original loan agreements.', {
      name: 'Meridian Street Custody Inc',
      formalId: '04-5519027',
      type: 'Financial Institute',
      industry: 'Banking',
      at: ['US', 'Boston', '02110', 'Federal Street', '75', 'MA'],
      established: '1996-10-11',
      contact: ['Dana Ruiz', 'Client service', '16175550139'],
      account: { aba: '067027149', number: '9001773420' },
    }),
    provider('Legal counsel', 'Drafts the facility agreements and the fund documents.', {
      name: MANAGER_COUNSEL,
      formalId: '13-2964410',
      type: 'Partnership',
      industry: 'Law Practice',
      at: ['US', 'New York', '10005', 'Pine Street', '70', 'NY'],
      established: '1951-06-05',
      contact: ['Simone Pryor', 'Partner, finance', '12125550158'],
    }),
    provider('Legal counsel', 'Advises borrowers of the funds on their facility agreements.', {
      name: COMPANY_COUNSEL,
      formalId: 'GB-OC318842',
      type: 'Partnership',
      industry: 'Law Practice',
      at: ['GB', 'London', 'EC2V 7HR', 'Gresham Street', '25'],
      established: '1987-10-01',
      contact: ['Harriet Lane', 'Partner, banking', '442075550165'],
    }),
    provider('Verification agent', 'Checks a sample of the loans of each tape against their files.', {
      name: 'Clearfield Collateral Review LLC',
      formalId: '45-3087716',
      type: 'LLC',
      industry: 'Outsourcing and Offshoring',
      at: ['US', 'Charlotte', '28202', 'South Tryon Street', '400', 'NC'],
      established: '2011-01-24',
      contact: ['Marcus Bell', 'Operations', '17045550112'],
      account: { aba: '060507527', number: '3308841207' },
    }),
  ],
};

/** Further tenants, each with its manager and organizations. */
export const MORE_TENANTS: readonly (ListedOrganizations & {
  readonly manager: EntityCreate;
  readonly domains: string[];
  readonly email: string;
  readonly person: readonly [firstName: string, lastName: string];
})[] = [
  {
    ...managerOf(
      {
        name: 'Osprey Direct Lending LLP',
        formalId: 'GB-OC438812',
        type: 'Partnership',
        industry: 'Investment Management',
        at: ['GB', 'London', 'EC3V 9DU', 'Lombard Street', '33'],
        established: '2017-02-06',
        contact: ['Helen Marsh', 'Managing partner', '442075550101'],
        account: { IBAN: 'GB06FICT20684921223729', swiftCode: 'FICTGB2L', number: '21223729' },
        description: 'Direct loans to mid-sized businesses in the United Kingdom and Ireland.',
      },
      'manager3@tapeline.test',
      ['Helen', 'Marsh'],
    ),
    companies: [
      company({
        name: 'Brightwater Dental Group Limited',
        formalId: 'GB-09915502',
        type: 'Company',
        industry: 'Medical Practice',
        at: ['GB', 'Bristol', 'BS1 6TP', 'Redcliff Street', '14'],
        established: '2015-12-14',
        contact: ['Owen Pugh', 'Finance director', '441175550128'],
        account: { IBAN: 'GB17FICT20025365909976', swiftCode: 'FICTGB2L', number: '65909976' },
        more: { FTEs: 420, stage: 'Growth', raised: '18500000', shares: ordinary(2_000_000, 1) },
        description: 'Dental practices in the south-west of England.',
      }),
      company({
        name: 'Shannon Cold Chain Limited',
        formalId: 'IE-552914',
        type: 'Company',
        industry: 'Logistics and Supply Chain',
        at: ['IE', 'Limerick', 'V94 T9PX', 'Dock Road', '7'],
        established: '2012-06-18',
        contact: ['Aoife Brennan', 'Chief financial officer', '353615550140'],
        account: { IBAN: 'IE52FICT78356742537849', swiftCode: 'FICTIE2D', number: '42537849' },
        more: { FTEs: 260, stage: 'Late Growth', shares: ordinary(1_500_000, 1) },
        description: 'Refrigerated transport and storage for food producers.',
      }),
      company({
        name: 'Calderbank Facilities plc',
        formalId: 'GB-03881046',
        type: 'Corporation',
        industry: 'Facilities Services',
        at: ['GB', 'Manchester', 'M2 3HZ', 'Spring Gardens', '58'],
        established: '1999-08-02',
        contact: ['Nadia Rahman', 'Treasurer', '441615550133'],
        more: { FTEs: 1_850, stage: 'Mature', shares: ordinary(12_000_000, 0.5) },
      }),
    ],
    investors: [
      investor(
        {
          name: 'Mersey Docks Pension Trustees',
          formalId: 'GB-10118834',
          type: 'Trust',
          industry: 'Investment Management',
          at: ['GB', 'Liverpool', 'L2 0PP', 'Water Street', '4'],
          established: '1948-07-05',
          contact: ['Clare Duffy', 'Secretary to the trustees', '441515550119'],
        },
        'Maritime pension schemes',
      ),
      investor(
        {
          name: 'Solent Mariners Fund',
          formalId: 'GB-10339017',
          type: 'Trust',
          industry: 'Investment Management',
          at: ['GB', 'Southampton', 'SO14 2AQ', 'Canute Road', '21'],
          established: '1955-03-21',
          contact: ['Peter Hale', 'Fund manager', '442385550177'],
        },
        'Maritime pension schemes',
      ),
      investor({
        name: 'Corrib Life Assurance',
        formalId: 'IE-120884',
        type: 'Corporation',
        industry: 'Insurance',
        at: ['IE', 'Galway', 'H91 E2R8', 'Eyre Square', '12'],
        established: '1973-10-29',
        contact: ['Declan Joyce', 'Investments', '353915550102'],
        account: { IBAN: 'IE08FICT07858980204029', swiftCode: 'FICTIE2D', number: '80204029' },
      }),
      investor({
        name: 'Vianden Fund of Funds SA',
        formalId: 'LU-B218840',
        type: 'Corporation',
        industry: 'Investment Management',
        at: ['LU', 'Luxembourg', 'L-1246', 'Rue Albert Borschette', '2'],
        established: '2018-05-15',
        contact: ['Marc Thill', 'Portfolio manager', '352265550188'],
        account: { IBAN: 'LU830992856469842550', swiftCode: 'FICTLULL', number: '2856469842550' },
      }),
    ],
    providers: [
      provider('Depositary', 'Safekeeping of the fund’s assets and oversight of its cash flows.', {
        name: 'Moselle Depositary Services SA',
        formalId: 'LU-B190773',
        type: 'Financial Institute',
        industry: 'Banking',
        at: ['LU', 'Luxembourg', 'L-2163', 'Avenue Monterey', '40'],
        established: '2014-01-09',
        contact: ['Sophie Weis', 'Relationship manager', '352265550154'],
        account: { IBAN: 'LU250996364807232136', swiftCode: 'FICTLULL', number: '6364807232136' },
      }),
      provider('Tax adviser', 'Withholding tax and annual tax returns of the fund.', {
        name: 'Fenchurch Tax Partners LLP',
        formalId: 'GB-OC401277',
        type: 'Partnership',
        industry: 'Accounting',
        at: ['GB', 'London', 'EC3M 5JE', 'Fenchurch Street', '118'],
        established: '2009-09-14',
        contact: ['Ravi Menon', 'Partner', '442075550164'],
      }),
    ],
  },
  {
    ...managerOf(
      {
        name: 'Juniper Ridge Capital LLC',
        formalId: '84-1930277',
        type: 'LLC',
        industry: 'Investment Management',
        at: ['US', 'Denver', '80202', 'California Street', '1801', 'CO'],
        established: '2014-05-19',
        contact: ['Wes Tanaka', 'Managing director', '13035550109'],
        account: { aba: '064370514', number: '1180042265' },
        description: 'Asset-backed loans to small business and equipment lenders in the western United States.',
      },
      'manager4@tapeline.test',
      ['Wes', 'Tanaka'],
    ),
    companies: [
      company({
        name: 'Silver Creek Merchant Advance LLC',
        formalId: '82-4407713',
        type: 'LLC',
        industry: 'Merchant Cash Advance',
        at: ['US', 'Reno', '89501', 'West Liberty Street', '200', 'NV'],
        established: '2017-10-02',
        contact: ['Hannah Cole', 'Capital markets', '17755550130'],
        account: { aba: '067734115', number: '6620118834' },
        more: { FTEs: 85, stage: 'Growth', raised: '24000000', shares: ordinary(4_000_000, 0.01) },
        description: 'Advances to restaurants and retailers against card receipts.',
      }),
      company({
        name: 'Bitterroot Equipment Leasing Inc',
        formalId: '81-0552948',
        type: 'Corporation',
        industry: 'Equipment Finance',
        at: ['US', 'Missoula', '59802', 'East Broadway', '310', 'MT'],
        established: '2005-03-30',
        contact: ['Clint Avery', 'Chief financial officer', '14065550115'],
        account: { aba: '067775572', number: '2200913347' },
        more: { FTEs: 62, stage: 'Mature', shares: ordinary(800_000, 1) },
        description: 'Leases of forestry and construction equipment.',
      }),
      company({
        name: 'Copperline Solar Loans LLC',
        formalId: '86-3391820',
        type: 'LLC',
        industry: 'Renewables and Environment',
        at: ['US', 'Phoenix', '85004', 'North Central Avenue', '2020', 'AZ'],
        established: '2020-01-27',
        contact: ['Maya Ortiz', 'Head of funding', '16025550149'],
        more: { FTEs: 48, stage: 'Early Growth', raised: '9500000', shares: ordinary(1_000_000, 0.01) },
      }),
    ],
    investors: [
      investor(
        {
          name: 'Front Range Firefighters Trust',
          formalId: '84-6019223',
          type: 'Trust',
          industry: 'Investment Management',
          at: ['US', 'Fort Collins', '80521', 'Laporte Avenue', '281', 'CO'],
          established: '1971-06-14',
          contact: ['Gail Jensen', 'Trustee', '19705550138'],
          account: { aba: '068905202', number: '5570023419' },
        },
        'Colorado public funds',
      ),
      investor(
        {
          name: 'San Juan Teachers Retirement Plan',
          formalId: '84-6044170',
          type: 'Treaty Qualified Retirement Fund',
          industry: 'Investment Management',
          at: ['US', 'Durango', '81301', 'East Second Avenue', '949', 'CO'],
          established: '1966-08-22',
          contact: ['Luis Herrera', 'Chief investment officer', '19705550171'],
        },
        'Colorado public funds',
      ),
      investor({
        name: 'Tetonview Foundation',
        formalId: '83-0318861',
        type: 'Company/Exempt organization',
        industry: 'Philanthropy',
        at: ['US', 'Jackson', '83001', 'West Broadway', '150', 'WY'],
        established: '1998-12-03',
        contact: ['Ellen Strand', 'Investment committee', '13075550126'],
        account: { aba: '060654166', number: '8810037712' },
      }),
      investor({
        name: 'Great Basin Mutual Insurance',
        formalId: '87-0290045',
        type: 'Corporation',
        industry: 'Insurance',
        at: ['US', 'Salt Lake City', '84111', 'South State Street', '175', 'UT'],
        established: '1939-04-17',
        contact: ['Harold Nye', 'Private credit', '18015550157'],
        account: { aba: '069444322', number: '4017729903' },
      }),
    ],
    providers: [
      provider('Administrator', 'Administration of the fund and of its special-purpose borrowers.', {
        ...GRANITE,
        name: 'Basin Fund Services LLC',
        formalId: '84-3711925',
        at: ['US', 'Denver', '80203', 'Lincoln Street', '1600', 'CO'],
        account: { aba: '062607917', number: '7719004421' },
        contact: ['Rosa Whitman', 'Fund accounting', '13035550122'],
      }),
      provider('Trustee', 'Holds the collateral accounts for the lenders.', {
        name: 'Prairie States Trust Company',
        formalId: '41-2287013',
        type: 'Financial Institute',
        industry: 'Banking',
        at: ['US', 'Minneapolis', '55402', 'Nicollet Mall', '800', 'MN'],
        established: '1910-02-28',
        contact: ['Karl Lind', 'Corporate trust', '16125550195'],
        account: { aba: '069910348', number: '3300145582' },
      }),
    ],
  },
];

function managerOf(of: Listed, email: string, person: readonly [string, string]) {
  return { manager: entityOf(of), domains: [domainOf(of.name)], email, person };
}
