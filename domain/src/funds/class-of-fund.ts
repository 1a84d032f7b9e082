import { refuse } from '../errors/refusal.ts';

interface WithClasses {
  readonly classes: readonly { readonly uniqueKey: string }[];
}

/** @throws Refusal badRequest (flag on `Class`) if none of the funds has a class with this key */
export function requireClassOf(funds: readonly WithClasses[], Class: string | null | undefined): void {
  if (Class == null || funds.some(({ classes }) => classes.some(({ uniqueKey }) => uniqueKey === Class))) return;
  refuse('This class does not belong to the fund', { Class: 'is not the key of a class of the fund' });
}
