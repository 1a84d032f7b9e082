import { mappingSchema } from './mapping.schema.ts';

/**
 * The indexes of the rules that a preview can run, and of those that it leaves out. A rule with an error also excludes
 * the rules that use it.
 */
export function soundRules(mapping: { readonly rules: readonly unknown[]; readonly primaryCurrency: string }): {
  readonly sound: number[];
  readonly leftOut: number[];
} {
  let sound = mapping.rules.map((_, index) => index);
  for (let round = 0; round < mapping.rules.length; round += 1) {
    const rules = sound.map((index) => mapping.rules[index]);
    const result = mappingSchema.safeParse({ ...mapping, rules, cutOffDate: null, loanTapeSheetName: 'any sheet' });
    if (result.success) break;
    const invalid = new Set(
      result.error.issues.flatMap(({ path }) => (path[0] === 'rules' && typeof path[1] === 'number' ? [path[1]] : [])),
    );
    if (invalid.size === 0) break;
    sound = sound.filter((_, index) => !invalid.has(index));
  }
  const kept = new Set(sound);
  return { sound, leftOut: mapping.rules.flatMap((_, index) => (kept.has(index) ? [] : [index])) };
}
