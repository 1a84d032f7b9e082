import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { Borrower, LoanPosition } from './loan.ts';
import { ageLoanBook, type BookProfile, type Offer } from './loan-book.ts';
import { PLACES, type Place } from './places.ts';
import type { Random } from './random.ts';

/** What Northwind, an unsecured consumer lender, records in addition to the terms. */
export type ConsumerDetails = { readonly product: string; readonly purpose: string; readonly dtiBps: number };

/** In its best-known markets, Northwind's share is larger than the state's population suggests. */
const HOME_MARKETS: Readonly<Record<string, number>> = { CA: 1.28, TX: 1.34, NY: 1.36, FL: 1.05 };
const STATES: readonly (readonly [Place, number])[] = PLACES.map((place) => [
  place,
  place.population * (HOME_MARKETS[place.state] ?? 0.9),
]);

const EMPLOYMENT = [
  ['Full-time', 70],
  ['Self-employed', 13],
  ['Part-time', 8],
  ['Retired', 7],
  ['Other', 2],
] as const;

const PURPOSES = [
  ['Debt consolidation', 48],
  ['Credit card refinancing', 19],
  ['Home improvement', 11],
  ['Major purchase', 7],
  ['Medical', 5],
  ['Vehicle repair', 4],
  ['Moving', 2],
  ['Small business', 3],
  ['Vacation', 1],
] as const;

const TERMS = [
  [24, 10],
  [36, 46],
  [48, 16],
  [60, 28],
] as const;

type Grade = { grade: string; minimumScore: number; rateBps: readonly [number, number]; risk: number };

/** Northwind's pricing: the better the score, the better the grade and the lower the rate. */
const GRADES: readonly Grade[] = [
  { grade: 'A', minimumScore: 745, rateBps: [749, 1099], risk: 0.35 },
  { grade: 'B', minimumScore: 710, rateBps: [999, 1449], risk: 0.65 },
  { grade: 'C', minimumScore: 680, rateBps: [1349, 1849], risk: 1.05 },
  { grade: 'D', minimumScore: 655, rateBps: [1749, 2299], risk: 1.6 },
  { grade: 'E', minimumScore: 630, rateBps: [2199, 2749], risk: 2.3 },
  { grade: 'F', minimumScore: 0, rateBps: [2599, 3299], risk: 3.2 },
];

const PROFILE: BookProfile<ConsumerDetails> = {
  seed: 'northwind/1',
  opened: '2022-01-01',
  listedLoans: (month) => Math.min(4_997, 70 + Math.round((month * 4_927) / 53)),
  loanId: (sequence) => `NW-${200_000 + sequence}`,
  makeBorrower: (sequence, random) => ({
    id: `B-${700_000 + sequence}`,
    fico: random.chance(0.004) ? null : Math.max(590, Math.min(845, Math.round(random.normal(705, 38)))),
    ...makeAddress(random),
    employment: random.pick(EMPLOYMENT),
    income: Math.max(18, Math.min(240, Math.round(random.normal(74, 26)))) * 1_000 + random.whole(0, 9) * 100,
  }),
  makeOffer,
  repeatShare: 0.035,
  outsized: {
    fromMonth: 9,
    makeBorrower: () => ({
      id: 'B-690042',
      fico: 768,
      state: 'TX',
      city: 'Houston',
      zip: '77019',
      employment: 'Self-employed',
      income: 1_180_000,
    }),
  },
  missShare: 0.0165,
  prepayShare: 0.0125,
};

/** Northwind's loans as listed at each cut-off date (month ends, ascending): 4,997 on each of the late tapes. */
export function ageNorthwindBook(cutOffDates: readonly CalendarDate[]): LoanPosition<ConsumerDetails>[][] {
  return ageLoanBook(PROFILE, cutOffDates);
}

function makeAddress(random: Random): Pick<Borrower, 'state' | 'city' | 'zip'> {
  const place = random.pick(STATES);
  const [city, prefix] = place.cities[random.whole(0, place.cities.length - 1)]!;
  const zip = `${prefix}${String(random.whole(1, 60)).padStart(2, '0')}`;
  return random.chance(0.005) ? { state: null, city: null, zip } : { state: place.state, city, zip };
}

function makeOffer(borrower: Borrower, originationDate: CalendarDate, random: Random): Offer<ConsumerDetails> {
  const score = borrower.fico ?? 660;
  const seen = score + random.normal(0, 9);
  const grade = GRADES.find((candidate) => seen >= candidate.minimumScore) ?? GRADES[GRADES.length - 1]!;
  const [low, high] = grade.rateBps;
  // Interest rates peaked in 2023 and 2024.
  const marketBps = originationDate < '2023-04-01' ? -60 : originationDate < '2025-01-01' ? 45 : -15;
  const isFirm = borrower.income > 1_000_000;
  return {
    originalCents: isFirm ? random.whole(1_380, 1_600) * 2_500 : loanSizeCents(borrower.income, random),
    rateBps: random.whole(low, high) + marketBps,
    termMonths: random.pick(TERMS),
    grade: grade.grade,
    risk: grade.risk,
    details: {
      product: isFirm ? 'Small business' : random.chance(0.14) ? 'Secured personal' : 'Unsecured personal',
      purpose: isFirm ? 'Small business' : random.pick(PURPOSES),
      dtiBps: Math.max(150, Math.min(4_500, Math.round(random.normal(1_850, 720)))),
    },
  };
}

/** A requested amount in steps of 25 dollars from 1,000 to 40,000; half of all borrowers ask for a round thousand. */
function loanSizeCents(income: number, random: Random): number {
  const wish = income * (0.06 + 0.34 * random.next() * random.next() + 0.1 * random.next());
  const step = random.chance(0.5) ? 1_000 : 25;
  const dollars = Math.round(wish / step) * step;
  return Math.max(1_000, Math.min(40_000, dollars)) * 100;
}
