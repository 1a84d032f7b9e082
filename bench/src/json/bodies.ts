/** Request bodies as large as the specification allows. */
export const BODIES = {
  'a distribution notice: 500 items of 60 amounts': () => ({
    distributions: range(500, (item) => ({
      lpId: idOf(item),
      components: range(60, (at) => ({
        type: at % 2 === 0 ? 'INTEREST' : 'CG',
        description: `Component ${at} of item ${item}`,
        amount: { sum: cents(item * 60 + at), currency: 'USD' },
      })),
    })),
  }),
  'a mapping: 300 rules with a switch of 40 words': () => ({
    loanTapeSheetName: 'Loans',
    rules: range(300, (rule) => ({
      originCol: `Column ${rule}`,
      targetCol: `custom.field${rule}`,
      serializations: [
        { type: 'trim' },
        {
          type: 'switch',
          // biome-ignore lint/suspicious/noThenProperty: the field's name in the contract
          cases: range(40, (at) => ({ equals: `Word ${at}`, then: `Meaning ${at}` })),
          otherwise: null,
        },
      ],
      validations: [{ kind: 'lengthMax', value: 120 }],
    })),
  }),
  'a note with 200 contracts of 25 rules': () => ({
    notes: [
      {
        contracts: range(200, (contract) => ({
          title: `Contract ${contract}`,
          rules: range(25, (rule) => ({
            description: `Balance and score, rule ${rule}`,
            filter: { balance: { gte: cents(rule * 7919) }, state: { in: ['CA', 'NY', 'TX'] } },
            value: rule * 1.25,
          })),
        })),
      },
    ],
  }),
} satisfies Record<string, () => unknown>;

/** Rejected by every call, and the slowest to parse: each number's digits have to be compared. */
export const WORST_BODY = 'only numbers of 16 and 17 digits';

const range = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const idOf = (at: number): string => at.toString(16).padStart(24, '5');
const cents = (at: number): number => (((at + 1) * 1_234_567) % 10_000_000_000) / 100;

export function textOfBody(name: string): string {
  const make: (() => unknown) | undefined =
    name === WORST_BODY ? () => range(60_000, (at) => 1 / (at + 3)) : BODIES[name as keyof typeof BODIES];
  if (!make) throw new Error(`There is no body "${name}"`);
  return JSON.stringify(make());
}
