import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { Borrower, LoanPosition } from './loan.ts';
import { ageLoanBook, type BookProfile, type Offer } from './loan-book.ts';
import { PLACES, type Place } from './places.ts';
import type { Random } from './random.ts';

/** What Alder, an auto lender, records in addition to the terms. */
export type AutoDetails = {
  readonly dealer: string;
  readonly vehicle: string;
  readonly modelYear: number;
  readonly isNew: boolean;
  readonly vehicleValueCents: number;
};

/** Alder works through dealers in the South. */
const MARKETS = ['GA', 'FL', 'NC', 'TN', 'SC', 'AL', 'TX', 'VA', 'KY', 'MS'];
const STATES: readonly (readonly [Place, number])[] = PLACES.filter((place) => MARKETS.includes(place.state)).map(
  (place) => [place, place.state === 'GA' ? place.population * 2 : place.population],
);

/** Price of each model when new, in dollars. */
const VEHICLES: readonly (readonly [vehicle: string, priceDollars: number])[] = [
  ['Compact sedan', 23_500],
  ['Midsize sedan', 29_000],
  ['Compact SUV', 31_500],
  ['Midsize SUV', 40_500],
  ['Pickup', 46_000],
  ['Minivan', 38_000],
  ['Hatchback', 22_000],
];

const DEALERS = [
  ['Peachtree Motors', 22],
  ['Savannah Auto Mall', 14],
  ['Lowcountry Cars', 12],
  ['Bluegrass Auto', 11],
  ['Gulf Coast Autoplex', 10],
  ['Piedmont Pre-Owned', 9],
  ['Cumberland Motors', 8],
  ['Tidewater Auto', 7],
  ['Magnolia Cars', 4],
  ['Hill Country Trucks', 3],
] as const;

const TERMS = [
  [36, 10],
  [48, 18],
  [60, 34],
  [72, 38],
] as const;

const PROFILE: BookProfile<AutoDetails> = {
  seed: 'alder/1',
  opened: '2023-05-01',
  listedLoans: (month) => Math.min(1_198, 90 + Math.round((month * 1_108) / 36)),
  loanId: (sequence) => `AA${30_000 + sequence}`,
  makeBorrower: (sequence, random) => {
    const place = random.pick(STATES);
    const [city, prefix] = place.cities[random.whole(0, place.cities.length - 1)]!;
    return {
      id: `C${51_000 + sequence}`,
      fico: Math.max(520, Math.min(840, Math.round(random.normal(662, 52)))),
      state: place.state,
      city,
      zip: `${prefix}${String(random.whole(1, 60)).padStart(2, '0')}`,
      employment: 'Employed',
      income: random.whole(28, 110) * 1_000,
    };
  },
  makeOffer,
  repeatShare: 0.02,
  missShare: 0.026,
  prepayShare: 0.011,
};

/** Alder's loans as listed at each cut-off date (month ends, ascending): 1,198 on the late ones. */
export function ageAlderBook(cutOffDates: readonly CalendarDate[]): LoanPosition<AutoDetails>[][] {
  return ageLoanBook(PROFILE, cutOffDates);
}

function makeOffer(borrower: Borrower, originationDate: CalendarDate, random: Random): Offer<AutoDetails> {
  const score = borrower.fico ?? 640;
  const tier = score >= 720 ? 1 : score >= 670 ? 2 : score >= 620 ? 3 : 4;
  const [vehicle, priceDollars] = VEHICLES[random.whole(0, VEHICLES.length - 1)]!;
  const year = Number(originationDate.slice(0, 4));
  const ageYears = random.chance(0.3) ? 0 : random.whole(1, 8);
  let worth = priceDollars * (0.94 + 0.14 * random.next());
  for (let past = 0; past < ageYears; past += 1) worth *= past === 0 ? 0.8 : 0.87;
  const vehicleValueCents = Math.round(worth / 25) * 2_500;
  const ltvPercent = Math.max(60, Math.min(125, random.normal(96, 12)));
  return {
    originalCents: Math.round((vehicleValueCents * ltvPercent) / 100),
    rateBps: [0, 649, 899, 1_299, 1_749][tier]! + random.whole(0, 325),
    termMonths: random.pick(TERMS),
    grade: `Tier ${tier}`,
    risk: [0, 0.35, 0.7, 1.2, 1.9][tier]!,
    details: {
      dealer: random.pick(DEALERS),
      vehicle,
      modelYear: year - ageYears,
      isNew: ageYears === 0,
      vehicleValueCents,
    },
  };
}
