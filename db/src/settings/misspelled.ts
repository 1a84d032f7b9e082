import { SETTING_NAMES, SETTINGS, type SettingName } from '../settings.ts';

/** Names that are close to no setting of ours are somebody else's. */
const MAX_DIFFERENT_LETTERS = 2;
const LEAST_LENGTH = 7;

/** How many letters must be added, removed, replaced or swapped to turn one name into the other. */
function lettersBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (above[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1);
      line.push(Math.min(replaced, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}

/** The setting that an unknown variable was probably meant to be: S3_BUKET is S3_BUCKET. */
export function meantSetting(name: string): SettingName | null {
  if (name.length < LEAST_LENGTH || Object.hasOwn(SETTINGS, name.replace(/_FILE$/, ''))) return null;
  return (
    SETTING_NAMES.find(
      (known) =>
        Math.abs(known.length - name.length) <= MAX_DIFFERENT_LETTERS &&
        lettersBetween(name, known) <= MAX_DIFFERENT_LETTERS,
    ) ?? null
  );
}
