const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
type Unit = keyof typeof SECONDS;

/**
 * The rules with every time that must pass divided by a factor: how long a condition must last (`for`), how far a rule looks
 * back (`offset`), and the age of what waits. Numbers of things, and dates such as that of the last backup, stay as they are.
 * @param rules the text of a rules file
 * @throws Error if a time does not become whole seconds
 */
export function shortenRules(rules: string, factor: number): string {
  const shortened = (seconds: number): number => {
    const result = seconds / factor;
    if (!Number.isInteger(result)) throw new Error(`${seconds} s is not divisible by ${factor}`);
    return result;
  };
  return rules
    .replace(
      /\b(for:|offset) (\d+)([smhd])\b/g,
      (_, word: string, count: string, unit: Unit) => `${word} ${shortened(Number(count) * SECONDS[unit])}s`,
    )
    .replace(
      /(_oldest_seconds\) > )(\d+)/g,
      (_, comparison: string, seconds: string) => comparison + shortened(Number(seconds)),
    );
}
