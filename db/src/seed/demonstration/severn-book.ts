import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { Borrower, LoanPosition } from './loan.ts';
import { ageLoanBook, type BookProfile, type Offer } from './loan-book.ts';
import type { Random } from './random.ts';

/** What Severn, which finances commercial vehicles in Britain, records in addition to the terms. */
export type VehicleDetails = {
  readonly dealer: string;
  readonly vehicle: string;
  readonly isNew: boolean;
  readonly vehicleValuePence: number;
};

interface Region {
  readonly region: string;
  readonly towns: readonly string[];
  readonly postcodes: readonly string[];
}

const REGIONS: readonly (readonly [Region, weight: number])[] = [
  [{ region: 'South West', towns: ['Bristol', 'Exeter', 'Gloucester'], postcodes: ['BS', 'EX', 'GL'] }, 26],
  [{ region: 'Wales', towns: ['Cardiff', 'Newport', 'Swansea'], postcodes: ['CF', 'NP', 'SA'] }, 21],
  [{ region: 'West Midlands', towns: ['Birmingham', 'Coventry', 'Worcester'], postcodes: ['B', 'CV', 'WR'] }, 19],
  [{ region: 'South East', towns: ['Reading', 'Oxford', 'Southampton'], postcodes: ['RG', 'OX', 'SO'] }, 14],
  [{ region: 'North West', towns: ['Manchester', 'Preston', 'Chester'], postcodes: ['M', 'PR', 'CH'] }, 12],
  [{ region: 'Scotland', towns: ['Glasgow', 'Edinburgh', 'Stirling'], postcodes: ['G', 'EH', 'FK'] }, 8],
];

/** Price of each kind of vehicle when new, in pounds. */
const VEHICLES: readonly (readonly [readonly [vehicle: string, price: number], weight: number])[] = [
  [['Panel van', 34_000], 34],
  [['Tipper', 46_000], 18],
  [['Refrigerated van', 52_000], 14],
  [['Rigid lorry', 78_000], 16],
  [['Tractor unit', 112_000], 12],
  [['Minibus', 43_000], 6],
];

const DEALERS = [
  ['Avon Commercials', 30],
  ['Gower Truck and Van', 19],
  ['Malvern Vehicle Centre', 16],
  ['Thames Commercial Sales', 14],
  ['Pennine Vans', 12],
  ['Clyde Truck Centre', 9],
] as const;

const TERMS = [
  [36, 24],
  [48, 46],
  [60, 30],
] as const;

/** Months since the opening at the end of which Severn stops writing new agreements: September 2026. */
const LAST_MONTH = 29;

const PROFILE: BookProfile<VehicleDetails> = {
  seed: 'severn/1',
  opened: '2024-04-01',
  // The book grows while the facility funds it. No agreement was written in the last month.
  listedLoans: (month) => (month < LAST_MONTH ? 70 + 15 * month : 0),
  loanId: (sequence) => `HP-${40_100 + sequence}`,
  makeBorrower: (sequence, random) => {
    const { region, towns, postcodes } = random.pick(REGIONS);
    const place = random.whole(0, towns.length - 1);
    return {
      id: `SV-${8_200 + sequence}`,
      fico: Math.max(520, Math.min(830, Math.round(random.normal(688, 46)))),
      state: region,
      city: towns[place]!,
      zip: `${postcodes[place]}${random.whole(1, 20)}`,
      employment: 'Company',
      income: random.whole(180, 2_400) * 1_000,
    };
  },
  makeOffer,
  repeatShare: 0.18,
  outsized: {
    fromMonth: 6,
    makeBorrower: () => ({
      id: 'SV-8001',
      fico: 731,
      state: 'South West',
      city: 'Bristol',
      zip: 'BS11',
      employment: 'Company',
      income: 9_400_000,
    }),
  },
  missShare: 0.021,
  prepayShare: 0.008,
};

/** Severn's agreements as listed at each cut-off date (month ends, ascending). */
export function ageSevernBook(cutOffDates: readonly CalendarDate[]): LoanPosition<VehicleDetails>[][] {
  return ageLoanBook(PROFILE, cutOffDates);
}

function makeOffer(borrower: Borrower, _originationDate: CalendarDate, random: Random): Offer<VehicleDetails> {
  const score = borrower.fico ?? 640;
  const band = score >= 730 ? 1 : score >= 690 ? 2 : score >= 640 ? 3 : 4;
  const isFleet = borrower.income > 5_000_000;
  const [vehicle, price] = isFleet ? (['Tractor unit', 112_000] as const) : random.pick(VEHICLES);
  const isNew = isFleet || random.chance(0.45);
  const worth = price * (isNew ? 1 : 0.42 + 0.4 * random.next()) * (0.95 + 0.1 * random.next());
  const vehicleValuePence = Math.round(worth / 50) * 5_000;
  const ltvPercent = Math.max(60, Math.min(108, random.normal(88, 9)));
  return {
    originalCents: Math.round((vehicleValuePence * ltvPercent) / 100),
    rateBps: [0, 729, 889, 1_089, 1_349][band]! + random.whole(0, 180),
    termMonths: random.pick(TERMS),
    grade: `Band ${band}`,
    risk: [0, 0.4, 0.8, 1.3, 2.1][band]!,
    details: { dealer: random.pick(DEALERS), vehicle, isNew, vehicleValuePence },
  };
}
