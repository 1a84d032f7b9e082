/** A letter counts as 10 to 35, as in an IBAN. */
const digitsOf = (character: string): string => String(Number.parseInt(character, 36));

/** Whether 20 characters are a legal entity identifier of ISO 17442: as one number, the remainder by 97 is one. */
export function isLEI(code: string): boolean {
  if (!/^[A-Z0-9]{18}[0-9]{2}$/.test(code)) return false;
  const remainder = [...code].map(digitsOf).join('');
  return [...remainder].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}
