import fc from 'fast-check';

const code = fc.oneof(fc.nat(0x10_ff_ff), fc.integer({ min: 0x20, max: 0x7e }));

/**
 * Texts of any characters. The unit `binary` of fast-check makes a table of all characters, which takes a second and
 * slows everything that comes after it in the process.
 */
export const anyText = (constraints: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.array(code, constraints).map((codes) => String.fromCodePoint(...codes).toWellFormed());
