/** A number as a sheet shows it, in every preview and wherever it becomes a text: 15 significant digits, with an exponent below 1e-4 and from 1e15 on (C's `%.15g`). */
export function shownNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value === 0 ? 0 : value);
  if (!Number.isFinite(value)) return String(value);
  const { mantissa, exponent, sign } = significantDigits(value, 15);
  const digits = mantissa.replace(/0+$/, '') || '0';
  if (exponent < -4 || exponent >= 15) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * The first `count` digits of a double's exact value, rounded half to even, and the power of ten of the first digit.
 */
function significantDigits(value: number, count: number): { mantissa: string; exponent: number; sign: string } {
  const sign = value < 0 ? '-' : '';
  // toExponential rounds exact ties up. Only a double whose expansion ends right there can tie, so request more digits.
  const longer = Math.abs(value).toExponential(Math.min(100, count + 40));
  const [plain = '0', power = '0'] = longer.split('e');
  const all = plain.replace('.', '');
  const head = all.slice(0, count);
  const rest = all.slice(count);
  const isTie = /^50*$/.test(rest);
  const up = isTie ? Number(head.at(-1)) % 2 === 1 : rest >= '5';
  if (!up) return { mantissa: head, exponent: Number(power), sign };
  const next = String(BigInt(head) + 1n);
  return next.length > count
    ? { mantissa: next.slice(0, count), exponent: Number(power) + 1, sign }
    : { mantissa: next.padStart(count, '0'), exponent: Number(power), sign };
}
