import { type EntityCreate, entityCreateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { FIRST_FUND } from './demonstration/portfolio.ts';

/** An investor of a fund, and its commitment. */
export interface SeededInvestor {
  entity: EntityCreate;
  /** US dollars. */
  commitment: string;
  /** The closing at which it joined the fund. */
  closingDate: string;
}

export interface SeededTenant {
  manager: EntityCreate;
  fund: {
    title: string;
    entity: EntityCreate;
    description: string;
    /** US dollars. */
    targetSize: string;
    hardCap: string;
    closingDate: string;
  };
  investors: readonly SeededInvestor[];
}

interface Registered {
  name: string;
  formalId: string;
  type: string;
  country: string;
  city: string;
  state?: string;
  established: string;
  industry?: string;
  description?: string;
  currency?: string;
}

/** A legal entity with its head office and legal form, as in a commercial register. */
function registered(of: Registered): EntityCreate {
  const { name, formalId, country, city, state, type, established, industry, description, currency } = of;
  return entityCreateSchema.parse({
    name,
    formalId,
    ...(description ? { description } : {}),
    nationality: { isPrimary: true, name: 'Head office', country, city, ...(state ? { state } : {}) },
    business: {
      type,
      formalName: name,
      ...(currency ? { currency } : {}),
      dateEstablished: established,
      ...(industry ? { industries: [industry] } : {}),
    },
  });
}

const fundOf = (name: string, formalId: string) =>
  registered({
    name,
    formalId,
    type: 'Partnership',
    country: 'US',
    state: 'DE',
    city: 'Wilmington',
    established: '2025-09-15',
  });

/** The main tenant of the demonstration. @param name of the manager, used to look it up */
export const firstTenant = (name: string): SeededTenant => ({
  manager: registered({
    name,
    formalId: '88-4130275',
    type: 'LLC',
    country: 'US',
    state: 'NY',
    city: 'New York',
    established: '2019-03-04',
    description: 'Lends to originators of consumer and auto loans against their books.',
  }),
  fund: {
    title: FIRST_FUND,
    entity: fundOf('Harbour Private Credit I LP', '93-2207418'),
    description: 'Senior lending against consumer and auto receivables',
    targetSize: '125000000',
    hardCap: '150000000',
    closingDate: '2026-03-31',
  },
  investors: [
    {
      entity: registered({
        name: 'Calder Valley Pension Scheme',
        formalId: 'GB-10287654',
        type: 'Trust',
        country: 'GB',
        city: 'Halifax',
        established: '1974-04-01',
      }),
      commitment: '60000000',
      closingDate: '2025-12-15',
    },
    {
      entity: registered({
        name: 'Orchard Family Office',
        formalId: '81-6620391',
        type: 'LLC',
        country: 'US',
        state: 'CT',
        city: 'Greenwich',
        established: '2008-06-20',
      }),
      commitment: '25000000',
      closingDate: '2025-12-15',
    },
    {
      entity: registered({
        name: 'St Bride Endowment',
        formalId: '04-3381920',
        type: 'Company/non-profit organization',
        country: 'US',
        state: 'MA',
        city: 'Boston',
        established: '1931-10-12',
      }),
      commitment: '40000000',
      closingDate: '2026-03-31',
    },
  ],
});

/** The second tenant. The two tenants must never see each other. @param name of the manager */
export const secondTenant = (name: string): SeededTenant => ({
  manager: registered({
    name,
    formalId: '86-1175002',
    type: 'LLC',
    country: 'US',
    state: 'IL',
    city: 'Chicago',
    established: '2021-01-18',
  }),
  fund: {
    title: 'Meridian Asset Lending II',
    entity: fundOf('Meridian Asset Lending II LP', '92-5540163'),
    description: 'Equipment finance in the Midwest',
    targetSize: '40000000',
    hardCap: '60000000',
    closingDate: '2026-03-31',
  },
  investors: [
    {
      entity: registered({
        name: 'Lakeside Insurance',
        formalId: '36-2098117',
        type: 'Corporation',
        country: 'US',
        state: 'WI',
        city: 'Milwaukee',
        established: '1952-02-11',
      }),
      commitment: '30000000',
      closingDate: '2026-03-31',
    },
  ],
});

/** The companies that lend and borrow. @param names by which the tapes find the first two */
export const seededCompanies = (names: { northwind: string; alder: string }) => ({
  northwind: registered({
    name: names.northwind,
    formalId: '47-3382916',
    type: 'LLC',
    country: 'US',
    currency: 'USD',
    state: 'UT',
    city: 'Salt Lake City',
    established: '2016-04-12',
    industry: 'Consumer Lending',
    description: 'Personal and small business loans made online, held to maturity.',
  }),
  alder: registered({
    name: names.alder,
    formalId: '59-7714208',
    type: 'LLC',
    country: 'US',
    currency: 'USD',
    state: 'TX',
    city: 'Austin',
    established: '2012-09-03',
    industry: 'Consumer Lending',
    description: 'Loans for used cars, through dealers in the south.',
  }),
  fernhill: registered({
    name: 'Fernhill Equipment Finance',
    formalId: '38-4419075',
    type: 'Corporation',
    country: 'US',
    currency: 'USD',
    state: 'OH',
    city: 'Columbus',
    established: '2009-05-27',
  }),
});
