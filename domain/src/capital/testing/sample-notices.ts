import { activeCommitmentAt, holdingPercentages } from '../../commitments/active-commitment.ts';
import type { DecimalText } from '../../money/decimal.ts';
import { type CallFacts, type CallShare, callPosition, type NoticePurpose } from '../capital-call-notice.ts';
import type { CapitalLedger } from '../capital-figures.ts';
import { type DistributionFacts, type DistributionShare, distributionPosition } from '../distribution-notice.ts';
import type { TitledComponent } from '../distribution-totals.ts';
import type { NoticeInvestor } from '../notice-parts.ts';
import { splitLines } from '../split.ts';

/** A fund with as many investors as asked for: a call and a distribution, split over them. Always the same. */
export interface SampleFund {
  readonly investors: readonly { readonly investor: NoticeInvestor; readonly ledger: CapitalLedger }[];
  readonly call: CallFacts;
  readonly callShares: readonly CallShare[];
  readonly distribution: DistributionFacts;
  readonly distributionShares: readonly DistributionShare[];
}

const NAMES = [
  'Adeyemi Foundation',
  'Northern Pension',
  'Kungsholmen Försäkring AB',
  'Αιγαίον Επενδυτική Α.Ε.',
  'Пенсионный фонд «Волга»',
  'Łódzki Fundusz Emerytalny',
  'São Paulo Previdência',
  'Harbor & Sons Family Office',
];
const CITIES = ['Lagos, Nigeria', 'Leeds, United Kingdom', 'Stockholm, Sweden', 'Athens, Greece'];

const PURPOSES: readonly NoticePurpose[] = [
  { title: 'Northwind Consumer Loans, Senior note', kind: 'investments', amount: '4000000.00' },
  { title: 'Castelo Mortgages, Senior note', kind: 'investments', amount: '2500000.00' },
  { title: 'Q4 2026', kind: 'managementFee', amount: '229027.07' },
  { title: 'Administrator and audit', kind: 'fundExpenses', amount: '41870.56' },
];
const PRINCIPAL: DecimalText = '3000000.00';
const COMPONENTS: readonly TitledComponent[] = [
  { title: 'Northwind Consumer Loans, Senior note', actionType: 'INTEREST', amount: '812345.67' },
  { title: 'Castelo Mortgages, Senior note', actionType: 'INTEREST', amount: '402110.03' },
  { title: 'Administrator', actionType: 'INTEREST FEES', amount: '61228.40' },
  { title: 'Withholding tax', actionType: 'INTEREST TAX', amount: '33333.33' },
  { title: 'Warrants of Castelo', actionType: 'CG', amount: '250000.00' },
  { title: 'Broker', actionType: 'CG FEES', amount: '12500.00' },
  { title: 'Capital gains tax', actionType: 'CG TAX', amount: '6250.50' },
];

const FACTS = {
  letterhead: {
    name: 'Harbour Credit Partners',
    logo: null,
    contact: ['14 Lantern Quay, St Helier, Jersey', 'investors@harbourcredit.example \u00b7 +44 1632 960 140'],
  },
  fund: {
    title: 'Harbour Credit Fund II LP',
    legalName: 'Harbour Credit Fund II LP',
    className: 'Class A',
    currency: 'USD',
  },
  callNumber: '9',
  issueDate: '2026-11-05',
  cutOffDate: '2026-10-31',
  trailingDescription: null,
  signatory: { organization: 'Harbour Credit GP II Ltd', name: 'Mara Reyes', role: 'Director' },
};

export function sampleFund(count: number): SampleFund {
  const investors = Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / NAMES.length);
    const name = NAMES[index % NAMES.length] ?? '';
    const commitment = String(6_000_000 - (index % 40) * 125_000);
    const of = (amount: number): DecimalText => String(Math.floor(Number(commitment) * amount) / 100);
    return {
      investor: {
        formalName: round === 0 ? name : `${name} ${round + 1}`,
        code: String(index + 1),
        address: ['Chidinma Obi, Finance Director', '27 Palm Crescent', CITIES[index % CITIES.length] ?? ''],
      },
      ledger: {
        commitment: { closingDate: '2025-04-15', activeCommitment: commitment, deltas: [] },
        calls: [
          {
            cutOffDate: '2025-05-31',
            dueDate: '2025-06-15',
            purposes: [
              { kind: 'investments', amount: of(30) },
              { kind: 'managementFee', amount: of(0.4) },
            ],
          },
          { cutOffDate: '2026-01-31', dueDate: '2026-02-15', purposes: [{ kind: 'investments', amount: of(44) }] },
        ],
        distributions: [
          {
            cutOffDate: '2026-06-30',
            principal: of(6),
            components: [{ actionType: 'INTEREST', amount: of(5) }],
            recallable: true,
          },
        ],
        writeOffs: [],
        navs: [
          { cutOffDate: '2025-06-30', net: of(30.2), gross: of(30.5) },
          { cutOffDate: '2025-09-30', net: of(30.9), gross: of(31.3) },
          { cutOffDate: '2025-12-31', net: of(31.6), gross: of(32.1) },
          { cutOffDate: '2026-03-31', net: of(76.4), gross: of(77.5) },
          { cutOffDate: '2026-06-30', net: of(67.1), gross: of(68.4) },
          { cutOffDate: '2026-09-30', net: of(68.9), gross: of(70.4) },
        ],
      } satisfies CapitalLedger,
    };
  });
  const at = FACTS.cutOffDate;
  const weights = investors.map(({ ledger }, index) => ({
    id: String(index),
    code: index + 1,
    weight: activeCommitmentAt(ledger.commitment, at),
  }));
  const holdings = holdingPercentages(weights.map(({ weight }) => weight));
  const split = (lines: readonly DecimalText[]) => splitLines(lines, weights, 2);
  const [called, distributed] = [
    split(PURPOSES.map(({ amount }) => amount)),
    split([PRINCIPAL, ...COMPONENTS.map(({ amount }) => amount)]),
  ];
  return {
    investors,
    call: {
      ...FACTS,
      dueDate: '2026-11-18',
      paymentReference: 'HCF2-C9-001A-4',
      wire: {
        beneficiary: 'Harbour Credit Fund II LP',
        fund: 'Harbour Credit Fund II LP',
        bank: 'First Tidewater Bank',
        branch: null,
        bankAddress: 'New York',
        accountNumber: '3300 1188 4471',
        IBAN: null,
        swiftCode: 'FTWBUS33',
        abaOrRouting: '021000218',
      },
      pdfOptions: { fundLevel: true },
    },
    callShares: investors.map(({ investor, ledger }, index) => {
      const amounts = called.get(String(index)) ?? [];
      const purposes = PURPOSES.map((purpose, place) => ({ ...purpose, amount: amounts[place] ?? '0' }));
      return {
        investor,
        className: 'Class A',
        holdingPercent: holdings[index] ?? null,
        holdingOf: 'class' as const,
        basis: [],
        purposes,
        position: callPosition(ledger, at, purposes),
      };
    }),
    distribution: {
      ...FACTS,
      callNumber: '4',
      distributionKind: 'Interest and Principal',
      pdfOptions: {
        operationalExpenses: true,
        fundLevel: true,
        capitalGains: true,
        recallableDistribution: true,
        vat: '19',
      },
    },
    distributionShares: investors.map(({ investor, ledger }, index) => {
      const [principal = '0', ...amounts] = distributed.get(String(index)) ?? [];
      const components = COMPONENTS.map((component, place) => ({ ...component, amount: amounts[place] ?? '0' }));
      return {
        investor,
        className: 'Class A',
        holdingPercent: holdings[index] ?? null,
        holdingOf: 'class' as const,
        basis: [],
        principal,
        components,
        position: distributionPosition(ledger, at, { principal, components }, true),
        paidTo: '6819',
      };
    }),
  };
}
