import { stemsOf } from './tokens.ts';

/** Whether a question names rows by one of these nouns: "draws", "capital calls". */
export function nounsIn(question: string, nouns: readonly string[]): boolean {
  const said = ` ${stemsOf(question)} `;
  return nouns.some((noun) => said.includes(` ${stemsOf(noun)} `));
}
