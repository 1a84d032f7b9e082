import { reason } from '../../errors/reason.ts';
import { Refusal } from '../../errors/refusal.ts';

/** Why a file of statements is not read. */
export type StatementProblem =
  | 'account'
  | 'again'
  | 'amount'
  | 'balance'
  | 'batch'
  | 'currency'
  | 'date'
  | 'encoding'
  | 'field'
  | 'format'
  | 'interim'
  | 'limit'
  | 'mapping'
  | 'pages'
  | 'totals'
  | 'version'
  | 'xml';

/** @param text what is wrong and what to do, in whole sentences */
export const refuseStatement = (problem: StatementProblem, text: string): Refusal =>
  new Refusal('badRequest', undefined, { flags: { file: reason('statementFile', { problem, text }) } });

/** A value of the file in a message: short, in one line. */
export function quoted(value: string): string {
  const line = value.replaceAll(/\s+/g, ' ').trim();
  return `“${line.length > 40 ? `${line.slice(0, 39)}…` : line}”`;
}
