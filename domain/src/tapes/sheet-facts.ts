import type { SheetFacts } from '@tapeline/sheets/sheet-facts.ts';

export type { SheetFacts };

export const hasFacts = ({ formulasWithoutResult, unnamedCells }: SheetFacts): boolean =>
  formulasWithoutResult > 0 || unnamedCells > 0;

const cells = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'cell' : 'cells'}`;

/**
 * The facts as sentences that say what to do; empty if nothing was found.
 * @param isPart only the first rows were read
 */
export function describeSheetFacts(facts: SheetFacts, isPart = false): string[] {
  const { formulasWithoutResult, unnamedCells, unnamedColumns } = facts;
  const counted = (count: number) => `${isPart ? 'At least ' : ''}${cells(count)}`;
  return [
    ...(formulasWithoutResult > 0
      ? [
          `${counted(formulasWithoutResult)} ${formulasWithoutResult === 1 ? 'holds a formula' : 'hold formulas'} without a result. Open the file in Excel and save it, then upload it again.`,
        ]
      : []),
    ...(unnamedCells > 0
      ? [
          `${counted(unnamedCells)} ${unnamedCells === 1 ? 'is' : 'are'} in columns without a header (${unnamedColumns}) and ${unnamedCells === 1 ? 'was' : 'were'} not read. If they belong to the tape, add headers to these columns and upload the file again.`,
        ]
      : []),
  ];
}
